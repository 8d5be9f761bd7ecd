"""What is repeated: a stream to shuffle, a generator of streams, or given streams; and the seeds of repetitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from aklo.readers.collection import Collection
from aklo.tasks import TaskStream
from aklo.wording import count

# A stream to shuffle, a function of `seed=` that makes a stream, or the streams of the repetitions.
Source = TaskStream | Callable[..., TaskStream] | Sequence[TaskStream]


def what_varies(source: Source) -> str:
    """Return a sentence on what the repetitions of a source, and so the intervals from them, cover.

    >>> what_varies(TaskStream.of([([[1.0]], [1])]))
    'Repetitions shuffle the order of the tasks and examples: ± covers the order alone, not other data.'
    """
    if isinstance(source, TaskStream):
        return "Repetitions shuffle the order of the tasks and examples: ± covers the order alone, not other data."
    if not callable(source):
        return "Repetitions are the given streams: ± covers what differs between them."
    if isinstance(getattr(getattr(source, "func", source), "__self__", None), Collection):
        return "Repetitions draw from one file: ± covers the draw and the order, not other data."
    return "Repetitions draw new data: ± covers other data of the same kind."


def checked_source(source: Any) -> Source:
    """Return a source, several streams as a tuple; ValueError if it is none."""
    if isinstance(source, TaskStream) or callable(source):
        return source
    streams = tuple(source) if isinstance(source, Iterable) else (source,)
    other = [one for one in streams if not isinstance(one, TaskStream)]
    if other or not streams:
        what = f"a {type(other[0]).__name__}" if other else "empty"
        raise ValueError(
            f"The source is or has {what}, where a stream, several streams, or a function that takes seed= and returns "
            "a stream, such as aklo.syn1, is needed."
        )
    return streams


def checked_repetitions(source: Source, n: int) -> Source:
    """Return a checked source; ValueError if it is fewer than n streams, or streams of different numbers of tasks."""
    source = checked_source(source)
    if isinstance(source, TaskStream) or callable(source):
        return source
    if len(source) < n:
        raise ValueError(f"{count(n, 'repetition')} were asked for, where {count(len(source), 'stream')} are given.")
    for i, stream in enumerate(source):
        if len(stream) != len(source[0]):
            raise ValueError(f"Stream {i} has {count(len(stream), 'task')}, where stream 0 has {len(source[0])}.")
    return source


def child(seed: int, number: int) -> np.random.SeedSequence:
    """Return the seed sequence of repetition `number`."""
    return np.random.SeedSequence(seed, spawn_key=(number,))


def one_repetition(source: Source, child: np.random.SeedSequence) -> TaskStream:
    """Return the stream of one repetition: the source shuffled, a new stream from a generator, or a given stream."""
    seed = int(child.generate_state(2)[0])
    if isinstance(source, TaskStream):
        return source.shuffled(np.random.default_rng(seed))
    return generated(source, seed) if callable(source) else source[child.spawn_key[-1]]


def generated(make: Callable[..., TaskStream], seed: int) -> TaskStream:
    """Return the stream of a generator; ValueError if it makes something else."""
    stream = make(seed=seed)
    if not isinstance(stream, TaskStream):
        raise ValueError(f"The source returned a {type(stream).__name__}, where a TaskStream is needed.")
    return stream


def seed_of_draws(child: np.random.SeedSequence) -> int:
    """Return the seed of the sampling methods' draws in one repetition."""
    return int(child.generate_state(2)[1])
