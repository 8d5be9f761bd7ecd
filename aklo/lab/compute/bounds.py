"""Bounds on the settings' task and on counterexamples, under a reading of the paper, and against N."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import runs
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import bound_number
from aklo.theory.bounds import largest_norm
from aklo.theory.readings import Reading, count_mistakes

ALPHAS = {"alpha as set": None, "alpha ≡ 1": "constant:value=1", "alpha ≡ 0": "constant:value=0"}
LENGTHS = (100, 200, 500, 1000, 2000, 3500, 5000, 7500, 10_000, 15_000, 20_000, 25_000, 30_000)  # of the last stretch


def replay(settings: Settings) -> aklo.Replay:
    """Return the replay of the settings' task, with the settings' lambda or the statement's."""
    if settings.stated_rate:
        settings = dataclasses.replace(settings, lam=wanted_lambda(settings))
    return runs.replay(settings)


def wanted_lambda(settings: Settings) -> float:
    """Return the statement's lambda for the settings' task and R."""
    s = settings
    task = runs.stream(s)[s.task]
    X = largest_norm(task.X)
    if s.statement == "Theorem 2":
        return (X + s.radius) / s.radius
    return aklo.stated_lambda(len(task.y), X=X, R=s.radius)


def bound(settings: Settings, replay: aklo.Replay) -> aklo.Bound:
    """Return the bound of the chosen statement on a replay."""
    R = settings.radius
    if settings.statement == "Theorem 2":
        return aklo.theorem2(replay, R=R)
    if settings.statement == "Corollary 1":
        return aklo.corollary1(replay, R=R, gamma=settings.gamma)
    if settings.statement == "Corollary 2":
        return aklo.corollary2(replay, R=R, delta=settings.delta)
    return aklo.theorem1(replay, R=R)


def by_alpha(settings: Settings) -> dict[str, aklo.Bound]:
    """Return the bound on the same task for the settings' alpha, for alpha = 1 and for alpha = 0."""
    result = {}
    for name, alpha in ALPHAS.items():
        changed = settings if alpha is None else dataclasses.replace(settings, alpha=alpha)
        result[name] = bound(changed, replay(changed))
    return result


def price(settings: Settings, replay: aklo.Replay) -> pd.DataFrame:
    """Return the bounds without the losses of the best expert and classifier, against N."""
    lengths = np.unique(np.geomspace(2, 10_000, 40).round().astype(int)).tolist()
    return aklo.price_of_not_knowing(
        settings.schedule, lengths, n_experts=len(replay.experts), X=largest_norm(replay.X), R=settings.radius
    )


def price_near(prices: pd.DataFrame, n: int) -> pd.Series:
    """Return the row of `price` for the number of examples that is nearest to n; its name is that number."""
    return prices.iloc[np.abs(prices.index - n).argmin()]


def printed(settings: Settings, replay: aklo.Replay) -> list[aklo.Bound]:
    """Return the paper's bounds on a replay of the settings' task, those that are about its horizon."""
    R = settings.radius
    if settings.horizon == "unknown":
        return [aklo.theorem2(replay, R=R)]
    return [
        aklo.theorem1(replay, R=R),
        aklo.corollary1(replay, R=R, gamma=settings.gamma),
        aklo.corollary2(replay, R=R, delta=settings.delta),
    ]


# ------------------------------------------------------------------------------------------------- counterexamples


@dataclass(frozen=True)
class Judgement:
    """The two numbers of a counterexample under a reading: mistakes, and the most that the statement allows."""

    mistakes: float
    total: float
    broken: bool

    @classmethod
    def of(cls, case: aklo.Case, reading: Reading) -> Judgement:
        replay = case.replay(reading.clip)
        mistakes, bound = count_mistakes(replay, reading), case.bound(replay)
        return cls(mistakes, bound.total, bound.exceeded_by(mistakes))

    @property
    def numbers(self) -> str:
        """Both numbers, such as "59 / 39.5"."""
        return f"{self.mistakes:g} / {bound_number(self.total)}"


def reading(settings: Settings) -> Reading:
    """Return the reading of the paper that the settings choose for the counterexamples."""
    s = settings
    return Reading(clip=s.case_clip, zero=s.zero_sign, ties=s.ties, peek=s.peek)  # type: ignore[arg-type]


def case(settings: Settings) -> aklo.Case:
    """Return the chosen counterexample."""
    if settings.case == "A loud liar":
        return aklo.clip_after_sum(B=10.0**settings.loudness, N=settings.liar_n, clip=settings.case_clip)
    if settings.case == "The last stretch":
        return aklo.last_stretch(settings.stretch_n)
    return aklo.CASES[settings.case]()


def judged(settings: Settings) -> dict[str, Judgement]:
    """Return the two numbers of every counterexample under the settings' reading."""
    chosen, found = reading(settings), case(settings)
    return {
        name: Judgement.of(found, chosen) if name == settings.case else _judged(name, chosen) for name in aklo.CASES
    }


@cache
def _judged(name: str, reading: Reading) -> Judgement:
    return Judgement.of(aklo.CASES[name](), reading)


def counterexamples(settings: Settings) -> pd.DataFrame:
    """Return a table of all counterexamples: the statement, both numbers under the reading, and what each survives."""
    rows = {}
    for name, judgement in judged(settings).items():
        fails = aklo.CASES[name]().fails
        rows[name] = {
            "Statement": aklo.CASES[name]().statement,
            "Mistakes / bound": judgement.numbers,
            "Broken": "yes" if judgement.broken else "no",
            "Survives readings": "all" if not fails else f"all but {', '.join(fails)}",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Counterexample")


@cache
def stretches(reading: Reading) -> pd.DataFrame:
    """Return mistakes and bound of the last stretch for several N, under a reading."""
    mistakes = [aklo.last_stretch(N).mistakes(reading) for N in LENGTHS]
    return pd.DataFrame({"mistakes": mistakes, "bound": _stretch_totals()}, index=pd.Index(LENGTHS, name="N"))


@cache
def _stretch_totals() -> list[float]:
    """Return the bounds of the last stretch, which are the same under all readings."""
    return [aklo.last_stretch(N).bound().total for N in LENGTHS]


def liars(settings: Settings) -> dict[str, int]:
    """Return the mistakes on the counterexample "A loud liar" for each value of `clip`."""
    tasks = {clip: aklo.clip_after_sum(10.0**settings.loudness, settings.liar_n, clip) for clip in aklo.CLIPS}
    return {clip: int(task.replay().errors["AKLO Sum"].sum()) for clip, task in tasks.items()}


@cache
def all_cases() -> pd.DataFrame:
    """Return a table of all counterexamples: mistakes and bound of the printed rule, the mended one and One pool."""
    rows = {}
    for make in aklo.CASES.values():
        found = make()
        run = found.replay()
        three = [found.bound(run), aklo.mend(run, R=found.R, X=found.X_max).bound, aklo.pool_bound(run)]
        pairs = [f"{bound.mistakes[-1]} / {bound_number(bound.total)}" for bound in three]
        rows[found.title] = dict(zip(("Printed", "Mended", "One pool"), pairs, strict=True))
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Counterexample")
