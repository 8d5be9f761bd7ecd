"""The player, a Streamlit component that animates one task of a stream.

Python sends the whole task once, and the browser plays it. `view` holds the step, the method and the modes that are
shown. Both the visitor and the program can change it; session/control_keys.py explains which change is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.components.moves import new_move, sent_value
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

__all__ = ["PlayerOptions", "PlayerResult", "PlayerView", "TaskContext", "case_context", "player", "task_player"]

PLAYER = Component(
    "aklo_player",
    "player/player.js",
    ("shared/frame.css", "shared/panels.css", "shared/grips.css", "player/player.css"),
)


@dataclass(frozen=True)
class PlayerResult:
    """The player's output. next_task: the task that it asks for, set only in the run after the request."""

    next_task: int | None


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
) -> PlayerResult:
    """Show one task. Other data under the same key updates the player in place; it keeps its step and goes on playing.

    Parameters
    ----------
    replay, task : the task.
    options : what the page chooses.
    view : the step, the method and the modes that are shown.
    mix : what the browser needs to mix the task itself (compute/mix_data.py); with it alpha's curve can be dragged.
    on_view : called with the visitor's view when the player stops or the visitor changes the view, not while it plays.
        Without it the browser reports nothing.
    on_next : called with the task that is asked for, before the script runs; with it the visitor can choose any task in
        full screen.
    on_alpha : called with the spec of a schedule that a visitor has made of alpha's curve, and the drag that the change
        is part of.
    on_end : called when the last step is shown, as long as `view` is at another one.
    """
    block = pack(
        replay,
        task=task,
        options=options,
        view=view,
        revision=control_keys.number(key, view),
        report=on_view is not None,
        can_choose_task=on_next is not None,
        mix=mix,
        alpha_heard=control_keys.heard(f"{key}_alpha"),
        live=visitors.are_few(),
        more=None if on_end is None else {"reportsEnd": True},
    )

    def next_requested() -> None:
        wanted = sent_value(key, "next_task")
        if on_next is not None and wanted is not None:
            on_next(int(wanted))

    def view_changed() -> None:
        reported = read_view(sent_value(key, "view"), len(replay), replay.methods)
        if on_view is not None and reported is not None:
            control_keys.component_reported(key, reported)
            on_view(reported)

    def ended() -> None:
        if on_end is not None and sent_value(key, "ended") is not None:
            on_end()

    def alpha_moved() -> bool:
        if on_alpha is None:
            return False
        move = new_move(key, "alpha", control=f"{key}_alpha")
        if move is None:
            return False
        # Input from a browser is checked like an address.
        spec, _ = FIELDS["alpha"].read(str(move.value), "")
        if spec is not None:
            on_alpha(spec, move.drag)
        return True

    result = PLAYER(
        key=key, data=block, on_next_task_change=next_requested, on_view_change=view_changed,
        on_alpha_change=alpha_moved, on_ended_change=ended,
    )  # fmt: skip
    if alpha_moved():  # a move that was lost with the connection, as in the slider
        st.rerun()
    exports.picture(key, css=PLAYER.style_sheet, script=PLAYER.script, data=block)
    wanted = result.get("next_task")
    return PlayerResult(next_task=None if wanted is None else int(wanted))


def case_context(case: Case) -> TaskContext:
    """Return what the player says of a counterexample."""
    names = [f"expert {i + 1}" for i in range(len(case.experts))]
    return TaskContext(title=f"{case.title}: {case.statement}", names=names)


def task_player(settings: Settings, *, key: str, title: str | None = None, **more: Any) -> PlayerResult:
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
    return player(runs.replay(settings), key=key, task=task, mix=mix, **more)
