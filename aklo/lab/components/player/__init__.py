"""The player, a Streamlit component that animates one task of a stream.

Python sends the whole task once, and the browser plays it. `view` holds the step, the method and the modes that are
shown. Both the visitor and the program can change it; session/control_keys.py explains which change is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aklo.lab.components.moves import Move, is_number, mount
from aklo.lab.components.player.payload import pack
from aklo.lab.components.player.view import PlayerOptions, PlayerView, TaskContext, read_view
from aklo.lab.components.registry import Component
from aklo.lab.compute import mix_data, runs
from aklo.lab.server import visitors
from aklo.lab.session import control_keys, exports
from aklo.lab.session.state import Drag
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.replay import Replay
from aklo.theory.counterexamples import Case

__all__ = ["PlayerOptions", "PlayerView", "TaskContext", "case_context", "player", "task_player"]

PLAYER = Component(
    "aklo_player",
    "player/player.js",
    ("shared/frame.css", "shared/panels.css", "shared/grips.css", "player/player.css"),
)


def player(
    replay: Replay,
    *,
    key: str,
    task: TaskContext = TaskContext(),  # noqa: B008 (they are frozen)
    options: PlayerOptions = PlayerOptions(),  # noqa: B008
    view: PlayerView = PlayerView(),  # noqa: B008
    mix: bytes | None = None,
    on_view: Callable[[PlayerView], None] | None = None,
    on_next: Callable[[int], None] | None = None,
    on_alpha: Callable[[str, Drag], None] | None = None,
    on_end: Callable[[], None] | None = None,
) -> None:
    """Show one task. Other data under the same key updates the player in place; it keeps its step and goes on playing.

    Parameters
    ----------
    replay, task : the task.
    options : what the page chooses.
    view : the step, the method and the modes that are shown.
    mix : what the browser needs to mix the task itself (compute/mix_data.py); with it alpha's curve can be dragged.
    on_view : called with the visitor's view when the player stops or the visitor changes the view, not while it plays.
        Without it the browser reports nothing.
    on_next : called with the task that the player asks for. With it a visitor can choose any task in full screen.
    on_alpha : called with the spec of a schedule that a visitor has made of alpha's curve, and the drag that the change
        is part of.
    on_end : called when the last step is shown, as long as `view` is at another one.
    """
    block = pack(
        replay,
        task=task,
        options=options,
        view=view,
        revision=control_keys.revision(key, view),
        report=on_view is not None,
        can_choose_task=on_next is not None,
        mix=mix,
        heard=control_keys.last_move(key),
        live=visitors.are_few(),
        more=None if on_end is None else {"reportsEnd": True},
    )

    def take(move: Move) -> None:
        sent = move.value if isinstance(move.value, dict) else {}
        if on_next is not None and is_number(sent.get("task")):
            on_next(int(sent["task"]))
        shown = read_view(sent.get("view"), task.number, len(replay), replay.methods)
        if on_view is not None and shown is not None:
            control_keys.record_component_value(key, shown)
            on_view(shown)
        if on_alpha is not None and "alpha" in sent:
            spec, _ = FIELDS["alpha"].read(str(sent["alpha"]), "")  # checked like an address
            if spec is not None:
                on_alpha(spec, move.drag)
        if on_end is not None and "ended" in sent:
            on_end()

    mount(PLAYER, take, key=key, data=block)
    exports.picture(key, css=PLAYER.style_sheet, script=PLAYER.script, data=block)


def case_context(case: Case) -> TaskContext:
    """Return what the player says of a counterexample."""
    names = [f"expert {i + 1}" for i in range(len(case.experts))]
    return TaskContext(title=f"{case.title}: {case.statement}", names=names)


def task_player(settings: Settings, *, key: str, title: str | None = None, **more: Any) -> None:
    """Show the settings' task, with the names and groups of its stream.

    title: of the task; its name by default. more: further arguments of `player`.
    """
    stream, number = runs.stream(settings), settings.task
    name = stream[number].name
    task = TaskContext(
        number=number,
        n_tasks=len(stream),
        title=title or ("T" + name[1:] if name.startswith("task ") else name),  # other names are a visitor's
        group=stream.task_groups[number],
        groups=stream.task_groups[:number],
        names=stream.task_names[:number],
        group_names=runs.group_names(settings),
    )
    mix = mix_data.one_task(settings) if "on_alpha" in more else None
    player(runs.replay(settings), key=key, task=task, mix=mix, **more)
