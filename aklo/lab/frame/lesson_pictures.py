"""The pictures of the lessons: what is shown before the question, and the answer, which is played.

A function that draws an answer takes the lesson's settings, a key, and how to show it (`Showing`). A function that
draws what is seen before the question takes the lesson and a key; it must not show the outcome. The tables of both
stand at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

import aklo
from aklo.lab.charts import lessons as charts
from aklo.lab.charts.alpha import curves
from aklo.lab.charts.base import axis_end
from aklo.lab.charts.palette import DARK, LIGHT, SLOTS, STROKES, Slot
from aklo.lab.components.player import PlayerOptions, PlayerView, case_context, player, task_player
from aklo.lab.components.plotly_chart import show
from aklo.lab.components.reveal import Line, Mark, RevealPanel, reveal
from aklo.lab.compute import bounds, regrets, runs, schedule_comparison
from aklo.lab.compute import lesson_outcomes as outcomes
from aklo.lab.content.lesson_needs import FIRST
from aklo.lab.content.lessons import Lesson
from aklo.lab.session.guesses import Guess
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import percent
from aklo.wording import count

OF_EACH_GROUP = 40  # examples of a task in the picture of two groups
GREY = Slot(LIGHT.others, DARK.others, ())


@dataclass(frozen=True)
class Showing:
    """How an answer is shown.

    Attributes
    ----------
    guess : what the visitor has guessed, which is drawn into the picture; None for nobody's guess.
    methods : the methods whose lines are drawn; none for all.
    played : whether it has been played already, so that it stands at its end.
    on_end : called when it has been played to its end.
    """

    guess: Guess | None = None
    methods: tuple[str, ...] = ()
    played: bool = False
    on_end: Callable[[], None] | None = None

    @property
    def number(self) -> float | None:
        """The guess, where it is a number."""
        return float(self.guess) if isinstance(self.guess, int) else None

    def mark(self, text: str, axis: str = "y") -> list[Mark]:
        """Return the mark of a guess that is a number. text: as the guess is said."""
        return [] if self.number is None else [Mark(self.number, f"your guess: {text}", axis)]  # type: ignore[arg-type]


def _outcome(at: float, text: str, axis: str = "y") -> Mark:
    return Mark(at, f"what happened: {text}", axis, "outcome")  # type: ignore[arg-type]


def draw(lesson: Lesson, key: str, **showing: Any) -> None:
    """Draw the answer to a lesson with the methods that the lesson names. showing: the other fields of `Showing`."""
    PICTURES[lesson.answer](lesson.settings, key, Showing(methods=lesson.methods, **showing))


# ------------------------------------------------------------------------------------------------- one task, one method


def first_examples(lesson: Lesson, key: str) -> None:
    """Draw the first examples of the lesson's task."""
    settings = lesson.settings
    task = runs.stream(settings)[settings.task]
    labels = ", ".join("+1" if y > 0 else "−1" for y in task.y[:FIRST])
    show(
        charts.examples([task], [task.name], FIRST, numbered=True), key,
        f"The first {FIRST} examples of the task in the plane, with the labels {labels}.",
    )  # fmt: skip
    st.caption(f"The first {FIRST} examples, numbered in the order of their arrival, after their labels were told.")


def play_task(settings: Settings, key: str, showing: Showing) -> None:
    """Play the settings' task."""
    n = len(runs.replay(settings))
    options = PlayerOptions(
        choose_method=False, small=True, autoplay=not showing.played, lines=showing.methods or None,
        guess=showing.number,
    )  # fmt: skip
    view = PlayerView(step=n if showing.played else 1, method=settings.method)
    task_player(settings, key=key, title=f"Task {settings.task}", options=options, view=view, on_end=showing.on_end)


def play_case(settings: Settings, key: str, showing: Showing) -> None:
    """Play the settings' counterexample against what was promised."""
    case = bounds.case(settings)
    replay = case.replay()
    n = len(replay)
    options = PlayerOptions(
        choose_method=False, small=True, autoplay=not showing.played, lines=["AKLO Sum"], guess=showing.number,
        promise=case.bound(replay).total,
    )  # fmt: skip
    view = PlayerView(step=n if showing.played else 1)
    player(replay, key=key, task=case_context(case), options=options, view=view, on_end=showing.on_end)


# ---------------------------------------------------------------------------------------------------- the whole stream


def two_groups(lesson: Lesson, key: str) -> None:
    """Draw a task of each group, side by side."""
    stream = runs.stream(lesson.settings)
    groups = sorted(set(stream.task_groups))
    tasks = [stream[stream.task_groups.index(group)] for group in groups]
    names = [f"a task of group {'ABCDEFGH'[group % 8]}" for group in groups]
    show(
        charts.examples(tasks, names, OF_EACH_GROUP, numbered=False), key,
        f"The first {OF_EACH_GROUP} examples of a task of each group, in the plane, with their labels.",
    )  # fmt: skip
    st.caption(f"{OF_EACH_GROUP} examples of a task of each group. A method sees a task's examples one at a time.")


def errors_after_each_task(settings: Settings, key: str, showing: Showing) -> None:
    """Play the share of wrong predictions, task after task."""
    run = runs.run(settings)
    methods = showing.methods or run.methods
    after = 100 * aklo.Repeats(run.task_errors[None]).ace_after[0]
    rows = {method: after[run.methods.index(method)] for method in methods}
    share = outcomes.error_share(settings)
    said = outcomes.whole_percent
    marks = showing.mark(said(showing.number or 0))
    if showing.number is not None:
        marks.append(_outcome(share, said(share)))
    most = max([row.max() for row in rows.values()] + [showing.number or 0])
    means = ", ".join(f"{method} {percent(run.ace[method])}" for method in methods)
    _reveal_over_tasks(
        settings, key, showing, "Wrong predictions so far",
        "The share of wrong predictions of each method, averaged over the tasks so far. Lower is better.",
        [Line(method, row, STROKES[method], bold=method == settings.method) for method, row in rows.items()],
        marks, (0, axis_end(most, limit=100)),
        alt=f"Average error after {count(settings.n_tasks, 'task')}: {means}.",
    )  # fmt: skip


def _reveal_over_tasks(
    settings: Settings, key: str, showing: Showing, title: str, help: str, lines: list[Line], marks: list[Mark],
    y_range: tuple[float, float], *, alt: str,
) -> None:  # fmt: skip
    """Play percentages over the tasks of the stream."""
    panel = RevealPanel(
        title, help, "tasks so far", "% wrong", np.arange(1, settings.n_tasks + 1), y_range, lines, marks, decimals=1,
    )  # fmt: skip
    reveal([panel], key=key, alt=alt, unit="task", played=showing.played, on_end=showing.on_end)


def hurt_tasks(settings: Settings, key: str, showing: Showing) -> None:
    """Play the gain in each task, and count the tasks that are hurt."""
    gains, method = outcomes.gains(settings), settings.method
    so_far = np.cumsum(gains < 0).astype(float)
    total = outcomes.hurt(settings)
    x = np.arange(settings.n_tasks)
    counted = RevealPanel(
        "Tasks hurt so far", f"The number of tasks so far in which {method} made more mistakes than ITOL.",
        "task", "tasks hurt", x, (0, axis_end(settings.n_tasks)),
        [Line("hurt", so_far, STROKES[method])],
        [*showing.mark(count(int(showing.number or 0), "task")), _outcome(total, count(total, "task"))],
    )  # fmt: skip
    low, high = min(gains.min(), 0), max(gains.max(), 0)
    each = RevealPanel(
        f"{method} against ITOL, task by task",
        f"One bar a task: how many more of its predictions, in percentage points, {method} gets right than ITOL. Below "
        "zero it gets fewer right: the task is hurt. The colour is that of the task's group.",
        "task", "gain, points", x, (-axis_end(max(-low, 5)), axis_end(max(high, 5))), bars=gains,
        groups=runs.stream(settings).task_groups,
    )  # fmt: skip
    reveal(
        [counted, each], key=key, unit="task", played=showing.played, on_end=showing.on_end,
        alt=f"Gain of {method} over ITOL in each of {count(settings.n_tasks, 'task')}; it is below zero in {total}.",
    )  # fmt: skip


def weight_of_friends(settings: Settings, key: str, showing: Showing) -> None:
    """Play AKLO's weight on the experts of the task's own group."""
    found, steps = aklo.friends(runs.run(settings)), outcomes.steps_to_find_friends(settings)
    said = count(int(showing.number or 0), "example")
    n = len(found.mean)
    panel = RevealPanel(
        "The friends' share of the weight",
        "How much of AKLO's weight the experts of the task's own group hold, when so many examples have been seen; "
        "averaged over the tasks that had experts of both groups. With equal trust it would stay as it begins.",
        "examples seen", "% of the weight", np.arange(n), (0, 100),
        [Line("AKLO", 100 * found.mean, STROKES["AKLO Sum"], bold=True),
         Line("equal trust", np.full(n, 100 * found.uniform_mean), STROKES["Unif Sum"])],
        [Mark(100 * outcomes.MOST_WEIGHT, "nine tenths", kind="limit"), *showing.mark(said, "x"),
         _outcome(steps, count(steps, "example"), "x")],
        decimals=0,
    )  # fmt: skip
    reveal(
        [panel], key=key, unit="step", played=showing.played, on_end=showing.on_end,
        alt=f"AKLO's weight on experts of the task's own group: {found.mean[0]:.0%} at first, "
        f"{outcomes.MOST_WEIGHT:.0%} or more after {count(steps, 'example')}, {found.mean[-1]:.0%} at the end.",
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------------- schedules


def schedule_curves(lesson: Lesson, key: str) -> None:
    """Draw alpha over a task for each kept schedule."""
    settings = lesson.settings
    entries = schedule_comparison.compare(settings.change(alpha=settings.kept_schedules[0]))
    names = "; ".join(entry.name for entry in entries)
    show(curves(entries, settings.n_examples), key, f"Alpha over the task for {names}.")
    st.caption(f"Alpha at each step of a task. {names}.")


def errors_of_schedules(settings: Settings, key: str, showing: Showing) -> None:
    """Play the mean error under each kept schedule, task after task."""
    found = outcomes.by_schedule(settings)
    after = 100 * found.ace_after.mean(axis=0)
    lines = []
    for letter, spec, row in zip(found.methods, settings.kept_schedules, after, strict=True):
        mine = spec == showing.guess
        lines.append(Line(f"{letter}, your guess" if mine else letter, row, SLOTS[letter], bold=mine))
    means = "; ".join(f"{letter} {percent(mean)}" for letter, mean in zip(found.methods, found.moments[0], strict=True))
    _reveal_over_tasks(
        settings, key, showing, "Wrong predictions so far",
        f"The share of wrong predictions of {settings.method} under each schedule, averaged over the tasks so far and "
        f"over {len(found.shares)} repetitions with new data. Lower is better.",
        lines, [], (0, axis_end(after.max(), limit=100)),
        alt=f"Average error of {settings.method} after {count(settings.n_tasks, 'task')}: {means}.",
    )  # fmt: skip


# -------------------------------------------------------------------------------------------------------------- regret


def _regret_panel(settings: Settings, marks: list[Mark], most: float) -> RevealPanel:
    found, shown = regrets.mean_in_a_task(settings), dict.fromkeys((settings.method, "Unif Sum"))
    return RevealPanel(
        "Regret so far",
        "At each step of a task, how many more mistakes a method has made than the expert that makes the fewest in "
        f"that task; averaged over the {found.n_tasks} tasks that had experts.",
        "step t of a task", "mistakes", np.arange(1, settings.n_examples + 1), (0, axis_end(most)),
        [Line(name, found.curves[name], STROKES[name], bold=name == settings.method) for name in shown],
        marks, decimals=1,
    )  # fmt: skip


def _most_regret(settings: Settings) -> float:
    curves = regrets.mean_in_a_task(settings).curves
    return float(max(curves[name].max() for name in (settings.method, "Unif Sum")))


def regret_at_first(lesson: Lesson, key: str) -> None:
    """Draw the regret in the first quarter of a task."""
    settings = lesson.settings
    quarter, facts = settings.n_examples // 4, outcomes.regret_facts(settings)
    reveal(
        [_regret_panel(settings, [], _most_regret(settings))], key=key, unit="step", up_to=quarter,
        alt=f"Regret after {quarter} steps: {settings.method} {facts['early']}, Unif Sum {facts['Unif early']}.",
    )  # fmt: skip
    st.caption(f"The regret up to step {quarter}, averaged over tasks. How will {settings.method}'s line go on?")


def regret_to_the_end(settings: Settings, key: str, showing: Showing) -> None:
    """Play the regret over a task."""
    final, facts = outcomes.final_regret(settings), outcomes.regret_facts(settings)
    marks = [*showing.mark(count(int(showing.number or 0), "mistake")), _outcome(final, count(final, "mistake"))]
    panel = _regret_panel(settings, marks, max(_most_regret(settings), showing.number or 0))
    reveal(
        [panel], key=key, unit="step", played=showing.played, on_end=showing.on_end,
        alt=f"Regret at the end of a task: {settings.method} {facts['late']}, Unif Sum {facts['Unif late']}.",
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- alpha, or a pool


def error_by_alpha(lesson: Lesson, key: str) -> None:
    """Draw AKLO Sum's error against a constant alpha on two streams: the one to compare with, and the lesson's."""
    assert lesson.beside is not None  # `check` asks for it
    streams = {"first stream": lesson.beside, "second stream": lesson.settings}
    worlds = {name: outcomes.by_alpha(settings).mean(axis=1) for name, settings in streams.items()}
    best = "; ".join(
        f"{name}, least at α = {outcomes.ALPHAS[int(row.argmin())]:g} ({percent(row.min())})"
        for name, row in worlds.items()
    )
    show(charts.error_by_alpha(outcomes.ALPHAS, worlds), key, f"AKLO Sum's average error by alpha. {best}.")
    st.caption("AKLO Sum's share of wrong predictions, if α is the same at every step.")


def pool_against_alphas(settings: Settings, key: str, showing: Showing) -> None:
    """Play One pool's error, and that of AKLO Sum with each constant alpha, task after task."""
    steps = np.arange(1, settings.n_tasks + 1)
    by_alpha = 100 * np.cumsum(outcomes.by_alpha(settings), axis=1) / steps
    pool = 100 * np.cumsum(outcomes.pool_errors(settings)) / steps
    lines = [Line("AKLO Sum, each of the values of α", row, GREY, quiet=True) for row in by_alpha]
    lines.append(Line(outcomes.POOL, pool, STROKES[outcomes.POOL], bold=True))
    marks = []
    if showing.number is not None:
        below = int(showing.number)
        marks.append(Mark(_between(np.sort(by_alpha[:, -1]), below), f"your guess: {below} below"))
    won = outcomes.alphas_that_win(settings)
    marks.append(_outcome(pool[-1], f"{won} below"))
    top = axis_end(max(np.sort(by_alpha[:, 4:].max(axis=1))[-1], pool[4:].max()), limit=100)
    _reveal_over_tasks(
        settings, key, showing, "Wrong predictions so far",
        "The share of wrong predictions, averaged over the tasks so far. A grey line is AKLO Sum with one constant "
        "value of α. Your guess says how many of them end below One pool, and so marks where One pool would end.",
        lines, marks, (0, top),
        alt=f"One pool ends at {pool[-1]:.1f} %. {won} of {len(by_alpha)} values of alpha end below it.",
    )  # fmt: skip


def _between(ends: np.ndarray, below: int) -> float:
    """Return a height with so many of the sorted `ends` below it: half-way between two, or a little outside of all.

    >>> _between(np.array([4.0, 5.0, 7.0]), 1), _between(np.array([4.0, 5.0, 7.0]), 3)
    (4.5, 7.3)
    """
    edge = 0.1 * (ends[-1] - ends[0])
    padded = np.concatenate([[ends[0] - 2 * edge], ends, [ends[-1] + 2 * edge]])
    return float((padded[below] + padded[below + 1]) / 2)


# ------------------------------------------------------------------------------------------------------------- tables

# Kind of answer -> the picture of the answer, which plays as soon as it is shown
PICTURES: dict[str, Callable[[Settings, str, Showing], None]] = {
    "mistakes in the task": play_task,
    "errors over the stream": errors_after_each_task,
    "tasks that it hurts": hurt_tasks,
    "steps to find friends": weight_of_friends,
    "best method": errors_after_each_task,
    "best schedule": errors_of_schedules,
    "mistakes against a promise": play_case,
    "regret at the end": regret_to_the_end,
    "values of alpha that win": pool_against_alphas,
}
# Kind of answer -> what is seen before the question, where a guess needs it
BEFORE: dict[str, Callable[[Lesson, str], None]] = {
    "mistakes in the task": first_examples,
    "errors over the stream": two_groups,
    "best schedule": schedule_curves,
    "regret at the end": regret_at_first,
    "values of alpha that win": error_by_alpha,
}
