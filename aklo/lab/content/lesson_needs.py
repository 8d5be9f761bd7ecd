"""What settings have to have so that the answer to a question can be computed, drawn and told.

A need is a function that returns a sentence on what the settings lack, or "" where they lack nothing. Each kind of
answer lists its own (`lesson_answers.ANSWERS`).
"""

from __future__ import annotations

from collections.abc import Callable

from aklo.lab.compute import runs
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import in_words, schedule_title
from aklo.schedules import Schedule

Need = Callable[[Settings], str]
FIRST = 5  # examples of a task that are shown before the guess at its mistakes


def first_lack(needs: tuple[Need, ...], settings: Settings) -> str:
    """Return a sentence on the first thing that settings lack, or ""."""
    return next(filter(None, (need(settings) for need in needs)), "")


def tasks(least: int, why: str) -> Need:
    """Need so many tasks. why: what fewer do not have."""

    def lack(settings: Settings) -> str:
        more = f"{why}; give {in_words(least)} tasks or more, as T=… in the settings."
        return "" if settings.n_tasks >= least else more

    return lack


def examples(least: int, why: str) -> Need:
    """Need so many examples in a task. why: what fewer do not have."""

    def lack(settings: Settings) -> str:
        more = f"{why}; give {in_words(least)} examples or more, as N=… in the settings."
        return "" if settings.n_examples >= least else more

    return lack


def two_schedules(settings: Settings) -> str:
    if len(settings.kept_schedules) >= 2:
        return ""
    return "give two schedules or more to choose from, as k=… in the settings."


def schedules_that_run(settings: Settings) -> str:
    waiting = [schedule for schedule in map(Schedule.parse, settings.kept_schedules) if settings.waits(schedule)]
    if not waiting:
        return ""
    return f"{schedule_title(waiting[0])} needs the number of examples N; leave out h=unknown, or that schedule."


def two_repetitions(settings: Settings) -> str:
    return "" if settings.repetitions >= 2 else "give two repetitions or more, as R=… in the settings."


def friends_and_strangers(settings: Settings) -> str:
    """Need a task whose experts are partly of its own group, and partly not."""
    groups = runs.stream(settings).task_groups
    if any(0 < groups[:k].count(groups[k]) < k for k in range(1, len(groups))):
        return ""
    return (
        "no task has experts of its own group and of another; give more tasks, as T=… in the settings, or a dataset "
        "with two groups."
    )


def plane(settings: Settings) -> str:
    if runs.stream(settings).d == 2:
        return ""
    return f"{settings.dataset} is not in the plane, where examples are drawn before the guess; give another dataset."
