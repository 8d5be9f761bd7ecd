"""The numbers of the lessons: what happens with a lesson's settings, and the facts that its text can contain."""

from __future__ import annotations

import numpy as np

import aklo
from aklo.lab.compute import bounds, regrets, repetitions, runs, schedule_comparison
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import bound_number, percent
from aklo.wording import count

MOST_WEIGHT = 0.9  # share of the total weight; friends count as found when they have it
ALPHAS = tuple(i / 10 for i in range(11))  # the constant values of alpha that are tried
POOL, HALF_RATE = "One pool", "AKLO, rate 1/2"

Facts = dict[str, str]


def whole_percent(percentage: float | str) -> str:
    """Return a percentage without decimals, as text."""
    return f"{percentage:.0f}\N{NO-BREAK SPACE}%"


def _decimal(value: float) -> str:
    return f"{value:.1f}"


# ------------------------------------------------------------------------------------------------- one task, one method


def mistakes(settings: Settings) -> int:
    """Return the mistakes of the settings' method in the settings' task."""
    return int(runs.replay(settings).errors[settings.method].sum())


def task_facts(settings: Settings) -> Facts:
    wrong = runs.replay(settings).errors[settings.method]
    quarter = len(wrong) // 4
    return {
        "examples": count(len(wrong), "example"),
        "quarter": str(quarter),
        "early": count(int(wrong[:quarter].sum()), "mistake"),
        "late": count(int(wrong[len(wrong) - quarter :].sum()), "mistake"),
    }


# ---------------------------------------------------------------------------------------------------- the whole stream


def error_share(settings: Settings) -> int:
    """Return the percentage of wrong predictions of the settings' method, rounded."""
    return round(100 * runs.run(settings).ace[settings.method])


def stream_facts(settings: Settings) -> Facts:
    """Return the number of tasks, the ACE of each method, and how wrong the settings' method is early and late.

    "early" and "late" are its shares of wrong predictions in the first and in the last quarter of a task, averaged
    over the tasks.
    """
    run, quarter = runs.run(settings), settings.n_examples // 4
    wrong = np.stack(run.errors[settings.method])
    shares = {"early": wrong[:, :quarter].mean(), "late": wrong[:, settings.n_examples - quarter :].mean()}
    return {
        "tasks": count(settings.n_tasks, "task"),
        "quarter": count(quarter, "example"),
        **{method: percent(run.ace[method]) for method in aklo.METHODS},
        **{name: whole_percent(100 * share) for name, share in shares.items()},
    }


def gains(settings: Settings) -> np.ndarray:
    """Return (T,), the gain of the settings' method over ITOL in each task, in percentage points."""
    run = runs.run(settings)
    return 100 * aklo.gains(run.task_errors)[run.methods.index(settings.method)]


def hurt(settings: Settings) -> int:
    """Return the number of tasks in which the settings' method makes more mistakes than ITOL."""
    return int((gains(settings) < 0).sum())


def hurt_facts(settings: Settings) -> Facts:
    return stream_facts(settings) | {"able": count(settings.n_tasks - 1, "task")}


# ------------------------------------------------------------------------------------------------------------- weights


def steps_to_find_friends(settings: Settings) -> int:
    """Return the number of examples before friends have most of the weight; n_examples if they never have."""
    mean = aklo.friends(runs.run(settings)).mean
    found = np.flatnonzero(mean >= MOST_WEIGHT)
    return int(found[0]) if len(found) else settings.n_examples


def friend_facts(settings: Settings) -> Facts:
    found = aklo.friends(runs.run(settings))
    shares = {"alike": found.uniform_mean, "first": found.mean[0], "last": found.mean[-1]}
    return stream_facts(settings) | {name: whole_percent(100 * share) for name, share in shares.items()}


# ----------------------------------------------------------------------------------------------- schedules and methods


def best_method(settings: Settings) -> str:
    """Return the method with the least ACE."""
    return str(runs.run(settings).ace.idxmin())


def by_schedule(settings: Settings) -> aklo.Repeats:
    """Return the errors of the settings' method under each kept schedule, in the settings' repetitions.

    In a repetition all schedules see the same data, so that their differences are paired. The "methods" are letters.
    """
    errors = []
    for spec in settings.kept_schedules:
        of = settings.change(alpha=spec)
        repetitions.compute(of)
        found = repetitions.found(of)
        assert found is not None  # `check` asks for two repetitions or more
        errors.append(found.task_errors[:, found.methods.index(settings.method)])
    return aklo.Repeats(np.stack(errors, axis=1), tuple(schedule_comparison.LETTERS[: len(errors)]))


def best_schedule(settings: Settings) -> str:
    """Return the kept schedule with the least mean error over the repetitions."""
    return settings.kept_schedules[int(by_schedule(settings).moments[0].argmin())]


def schedule_facts(settings: Settings) -> Facts:
    """Return the mean error of each schedule, and by how much the best is ahead of the next, each ± a 95 % interval."""
    found = by_schedule(settings)
    order = np.argsort(found.moments[0])
    lead, low, _ = (values[order[1]] for values in found.gaps(found.methods[order[0]]))
    return {
        "repetitions": str(len(found.shares)),
        "best": found.methods[order[0]],
        "next": found.methods[order[1]],
        "lead": f"{100 * lead:.1f} ± {100 * (lead - low):.1f}",
        **{letter: percent(mean) for letter, mean in zip(found.methods, found.moments[0], strict=True)},
    }


# ------------------------------------------------------------------------------------------------------------- regret


def final_regret(settings: Settings) -> int:
    """Return the settings' method's mean regret at the end of a task, rounded."""
    return round(float(regrets.mean_in_a_task(settings).curves[settings.method][-1]))


def regret_facts(settings: Settings) -> Facts:
    found, quarter = regrets.mean_in_a_task(settings), settings.n_examples // 4
    mine, other = found.curves[settings.method], found.curves["Unif Sum"]
    return {
        "tasks": count(found.n_tasks, "task"),
        "examples": count(settings.n_examples, "example"),
        "quarter": str(quarter),
        "best": _decimal(found.best),
        "early": _decimal(mine[quarter - 1]),
        "late": _decimal(mine[-1]),
        "Unif early": _decimal(other[quarter - 1]),
        "Unif late": _decimal(other[-1]),
    }


# ---------------------------------------------------------------------------------------------------- alpha, or a pool


def by_alpha(settings: Settings, method: str = "AKLO Sum") -> np.ndarray:
    """Return (11, T), a method's error in each task, for each constant value of alpha in ALPHAS."""
    of = settings.change(challengers=(POOL, HALF_RATE))
    found = [runs.run(of.change(alpha=f"constant:value={alpha:g}")) for alpha in ALPHAS]
    return np.stack([run.task_errors[run.methods.index(method)] for run in found])


def pool_errors(settings: Settings) -> np.ndarray:
    """Return (T,), One pool's error in each task. It has no schedule."""
    run = runs.run(settings.change(challengers=(POOL, HALF_RATE), alpha=f"constant:value={ALPHAS[0]:g}"))
    return run.task_errors[run.methods.index(POOL)]


def alphas_that_win(settings: Settings) -> int:
    """Return how many of the values of alpha make AKLO Sum better than One pool."""
    return int((by_alpha(settings).mean(axis=1) < pool_errors(settings).mean()).sum())


def alpha_facts(settings: Settings) -> Facts:
    errors = by_alpha(settings).mean(axis=1)
    return {
        "values": str(len(ALPHAS)),
        "pool": percent(pool_errors(settings).mean()),
        "best": percent(errors.min()),
        "best alpha": f"{ALPHAS[int(errors.argmin())]:g}",
        "experts": percent(errors[-1]),
        "learner": percent(errors[0]),
        "rate": percent(by_alpha(settings, HALF_RATE).mean(axis=1).min()),
    }


# ---------------------------------------------------------------------------------------------------------- the promise


def mistakes_of_case(settings: Settings) -> int:
    """Return AKLO Sum's mistakes on the settings' counterexample."""
    return int(bounds.case(settings).replay().errors["AKLO Sum"].sum())


def promise_facts(settings: Settings) -> Facts:
    case = bounds.case(settings)
    return {
        "promise": bound_number(case.bound().total),
        "statement": case.statement,
        "examples": count(len(case.y), "example"),
        "loudness": f"{10**settings.loudness:,}",
    }
