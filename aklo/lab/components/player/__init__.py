"""The player, a Streamlit component that animates one task of a stream.

Python sends the whole task once, and the browser plays it. `view` holds the step, the method and the modes that are
shown. Both the visitor and the program can change it; session/control_keys.py explains which change is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.components.moves import is_number, new_move, sent_value
from aklo.lab.components.player.payload import pack
from aklo.lab.components.player.view import PlayerView, read_view
from aklo.lab.components.registry import Component
from aklo.lab.compute import mix_data, runs
from aklo.lab.server import visitors
from aklo.lab.session import control_keys, exports
from aklo.lab.session.state import Drag
from aklo.lab.settings.schema import FIELDS, Settings
from aklo.regrets import EXPERT
from aklo.replay import Replay

__all__ = ["PlayerResult", "PlayerView", "player", "task_player"]

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
    view: PlayerView = PlayerView(),  # noqa: B008 (it is frozen)
    on_view: Callable[[PlayerView], None] | None = None,
    choose_method: bool = True,
    link_keys: Mapping[str, str] | None = None,
    groups: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    group: int | None = None,
    title: str = "",
    group_names: Sequence[str] | None = None,
    follow: bool = False,
    small: bool = False,
    autoplay: bool = False,
    task: int = 0,
    n_tasks: int = 1,
    on_next: Callable[[int], None] | None = None,
    promise: float | None = None,
    guess: float | None = None,
    lines: Sequence[str] | None = None,
    mix: bytes | None = None,
    on_alpha: Callable[[str, Drag], None] | None = None,
    about: str = "",
    on_end: Callable[[], None] | None = None,
    competitor: str = EXPERT,
) -> PlayerResult:
    """Show one task. Other data under the same key updates the player in place; it keeps its step and goes on playing.

    Parameters
    ----------
    replay : the task.
    view : the step, the method and the modes that are shown.
    on_view : called with the visitor's view when the player stops or the visitor changes the view, not while it plays.
        Without it the browser reports nothing.
    choose_method : whether the player has a select for the method.
    link_keys : field of PlayerView -> its key in the address; the share button adds the current view by them.
    groups, names : of each expert's task.
    group, title : of the task itself.
    group_names : of the groups.
    follow : whether to ask for the next task at the end of this one, by `next_task` and by `on_next`, which is called
        with that task before the script runs.
    on_next : also lets the visitor choose any task in full screen.
    small : whether to show the plane and the race only.
    autoplay : whether to start playing when it is mounted.
    task, n_tasks : its place in the stream. Another task starts at its first step.
    promise : a bound on the mistakes of the view's method, drawn as a line in the race. The other methods are hidden
        at first.
    guess : the visitor's guess of the mistakes at the end, drawn as a line in the race.
    lines : the methods that the race shows; all of them by default.
    mix : what the browser needs to mix the task itself (compute/mix_data.py); with it alpha's curve can be dragged.
    on_alpha : called with the spec of a schedule that a visitor has made of alpha's curve, and the drag that the change
        is part of.
    about : a sentence beside the title, in the place of the numbers of examples and experts.
    on_end : called when the last step is shown, as long as `view` is at another one.
    competitor : what the race measures the regret against, as in `aklo.regret`.
    """
    more: dict[str, Any] = {"about": about} if about else {}
    if promise is not None:
        more["promise"] = float(promise)
    if guess is not None:
        more["guess"] = float(guess)
    if lines is not None:
        more["lines"] = list(lines)
    if on_end is not None:
        more["reportsEnd"] = True
    block = pack(
        replay,
        view=view,
        revision=control_keys.number(key, view),
        report=on_view is not None,
        choose_method=choose_method,
        link_keys=link_keys,
        groups=groups,
        names=names,
        group=group,
        title=title,
        group_names=group_names,
        follow=follow,
        small=small,
        autoplay=autoplay,
        task=task,
        n_tasks=n_tasks,
        can_choose_task=on_next is not None,
        mix=mix,
        alpha_heard=control_keys.heard(f"{key}_alpha"),
        live=visitors.are_few(),
        competitor=competitor,
        more=more,
    )

    def next_requested() -> None:
        wanted = _task(sent_value(key, "next_task"))
        if on_next is not None and wanted is not None:
            on_next(wanted)

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
    return PlayerResult(next_task=_task(result.get("next_task")))


def _task(sent: Any) -> int | None:
    """The task that a browser has asked for, or None where that is not a number."""
    return int(sent) if is_number(sent) else None


def task_player(settings: Settings, *, key: str, **options: Any) -> PlayerResult:
    """Show the settings' task, with the names and groups of its stream. options: further arguments of `player`."""
    stream, task = runs.stream(settings), settings.task
    name = stream[task].name
    return player(
        runs.replay(settings),
        key=key,
        task=task,
        n_tasks=len(stream),
        title=options.pop("title", "T" + name[1:] if name.startswith("task ") else name),  # others are a visitor's
        group=stream.task_groups[task],
        groups=stream.task_groups[:task],
        names=stream.task_names[:task],
        group_names=runs.group_names(settings),
        mix=mix_data.one_task(settings) if "on_alpha" in options else None,
        **options,
    )
