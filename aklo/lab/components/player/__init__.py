"""The player, a Streamlit component that animates one task of a stream.

Python sends the whole task once, and the browser plays it. `view` holds the step, the method and the modes that are
shown. Both the visitor and the program can change it; session/control_keys.py explains which change is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aklo.lab.components.moves import Move, is_number, mount
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

__all__ = ["PlayerView", "player", "task_player"]

PLAYER = Component(
    "aklo_player",
    "player/player.js",
    ("shared/frame.css", "shared/panels.css", "shared/grips.css", "player/player.css"),
)


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
) -> None:
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
    follow : whether to ask for the next task at the end of this one.
    on_next : called with the task that the player asks for. With it a visitor can choose any task in full screen.
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
        revision=control_keys.revision(key, view),
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
        heard=control_keys.last_move(key),
        live=visitors.are_few(),
        competitor=competitor,
        more=more,
    )

    def take(move: Move) -> None:
        sent = move.value if isinstance(move.value, dict) else {}
        if on_next is not None and is_number(sent.get("task")):
            on_next(int(sent["task"]))
        shown = read_view(sent.get("view"), task, len(replay), replay.methods)
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


def task_player(settings: Settings, *, key: str, **options: Any) -> None:
    """Show the settings' task, with the names and groups of its stream. options: further arguments of `player`."""
    stream, task = runs.stream(settings), settings.task
    name = stream[task].name
    player(
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
