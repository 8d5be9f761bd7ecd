"""What the browser needs to mix: everything of a learned stream that does not depend on alpha, clip or horizon.

`components/shared/mix.js` computes from it the weights, predictions and mistakes for any alpha. Numbers go as doubles,
so that the browser finds the same mistakes as `aklo.mix`. The experts' scores are sent, or examples and experts,
whichever is shorter: in the plane the browser computes the scores from them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

import aklo
from aklo import knowledge
from aklo.lab.compute import runs
from aklo.lab.compute.block import write_block
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.learned import draws

MOST_PAIRS = 4_500_000  # pairs (example, expert) that a browser mixes 20 times a second: 200 tasks of 200 examples
MOST_BYTES = 4_000_000  # of the largest block


def whole_stream(settings: Settings) -> bytes | None:
    """Return the block of the settings' whole stream, or None if the stream is too large to be mixed in a browser."""
    return _whole_stream(StreamSpec.of(settings), settings.seed, settings.lam)


def too_large(settings: Settings) -> str:
    """Return a sentence on a stream that is too large, and on what is done instead."""
    found = runs.learned(settings)
    return (
        f"This stream has {int(found.lengths @ found.n_experts):,} pairs of an example and an expert, more than a "
        f"browser can mix while you drag ({MOST_PAIRS:,}, or {MOST_BYTES / 1e6:.0f} MB): the task follows at once, the "
        "whole stream when you let go."
    )


def one_task(settings: Settings) -> bytes:
    """Return the block of the settings' task alone: at most 1.6 MB, for 200 experts on 1000 examples."""
    found = runs.learned(settings)
    task = min(settings.task, len(found.stream) - 1)
    return pack(found, draws(settings.seed, len(found.y)), [task])


@cached(max_entries=24, max_bytes=24 * 2**20, size=lambda block: len(block or b""))
def _whole_stream(spec: StreamSpec, seed: int, lam: float) -> bytes | None:
    found = runs.learned_from(spec, seed, lam)
    pairs = int(found.lengths @ found.n_experts)
    if pairs > MOST_PAIRS:
        return None
    shorter = min(pairs, found.stream.d * (len(found.y) + len(found.stream)))
    if 8 * (shorter + 4 * len(found.y)) > MOST_BYTES:
        return None
    return pack(found, draws(seed, len(found.y)), range(len(found.stream)))


def pack(learned: aklo.LearnedStream, u: np.ndarray, tasks: Sequence[int]) -> bytes:
    """Return the block of some tasks of a learned stream. u: (2, n), the draws of the whole stream."""
    stream, experts, at = learned.stream, learned.experts[0], learned.offsets
    rows = np.concatenate([np.arange(at[k], at[k + 1]) for k in tasks])
    return write_tasks(
        [stream.parts[k] for k in tasks],
        [experts[:k] for k in tasks],
        y=learned.y[rows],
        own=learned.score[rows],
        joint=learned.joint_score[rows],
        u=u[:, rows],
    )


def write_tasks(
    parts: Sequence[aklo.tasks.Features],
    experts: Sequence[np.ndarray],
    *,
    y: np.ndarray,
    own: np.ndarray,
    joint: np.ndarray,
    u: np.ndarray,
) -> bytes:
    """Return tasks as one block.

    Parameters
    ----------
    parts
        The examples of each task, (N, d).
    experts
        The experts of each task, (T, d). Those of a task begin with those of every task that has fewer.
    y, own, joint
        (n,), of all tasks joined: labels, the scores of the tasks' own learners, and TOL's scores.
    u
        (2, n), the draws.
    """
    most = max(experts, key=len)
    lengths, n_experts, d = [part.shape[0] for part in parts], [len(one) for one in experts], most.shape[1]
    arrays = {"y": y.astype(np.int8), "own": own, "joint": joint, "u": u}
    if sum(n * T for n, T in zip(lengths, n_experts, strict=True)) <= d * (len(y) + len(most)):
        arrays["S"] = np.concatenate([_scores(X, W).ravel() for X, W in zip(parts, experts, strict=True)])
    else:
        arrays["X"] = np.concatenate([X.toarray() if sp.issparse(X) else X for X in parts])
        arrays["W"] = most
    return write_block({"lengths": lengths, "nExperts": n_experts, "d": d}, arrays)


def _scores(X: aklo.tasks.Features, W: np.ndarray) -> np.ndarray:
    out = np.empty((X.shape[0], len(W)))
    knowledge.scores(X, W, out)
    return out
