"""The outcomes that a lesson can ask for, each computed from the lesson's settings, and their pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

import aklo
from aklo.lab.charts import alpha as alpha_figures
from aklo.lab.charts import compare as compare_figures
from aklo.lab.charts import transfer as transfer_figures
from aklo.lab.components.player import PlayerView, player, task_player
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import bounds, runs, schedule_comparison
from aklo.lab.content.lessons import Lesson
from aklo.lab.content.ranking import listed
from aklo.lab.settings.schema import OWN, Settings
from aklo.lab.settings.text import bound_number, percent, schedule_title
from aklo.wording import count

MOST_WEIGHT = 0.9  # share of the total weight; friends count as found when they have it

Guess = int | str


@dataclass(frozen=True)
class Answer:
    """One kind of outcome: a whole number from 0 to high(settings), or one of choices(settings), value -> label.

    Attributes
    ----------
    outcome : computes the number or the value.
    say : returns it as text.
    names : the names of the facts.
    facts : computes further values that a lesson's text can contain, as text.
    draw : draws the picture, given the settings and a key.
    high, choices : the range of the outcome; one of them is given.
    """

    outcome: Callable[[Settings], Guess]
    say: Callable[[Guess, Settings], str]
    names: tuple[str, ...]
    facts: Callable[[Settings], dict[str, str]]
    draw: Callable[[Settings, str], None]
    high: Callable[[Settings], int] | None = None
    choices: Callable[[Settings], dict[str, str]] | None = None


def facts(lesson: Lesson) -> dict[str, str]:
    """Return all values that the lesson's text can contain, by name, as text."""
    answer, settings, beside = ANSWERS[lesson.answer], lesson.settings, lesson.beside
    found = answer.facts(settings) | {"outcome": answer.say(answer.outcome(settings), settings)}
    if beside is not None:
        found["beside"] = answer.say(answer.outcome(beside), beside)
    return found


def check(lesson: Lesson) -> None:
    """Check that the lesson can be shown, without computing it; ValueError says why not."""
    if lesson.answer not in ANSWERS:
        raise ValueError(f"{lesson.name}: {lesson.answer!r} is not an answer; choose from: {', '.join(ANSWERS)}.")
    if OWN in (lesson.settings.dataset, lesson.beside and lesson.beside.dataset):
        raise ValueError(f"{lesson.name}: a lesson cannot be about tasks that a visitor brings.")
    known = [*ANSWERS[lesson.answer].names, "outcome", *(["beside"] if lesson.beside else [])]
    unknown = sorted(set().union(*lesson.places.values()) - set(known))
    if unknown:
        raise ValueError(f"{lesson.name}: {{{{{unknown[0]}}}}} is not computed here; there are {', '.join(known)}.")
    if lesson.answer == "best schedule" and len(lesson.settings.kept_schedules) < 2:
        raise ValueError(f"{lesson.name}: give two schedules or more to choose from, as k=… in the settings.")


def difference(guess: Guess, outcome: Guess) -> str:
    """Return a sentence on the difference between a guess and the outcome."""
    if guess == outcome:
        return "You had it exactly."
    if isinstance(guess, str) or isinstance(outcome, str):
        return "It went another way."
    return f"Your guess was {abs(guess - outcome)} too {'high' if guess > outcome else 'low'}."


# ------------------------------------------------------------------------------------------------- one task, one method


def _mistakes(settings: Settings) -> int:
    return int(runs.replay(settings).errors[settings.method].sum())


def _task_facts(settings: Settings) -> dict[str, str]:
    wrong = runs.replay(settings).errors[settings.method]
    quarter = len(wrong) // 4
    return {
        "examples": count(len(wrong), "example"),
        "quarter": str(quarter),
        "early": count(int(wrong[:quarter].sum()), "mistake"),
        "late": count(int(wrong[len(wrong) - quarter :].sum()), "mistake"),
    }


def _play(settings: Settings, key: str) -> None:
    task_player(settings, key=key, view=PlayerView(method=settings.method), small=settings.task == 0, autoplay=True)


# ---------------------------------------------------------------------------------------------------- the whole stream


def _share(settings: Settings) -> int:
    return round(100 * runs.run(settings).ace[settings.method])


def _stream_facts(settings: Settings) -> dict[str, str]:
    ace = runs.run(settings).ace
    return {"tasks": count(settings.n_tasks, "task")} | {method: percent(ace[method]) for method in aklo.METHODS}


def _after_each_task(settings: Settings, key: str) -> None:
    run = runs.run(settings)
    show(
        compare_figures.ace_after(aklo.Repeats(run.task_errors[None])),
        key,
        f"Average error after {count(settings.n_tasks, 'task')}: {listed(run.ace, '.1%')}.",
    )
    st.caption("The share of wrong predictions of the six methods, averaged over the tasks so far: lower is better.")


def _hurt(settings: Settings) -> int:
    gains = aklo.gains(runs.run(settings).task_errors)
    return int((gains[aklo.METHODS.index(settings.method)] < 0).sum())


def _bars(settings: Settings, key: str) -> None:
    run, method = runs.run(settings), settings.method
    show(
        transfer_figures.bars(runs.stream(settings), run, method, runs.group_names(settings), height=380),
        key,
        f"Gain of {method} over ITOL in each of {count(settings.n_tasks, 'task')}; it is below zero in "
        f"{_hurt(settings)}.",
    )
    st.caption(
        f"One bar a task: how many more of its predictions, in points, {method} gets right than ITOL. Below zero it "
        "gets fewer right: it has been hurt. Colour and pattern tell the task's group."
    )


def _steps(settings: Settings) -> int:
    """Return the number of examples before friends have most of the weight; n_examples if they never have."""
    mean = aklo.friends(runs.run(settings)).mean
    found = np.flatnonzero(mean >= MOST_WEIGHT)
    return int(found[0]) if len(found) else settings.n_examples


def _friend_facts(settings: Settings) -> dict[str, str]:
    found = aklo.friends(runs.run(settings))
    shares = {"alike": found.uniform_mean, "first": found.mean[0], "last": found.mean[-1]}
    return _stream_facts(settings) | {name: _whole(100 * share) for name, share in shares.items()}


def _weight(settings: Settings, key: str) -> None:
    found = aklo.friends(runs.run(settings))
    show(
        transfer_figures.weight(found, height=400),
        key,
        f"AKLO's weight on experts of the task's own group: {found.mean[0]:.0%} at the first step, {MOST_WEIGHT:.0%} "
        f"or more after {count(_steps(settings), 'example')}, {found.mean[-1]:.0%} at the last.",
    )
    st.caption(
        "How AKLO's weight is split between friends (experts of the task's own group) and strangers, averaged over the "
        "tasks that had both; the band holds the middle four fifths of these tasks."
    )


# ------------------------------------------------------------------------------------------------------------- choices


def _best_method(settings: Settings) -> str:
    return str(runs.run(settings).ace.idxmin())


def _schedules(settings: Settings) -> dict[str, str]:
    lettered = zip(schedule_comparison.LETTERS, settings.kept_schedules, strict=False)
    return {spec: f"{letter} · {schedule_title(aklo.Schedule.parse(spec))}" for letter, spec in lettered}


def _by_schedule(settings: Settings) -> dict[str, float]:
    """Return the ACE of the settings' method under each schedule."""
    aces = {spec: runs.run(settings.change(alpha=spec)).ace for spec in settings.kept_schedules}
    return {spec: float(ace[settings.method]) for spec, ace in aces.items()}


def _best_schedule(settings: Settings) -> str:
    found = _by_schedule(settings)
    return min(found, key=found.__getitem__)


def _schedule_facts(settings: Settings) -> dict[str, str]:
    found = _by_schedule(settings)
    letters = zip(schedule_comparison.LETTERS, found.values(), strict=False)
    return {"best": percent(min(found.values())), "ITOL": percent(runs.run(settings).ace["ITOL"])} | {
        letter: percent(value) for letter, value in letters
    }


def _compare(settings: Settings, key: str) -> None:
    settings = settings.change(alpha=settings.kept_schedules[0])  # one of the list, so that no other is added
    entries, method = schedule_comparison.compare(settings), settings.method
    left, right = st.columns(2, gap="medium")
    with left:
        names = "; ".join(entry.name for entry in entries)
        show(alpha_figures.curves(entries, settings.n_examples), f"{key}_curves", f"Alpha over the task for {names}.")
        st.caption(f"Alpha at each step. {names}.")
    with right:
        shares = "; ".join(f"{entry.mark} {percent(entry.ace[method])}" for entry in entries)
        show(alpha_figures.ace(entries), f"{key}_ace", f"Average error of {method} over the stream: {shares}.")
        st.caption(f"Wrong over the whole stream; look at {method}, the round mark. The dotted line is ITOL.")


# ---------------------------------------------------------------------------------------------------------- the promise


def _broken(settings: Settings) -> int:
    return int(bounds.case(settings).replay().errors["AKLO Sum"].sum())


def _promise_facts(settings: Settings) -> dict[str, str]:
    case = bounds.case(settings)
    return {
        "promise": bound_number(case.bound().total),
        "statement": case.statement,
        "examples": count(len(case.y), "example"),
        "loudness": f"{10**settings.loudness:,}",
    }


def _against_promise(settings: Settings, key: str) -> None:
    case = bounds.case(settings)
    replay = case.replay()
    bound = case.bound(replay)
    player(
        replay, key=key, title=f"{case.title}: {case.statement}", promise=bound.total, small=True, autoplay=True,
        names=[f"expert {i + 1}" for i in range(len(case.experts))],
    )  # fmt: skip
    st.caption("The red line in the race is what was promised. Press Play, or drag the time to the end.")


def _whole(percentage: float | str) -> str:
    return f"{percentage:.0f}\N{NO-BREAK SPACE}%"


def _in_mistakes(value: Guess, settings: Settings) -> str:
    return count(int(value), "mistake")


_STREAM = ("tasks", *aklo.METHODS)
ANSWERS: dict[str, Answer] = {
    "mistakes in the task": Answer(
        _mistakes, _in_mistakes, ("examples", "quarter", "early", "late"), _task_facts, _play,
        high=lambda settings: settings.n_examples,
    ),
    "errors over the stream": Answer(
        _share, lambda value, settings: _whole(value), _STREAM, _stream_facts, _after_each_task,
        high=lambda settings: 100,
    ),
    "tasks that it hurts": Answer(
        _hurt, lambda value, settings: count(int(value), "task"), _STREAM, _stream_facts, _bars,
        high=lambda settings: settings.n_tasks,
    ),
    "steps to find friends": Answer(
        _steps, lambda value, settings: count(int(value), "example"), (*_STREAM, "alike", "first", "last"),
        _friend_facts, _weight, high=lambda settings: settings.n_examples,
    ),
    "best method": Answer(
        _best_method, lambda value, settings: str(value), _STREAM, _stream_facts, _after_each_task,
        choices=lambda settings: {method: method for method in aklo.METHODS},
    ),
    "best schedule": Answer(
        _best_schedule, lambda value, settings: _schedules(settings).get(str(value), str(value)),
        ("best", "ITOL", *schedule_comparison.LETTERS), _schedule_facts, _compare, choices=_schedules,
    ),
    "mistakes against a promise": Answer(
        _broken, _in_mistakes, ("promise", "statement", "examples", "loudness"), _promise_facts, _against_promise,
        high=lambda settings: len(bounds.case(settings).y),
    ),
}  # fmt: skip
