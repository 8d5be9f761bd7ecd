"""How fast the core is, as ratios measured within one process: against the literal reference in tests/, and against
the floor (the bare matrix products, running sums and exponentials of the same shapes, nothing else).

Machines are shared and noisy, so seconds mean little: what is compared takes turns, and medians are divided. All of it
runs on one thread, the reference and the floor as well, and the clock is that thread's processor time, so that it does
not matter what else the machine does. The sparse row is measured with the machine's own number of
threads too: there the dense reference gains from a second one and the sparse walk does not, so the ratio is lower.

The limits beside the figures are for the full sizes. `--quick` has small ones: it takes seconds, and shows no limits.
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import click
import numpy as np
import psutil
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

import aklo
from aklo.experiment import mix_together
from aklo.learned import learn_together
from tests import reference

MB = 2**20


@dataclass(frozen=True)
class Size:
    """How much is measured, and how often."""

    rounds: int
    repetitions: int  # of syn1
    large: tuple[int, int]  # tasks and examples of the large stream
    features: int  # of the sparse stream
    growing: int  # tasks of the stream that is doubled
    limits: bool = True  # whether they are shown


FULL = Size(rounds=7, repetitions=10, large=(1000, 200), features=150_000, growing=250)
QUICK = Size(rounds=1, repetitions=3, large=(100, 100), features=5_000, growing=30, limits=False)


def take_turns(
    rounds: int, *works: Callable[[], object], clock: Callable[[], float] = time.process_time
) -> list[float]:
    """The median seconds of each work. They take turns, each for 0.1 s or once; the first turn is not counted."""
    seconds: list[list[float]] = [[] for _ in works]
    for i in range(rounds + 1):
        for work, measured in zip(works, seconds, strict=True):
            start, times = clock(), 0
            while times == 0 or clock() - start < 0.1:
                work()
                times += 1
            if i:
                measured.append((clock() - start) / times)
    return [statistics.median(measured) for measured in seconds]


def random_stream(n_tasks: int, n_examples: int, d: int, seed: int = 0) -> aklo.TaskStream:
    """Gaussian features, each task labelled by its own vector."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_tasks, n_examples, d))
    y = np.where(np.einsum("knd,kd->kn", X, rng.standard_normal((n_tasks, d))) >= 0, 1.0, -1.0)
    return aklo.TaskStream(X.reshape(-1, d), y.ravel(), np.arange(n_tasks + 1) * n_examples)


def sparse_stream(n_tasks: int, n_examples: int, d: int, nonzeros: int, seed: int = 0) -> aklo.TaskStream:
    """`nonzeros` of d features set in each row; labels by a dense vector for each task."""
    rng = np.random.default_rng(seed)
    n = n_tasks * n_examples
    columns = np.concatenate([np.sort(rng.choice(d, nonzeros, replace=False)) for _ in range(n)])
    X = sp.csr_array((rng.standard_normal(n * nonzeros), columns, np.arange(n + 1) * nonzeros), shape=(n, d))
    y = np.concatenate(
        [np.sign(X[k * n_examples : (k + 1) * n_examples] @ rng.standard_normal(d)) for k in range(n_tasks)]
    )
    return aklo.TaskStream(X, y, np.arange(n_tasks + 1) * n_examples)


def literal(stream: aklo.TaskStream, lam: float) -> object:
    """The reference on a stream, its features made dense beforehand by the caller's choice of stream."""
    return reference.run([(stream[k].X, stream[k].y) for k in range(len(stream))], lam, aklo.Linear().values)


def floor(stream: aklo.TaskStream, W: np.ndarray, *, by_rows: bool = False) -> None:
    """The products, running sums and exponentials that the six methods cannot do without, in arrays used again.

    by_rows: add row to row, which on these shapes is faster than numpy's own cumsum: a lower floor.
    """
    n, most = int(stream.lengths.max()), len(stream)
    memory, sums = np.empty(n * most), np.empty(n * most)
    exponents = np.random.default_rng(0).uniform(-20.0, 0.0, n * most)
    for k in range(1, len(stream)):
        S = memory[: n * k].reshape(n, k)
        np.matmul(stream[k].X, W[:k].T, out=S)
        if by_rows:
            for t in range(1, n):
                np.add(S[t - 1], S[t], out=S[t])
        else:
            np.cumsum(S, axis=0, out=sums[: n * k].reshape(n, k))
        np.exp(exponents[: n * k], out=memory[: n * k])


SEVEN = (*aklo.METHODS, "One pool")


def six(stream: aklo.TaskStream, lam: float = 1e-3) -> object:
    return aklo.run(stream, lam=lam)


def repetitions(streams: list[aklo.TaskStream], methods: Sequence[str]) -> object:
    learned = learn_together(streams, lam=1e-3, budget=0)
    return mix_together(learned, seeds=range(len(streams)), methods=methods)


def _peak(pipe, n_tasks: int, n_examples: int) -> None:
    """In a process of its own: the memory that the large stream's run takes above the process with its data."""
    stream = random_stream(n_tasks, n_examples, 50)
    before = psutil.Process().memory_info().rss
    six(stream)
    pipe.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before, stream.X.nbytes))


def peak_memory(n_tasks: int, n_examples: int) -> tuple[float, float]:
    """Bytes above the data at the peak, and the data's own."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_peak, args=(theirs, n_tasks, n_examples))
    child.start()
    answer = ours.recv()
    child.join()
    return answer


def line(work: str, measured: str, must: str = "", aim: str = "") -> None:
    click.echo(f"{work:<66}{measured:>16}  {must:>10}  {aim:>8}".rstrip())


@threadpool_limits.wrap(limits=1)
def main(size: Size = FULL) -> None:
    def limited(work: str, measured: str, must: str, aim: str = "") -> None:
        line(work, measured, *((must, aim) if size.limits else ()))

    limited("work", "measured", "must", "aim")
    _synthetic(size, limited)
    _large(size, limited)
    _sparse(size, limited)
    _growth(size, limited)


def _synthetic(size: Size, line: Callable[..., None]) -> None:
    streams = [aklo.syn1(seed=seed) for seed in range(size.repetitions)]
    learned = aklo.learn(streams[0], lam=1e-3)
    slow, many, mixed, many_seven, mixed_seven, many_all = take_turns(
        size.rounds,
        lambda: literal(streams[0], 1e-3),
        lambda: repetitions(streams, aklo.METHODS),
        lambda: aklo.mix(learned),
        lambda: repetitions(streams, SEVEN),
        lambda: aklo.mix(learned, methods=SEVEN),
        lambda: repetitions(streams, tuple(aklo.RULES)),
    )
    n = len(streams)
    line(f"syn1, 50 × 100, six methods, a repetition of {n}", f"{slow / (many / n):.0f}× reference", "60×", "150×")
    line("the same, one repetition, only alpha changes", f"{slow / mixed:.0f}× reference", "100×", "200×")
    click.echo(f"    reference {1e3 * slow:.0f} ms, a repetition {1e3 * many / n:.2f} ms, mix {1e3 * mixed:.2f} ms")
    line(f"    with One pool, a repetition of {n}", f"{many_seven / many:.2f}× six", "1.3×")
    line("    with One pool, only alpha changes", f"{mixed_seven / mixed:.2f}× six", "1.3×")
    line(f"    all {len(aklo.RULES)} methods, a repetition of {n}", f"{many_all / many:.2f}× six", "")


def _large(size: Size, line: Callable[..., None]) -> None:
    n_tasks, n_examples = size.large
    large = random_stream(n_tasks, n_examples, 50)
    W = np.random.default_rng(0).standard_normal((n_tasks, 50))
    bare, barer, whole, whole_seven = take_turns(
        size.rounds,
        lambda: floor(large, W),
        lambda: floor(large, W, by_rows=True),
        lambda: six(large),
        lambda: aklo.run(large, lam=1e-3, methods=SEVEN),
    )
    above, data = peak_memory(n_tasks, n_examples)
    line(f"{n_tasks} tasks × {n_examples}, d = 50, six methods", f"{whole / bare:.2f}× floor", "2×", "1.2×")
    line("    against a floor whose running sums add row to row", f"{whole / barer:.2f}× floor", "")
    line("    with One pool", f"{whole_seven / whole:.2f}× six", "1.3×")
    line("    its memory above the data", f"{above / MB:.0f} MB", "1024 MB")
    click.echo(f"    floor {bare:.2f} s, six methods {whole:.2f} s, data {data / MB:.0f} MB")


def _sparse(size: Size, line: Callable[..., None]) -> None:
    rounds = max(1, size.rounds // 2)
    thin = sparse_stream(14, 200, size.features, 150)
    dense = aklo.TaskStream(thin.X.toarray(), thin.y, thin.offsets)
    slow, quick = take_turns(rounds, lambda: literal(dense, 1e-3), lambda: six(thin))
    line(f"14 tasks × 200, d = {size.features:,}, sparse", f"{slow / quick:.0f}× dense ref.", "50×", "200×")
    click.echo(f"    dense reference {slow:.2f} s, sparse {1e3 * quick:.1f} ms")
    with threadpool_limits(multiprocessing.cpu_count()):
        slow, quick = take_turns(rounds, lambda: literal(dense, 1e-3), lambda: six(thin), clock=time.perf_counter)
    line("    the same on all cores' threads", f"{slow / quick:.0f}× dense ref.", "50×", "200×")


def _growth(size: Size, line: Callable[..., None]) -> None:
    click.echo("growth: the time of twice as much over the time of once (2 is linear, 4 quadratic)")
    base = {"n_tasks": size.growing, "n_examples": 200, "d": 100}
    names = list(base)
    doubled = [base] + [{**base, name: 2 * base[name]} for name in names]
    works = [random_stream(**sizes) for sizes in doubled]
    rounds = max(1, size.rounds // 2)
    once, *twice = take_turns(rounds, *(lambda stream=stream: six(stream) for stream in works))
    for name, seconds, expected in zip(names, twice, ("at most 4", "about 2", "at most 2"), strict=True):
        line(f"    twice the {name}", f"{seconds / once:.2f}", expected)


if __name__ == "__main__":
    main()
