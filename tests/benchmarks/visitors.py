"""A visitor without a browser: one websocket that speaks Streamlit's protocol, moves widgets and hears the answers.

What a browser does is done here too: it connects with the page's origin, asks for a page by name, remembers the widgets
that it is told of, forgets those that a whole run did not draw again, and sends back the address that the page wrote.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 60.0  # seconds for one answer
# Components that are pictures: not the sliders, nor the buttons and watchers of the frame.
PICTURES = ("aklo_player", "aklo_race", "aklo_chart", "aklo_alpha_picture", "aklo_overview", "aklo_world")
NUMBER = re.compile(r"-[0-9]+$")  # at the end of a control's key: session/control_keys.py


class Fault(Exception):
    """An answer that no visitor should get: an exception on the page, a lost connection, silence."""


@dataclass
class Widget:
    """A widget as the page told of it. proto: of a control of the lab, what it was told; live: whether that one
    reports while it is dragged; heard: the last move of the controls that stand together."""

    id: str
    kind: str
    proto: Any
    live: bool = False
    heard: int | None = None


@dataclass
class Answer:
    """seconds: from the request until the first picture has come; whole: to the end of the run, which has brought all
    the others; bytes that came meanwhile."""

    seconds: float
    whole: float
    bytes: int


class Visitor:
    """`await Visitor.arrive(port, "watch", "t=3")`, then `await visitor.move("setting_task", 4)` and so on."""

    def __init__(self, socket: ClientConnection, page: str, query: str) -> None:
        self.socket, self.page, self.query = socket, page, query
        self.page_hash = self.session = ""
        self.texts: list[str] = []  # errors and other notes since this visitor asked
        self.widgets: dict[str, Widget] = {}  # by the name of the key, without a number at its end
        self.values: dict[str, Any] = {}  # widget id -> the last value that this visitor gave it
        self.moves = 0  # of the lab's controls
        self.gesture = 0  # the number of the drag that goes on
        self.drawn: set[str] = set()  # ids of the widgets of the run that is under way
        self.pictured = 0.0  # when the first picture came since this visitor asked
        # Kinds of what came since this visitor asked: new_session at a run's begin, elements, "picture" for pictures.
        self.heard: list[str] = []

    @classmethod
    async def arrive(cls, port: int, page: str = "", query: str = "", *, cookie: str = "") -> Visitor:
        origin = f"http://127.0.0.1:{port}"
        socket = await connect(
            f"ws://127.0.0.1:{port}/_stcore/stream", origin=origin, subprotocols=["streamlit"], compression=None,
            max_size=None, ping_interval=None, proxy=None, open_timeout=PATIENCE,
            additional_headers={"Cookie": cookie} if cookie else None,
        )  # fmt: skip
        visitor = cls(socket, page, query)
        await visitor.ask()
        return visitor

    async def leave(self) -> None:
        await self.socket.close()

    async def move(self, key: str, value: Any) -> Answer:
        """Set a widget, found by the name of its key, and wait for the answer; a button is pressed with True."""
        return await self.ask(key, value)

    async def drag(self, key: str, values: Sequence[Any]) -> list[Answer]:
        """Drag a slider over some values and release it at the last, as the browser does: where the page lets it, it
        reports on the way, one value after the other. Returns the answers."""
        # Every answer says anew whether there are few visitors.
        answers = [await self.ask(key, value, done=False) for value in values[:-1] if self.widgets[key].live]
        return [*answers, await self.ask(key, values[-1])]

    async def report(self, key: str, event: str, value: Any) -> Answer:
        """Let a component report an event, and wait for the answer."""
        return await self.ask(key, value, event)

    async def ask(self, key: str = "", value: Any = None, event: str = "", *, done: bool = True) -> Answer:
        """Run the page, with a widget that moved, and wait for the end of it. event: of a component, if not a move;
        done: whether a control was released."""
        start = time.perf_counter()
        self.heard, self.texts, self.pictured = [], [], 0.0
        try:
            async with asyncio.timeout(PATIENCE):
                await self.send(key, value, event, done=done)
                size = await self.hear()
        except TimeoutError:
            raise Fault(f"{self.page}: no answer within {PATIENCE:.0f} seconds") from None
        except (OSError, ConnectionClosed) as error:
            raise Fault(f"{self.page}: {error}") from None
        whole = time.perf_counter() - start
        return Answer(self.pictured - start if self.pictured else whole, whole, size)

    async def send(self, key: str = "", value: Any = None, event: str = "", *, done: bool = True) -> None:
        """Set a widget, or ask for the page, and do not wait."""
        widget = self.widgets[key] if key else None
        if widget and widget.kind not in ("button", "bidi_component", "control"):
            self.values[widget.id] = (widget.kind, value)
        request = BackMsg()
        state = request.rerun_script
        state.query_string, state.page_script_hash = self.query, self.page_hash
        state.page_name = "" if self.page_hash else self.page
        for id_, (kind, known) in self.values.items():
            _put(state.widget_states.widgets.add(id=id_), kind, known)
        if widget and widget.kind == "button":
            state.widget_states.widgets.add(id=widget.id).trigger_value = value
        if widget and widget.kind in ("bidi_component", "control"):
            trigger = state.widget_states.widgets.add(id=_make_trigger_id(widget.id, "events"))
            sent = {"event": event, "value": value} if event else self._move(widget, value, done)
            trigger.json_trigger_value = json.dumps([sent])
        await self.socket.send(request.SerializeToString())

    def _move(self, control: Widget, value: Any, done: bool) -> dict[str, Any]:
        """A control that was moved to a value, as the browser tells of it (components/shared/moves.js)."""
        told = control.proto
        names = told.get("words") or told.get("options")
        self.moves += 1
        at = names.index(value) if names else value
        self.gesture = self.gesture or self.moves
        value = {"control": told["name"], "value": at}
        move = {"id": self.moves, "value": value, "drag": self.gesture, "done": done}
        self.gesture = 0 if done else self.gesture
        return {"event": "move", "value": [move]}

    async def hear(self) -> int:
        """Until a run has come to its end, and not for another that follows."""
        size = 0
        while True:
            data = await self.socket.recv(decode=False)
            size += len(data)
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._learn(message)
            elif kind == "new_session":
                self.heard.append(kind)
                self.drawn.clear()
                self.session = message.new_session.initialize.session_id
            elif kind == "navigation":
                self.page_hash = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind in ("page_not_found", "session_event"):
                raise Fault(f"{self.page}: {str(message)[:300]}")
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise Fault(f"{self.page}: the script does not compile")
                self._forget()
                return size

    def _learn(self, message: ForwardMsg) -> None:
        for element in _elements(message):
            kind = element.WhichOneof("type")
            proto = getattr(element, kind) if kind else None
            drawn = kind == "bidi_component" and proto.component_name.endswith(PICTURES)
            self.heard.append("picture" if drawn else kind)
            if drawn:
                self.pictured = self.pictured or time.perf_counter()
            if kind == "alert":
                self.texts.append(proto.body)
            if kind == "exception":
                raise Fault(f"{self.page}: {proto.type}: {proto.message}")
            if kind == "bidi_component" and proto.component_name.endswith("aklo_controls"):
                self.drawn.add(proto.id)
                panel = json.loads(proto.bytes)
                for told in (told for group in panel["groups"] for told in group["controls"]):
                    self.widgets[told["name"]] = Widget(proto.id, "control", told, panel["live"], panel["heard"])
            elif proto is not None and "id" in proto.DESCRIPTOR.fields_by_name and proto.id.startswith("$$"):
                self.drawn.add(proto.id)
                self.widgets[NUMBER.sub("", proto.id.split("-", 2)[2])] = Widget(proto.id, kind, proto)

    def _forget(self) -> None:
        """Forget the widgets that the run which has ended did not draw, and their values."""
        self.widgets = {name: widget for name, widget in self.widgets.items() if widget.id in self.drawn}
        self.values = {id_: value for id_, value in self.values.items() if id_ in self.drawn}


def _elements(message: ForwardMsg) -> Iterator[Any]:
    if message.delta.WhichOneof("type") == "new_element":
        yield message.delta.new_element


def _put(state: Any, kind: str, value: Any) -> None:
    if kind == "button_group":
        state.string_array_value.data.append(value)
    elif kind == "selectbox":
        state.string_value = value
    elif kind == "slider":
        state.double_array_value.data.append(value)
    elif kind == "checkbox":
        state.bool_value = value
    elif kind == "file_uploader":
        for file_id, name, size in value:
            state.file_uploader_state_value.uploaded_file_info.add(file_id=file_id, name=name, size=size)
    else:
        raise NotImplementedError(f"a value for {kind}")
