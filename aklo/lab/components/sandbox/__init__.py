"""The sandbox, a Streamlit component: a plane in which a visitor places examples and gives their labels.

The browser stores all examples (the story, in story.js) and sends them after each change. Python answers with the
replay of these examples and of one more without a label. There is no other state: after a reload the browser sends the
same story to a new session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aklo.knowledge import periods
from aklo.lab.components.moves import Move, mount, sent_value
from aklo.lab.components.player import PlayerView, TaskContext
from aklo.lab.components.player.payload import pack
from aklo.lab.components.registry import Component
from aklo.lab.compute import runs
from aklo.lab.compute.sandbox_history import box, past, sources
from aklo.lab.session import control_keys, sandbox_story
from aklo.lab.session.sandbox_story import Story
from aklo.lab.settings.schema import Settings
from aklo.world import answer, said

SANDBOX = Component(
    "aklo_world", "sandbox/sandbox.js", ("shared/frame.css", "shared/panels.css", "sandbox/sandbox.css")
)


def sandbox(
    settings: Settings,
    *,
    key: str,
    method: str | None = None,
    on_method: Callable[[str], None] | None = None,
) -> None:
    """Show the sandbox. The settings' stream must have two features.

    Parameters
    ----------
    method : the method that is shown; the settings' own unless given.
    on_method : called with the method that a visitor has chosen.
    """

    def story_changed() -> None:
        sandbox_story.take(sent_value(key, "story"))

    def take(move: Move) -> None:
        name = move.value.get("method") if isinstance(move.value, dict) else None
        if on_method is not None and name in settings.methods:
            control_keys.record_component_value(key, name)
            on_method(name)

    method = method or settings.method
    view: dict[str, Any] = {
        "view": PlayerView(method=method),
        "revision": control_keys.revision(key, method),
        "heard": control_keys.last_move(key),
    }
    story, note = sandbox_story.current()
    block = reply(settings, story, note, report=on_method is not None, **view)
    mount(SANDBOX, take, key=key, data=block, on_story_change=story_changed)


def reply(settings: Settings, story: Story, note: str = "", **view: Any) -> bytes:
    """Return the answer to a story: the player's block for its examples and one more.

    note: a sentence for the visitor; view: the arguments of `pack` on the method that is shown.
    """
    stream = runs.stream(settings)
    before = past(settings, story.tasks)
    here = _box(box(settings), story)
    # If no example waits for its label, the last one is a placeholder, and nothing about it is shown.
    x = story.ask or ((here[0] + here[1]) / 2, (here[2] + here[3]) / 2)
    replay = before.world.ask(story.now.X, story.now.y, x)
    n_finished, names = len(story.tasks), runs.group_names(settings)
    groups = sources(settings, n_finished)
    following = len(story.now) + (story.ask is not None)
    more: dict[str, Any] = {
        "serial": story.serial,
        "pending": story.ask is not None,
        "finished": n_finished,
        "box": here,
        "says": [said(replay)[method] for method in replay.methods],
        "mistakes": [before.mistakes[method] for method in replay.methods],
        "toldBefore": before.examples,
        "anew": int(2 * periods(len(replay))[-1]),
        "players": names,
        "answers": [answer(group.vector, x) for group in groups if group.vector is not None],
        "next": [_point(group.X[following]) for group in (*groups, groups[following % len(groups)])],
        "limits": {"tasks": sandbox_story.TASKS, "inATask": sandbox_story.IN_A_TASK, "inAll": sandbox_story.IN_ALL},
        "note": note,
    }
    return pack(
        replay,
        **view,
        task=TaskContext(
            number=n_finished,
            title=f"Your task {n_finished + 1}",
            group=len(names),
            names=(*stream.task_names, *(f"your task {k + 1}" for k in range(n_finished))),
            groups=(*stream.task_groups, *[len(names)] * n_finished),
            group_names=(*names, "yours"),
        ),
        more=more,
    )


def _box(around: list[float], story: Story) -> list[float]:
    """Return the stream's box, extended to the story's examples outside it."""
    points = np.vstack([task.X for task in (*story.tasks, story.now)] + ([story.ask] if story.ask else []))
    if not len(points):
        return around
    low, high = np.array(around[0::2]), np.array(around[1::2])
    first, last, air = points.min(axis=0), points.max(axis=0), 0.03 * (high - low)
    low, high = np.where(first < low, first - air, low), np.where(last > high, last + air, high)
    return [float(value) for pair in zip(low, high, strict=True) for value in pair]


def _point(x: np.ndarray) -> list[float]:
    return [round(float(value), 4) for value in x]
