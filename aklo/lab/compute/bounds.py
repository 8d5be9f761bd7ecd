"""Bounds on the settings' task and on counter-examples, and their regret terms against N."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pandas as pd

import aklo
from aklo.lab.compute import runs
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import bound_number
from aklo.theory.bounds import largest_norm

VOICES = {"alpha as set": None, "alpha ≡ 1": "constant:value=1", "alpha ≡ 0": "constant:value=0"}


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


def voices(settings: Settings) -> dict[str, aklo.Bound]:
    """Return the bound on the same task for the settings' alpha, for alpha = 1 and for alpha = 0."""
    result = {}
    for name, alpha in VOICES.items():
        changed = settings if alpha is None else dataclasses.replace(settings, alpha=alpha)
        result[name] = bound(changed, replay(changed))
    return result


def price(settings: Settings, replay: aklo.Replay) -> pd.DataFrame:
    """Return the bounds without the losses of the best expert and classifier, against N."""
    lengths = np.unique(np.geomspace(2, 10_000, 40).round().astype(int)).tolist()
    return aklo.price_of_not_knowing(
        settings.schedule, lengths, n_experts=len(replay.experts), X=largest_norm(replay.X), R=settings.radius
    )


def case(settings: Settings) -> aklo.Case:
    """Return the chosen counter-example."""
    if settings.case == "A loud liar":
        return aklo.clip_after_sum(B=10.0**settings.loudness, N=settings.liar_n, clip=settings.liar_clip)
    return aklo.CASES[settings.case]()


def liars(settings: Settings) -> dict[str, int]:
    """Return the mistakes on the counter-example "A loud liar" for each value of `clip`."""
    tasks = {clip: aklo.clip_after_sum(10.0**settings.loudness, settings.liar_n, clip) for clip in aklo.CLIPS}
    return {clip: int(task.replay().errors["AKLO Sum"].sum()) for clip, task in tasks.items()}


@cache
def all_cases() -> pd.DataFrame:
    """Return a table of all counter-examples: mistakes and bound of the printed and of the mended rule."""
    rows = {}
    for make in aklo.CASES.values():
        found = make()
        run = found.replay()
        printed, mended = found.bound(run), aklo.mend(run, R=found.R, X=found.X_max).bound
        rows[found.title] = {
            "Broken": printed.name,
            "Printed": f"{printed.mistakes[-1]} / {bound_number(printed.total)}",
            "Mended": f"{mended.mistakes[-1]} / {bound_number(mended.total)}",
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("Counter-example")
