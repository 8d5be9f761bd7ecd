"""What the core computes for given settings, kept for everybody who asks the same.

A result depends on the settings alone, so visitors may share it; but what is made from a visitor's own tasks stays in
that visitor's session. Each function takes only what it depends on: moving alpha mixes again but never learns
again. The caches are bounded, those of what is large in bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

import streamlit as st

import aklo
from aklo.datasets import GENERATORS
from aklo.experiment import draws
from aklo.lab.server import worker_tasks
from aklo.lab.server.cache import Shelf
from aklo.lab.session import uploads
from aklo.lab.settings.schema import OWN, Settings

Spec = str  # a generator and its keywords as JSON: one short text is the quickest key for a cache

SLOW = 1_000_000  # numbers in a stream: to learn from fewer takes some hundredths of a second


def spec(settings: Settings) -> Spec:
    """All that the stream depends on, but the seed: the dataset and the keywords of its generator."""
    s = settings
    words: dict[str, object] = {"dataset": s.dataset, "n_tasks": s.n_tasks, "n_examples": s.n_examples}
    if s.dataset == OWN:
        words["upload"] = uploads.mine().number
    elif s.dataset != "digits":
        words |= {"share": s.share, "order": s.order, "spread": s.spread, "sd": s.sd}
        mean, vector = (s.mean1_x, s.mean1_y), (s.vector1_x, s.vector1_y)
        if s.dataset == "syn1":
            words |= {"mean1": mean, "vector1": vector}
            words |= {"mean2": (s.mean2_x, s.mean2_y), "vector2": (s.vector2_x, s.vector2_y)}
        else:
            words |= {"mean": mean, "vector": vector}
        if s.dataset == "conflict":
            words["angle"] = s.angle
    return json.dumps(words)


def generator(spec: Spec) -> Callable[..., aklo.TaskStream]:
    """The generator that a spec means; it takes `seed=`."""
    words = json.loads(spec)
    if words["dataset"] == OWN:
        return partial(uploads.mine().stream, words["n_tasks"], words["n_examples"])
    return partial(GENERATORS[words.pop("dataset")], **words)


def stream(settings: Settings) -> aklo.TaskStream:
    return _stream(spec(settings), settings.seed)


def group_names(settings: Settings) -> tuple[str, ...]:
    """What the groups of tasks are called."""
    if settings.dataset == OWN:
        return uploads.mine().group_names
    if settings.dataset == "digits":
        return tuple(f"+1 is {digit}" for digit in range(10))
    return ("D1", "D2")


def learned(settings: Settings) -> aklo.LearnedStream:
    return _learned(spec(settings), settings.seed, settings.lam)


Key = tuple[Spec, int, float, str, aklo.Clip, aklo.Horizon]


def key(settings: Settings) -> Key:
    """All that a run depends on."""
    s = settings
    return (spec(s), s.seed, s.lam, s.alpha, s.clip, s.horizon)


def run(settings: Settings) -> aklo.Run:
    """The six methods on the settings' stream."""
    return _run(*key(settings))


def replay(settings: Settings) -> aklo.Replay:
    """The settings' task, mixed by itself: who looks at one need not wait for all."""
    s, found = settings, learned(settings)
    return found.replay(
        min(s.task, s.n_tasks - 1), alpha=s.schedule, clip=s.clip, horizon=s.horizon, u=draws(s.seed, len(found.y))
    )


@uploads.shared_unless_own(max_entries=32)
def _stream(spec: Spec, seed: int) -> aklo.TaskStream:
    return generator(spec)(seed=seed)


# A learned stream that is evicted may still be held by a run: it lets go of what is large in it.
_LEARNED: Shelf[aklo.LearnedStream] = Shelf(
    96 * 2**20, size=lambda learned: learned.nbytes, let_go=aklo.LearnedStream.forget
)
_RUNS: Shelf[aklo.Run] = Shelf(32 * 2**20, size=lambda run: run.u.nbytes + run.wrong.nbytes + 2**15)


@uploads.shared_unless_own(max_entries=16, shelf=_LEARNED)
def _learned(spec: Spec, seed: int, lam: float) -> aklo.LearnedStream:
    stream = _stream(spec, seed)
    slow = stream.d * len(stream.y) > SLOW  # otherwise a spinner would be half of the work
    with st.spinner("Learning, one example at a time …") if slow else nullcontext():
        # Who looks at one task needs no more than this; the scores that a mix is made of come with the first.
        return aklo.learn(stream, lam=lam, budget=worker_tasks.BUDGET, ahead=False)


@uploads.shared_unless_own(max_entries=64, shelf=_RUNS)
def _run(spec: Spec, seed: int, lam: float, alpha: str, clip: aklo.Clip, horizon: aklo.Horizon) -> aklo.Run:
    schedule = aklo.Schedule.parse(alpha)
    return aklo.mix(_learned(spec, seed, lam), alpha=schedule, clip=clip, horizon=horizon, seed=seed)
