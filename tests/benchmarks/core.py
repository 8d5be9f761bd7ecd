"""How fast the core is, as ratios measured within one process: against the literal reference in tests/, and against
the floor (the bare matrix products, running sums and exponentials of the same shapes, nothing else).

Machines are shared and noisy, so seconds mean little: what is compared takes turns, and medians are divided. All of it
runs on one thread, the reference and the floor as well, and the clock is that thread's processor time, so that it does
not matter what else the machine does. The sparse row is measured with the machine's own number of
threads too: there the dense reference gains from a second one and the sparse walk does not, so the ratio is lower.
"""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Sequence

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


def ten_repetitions(streams: list[aklo.TaskStream], methods: Sequence[str]) -> object:
    learned = learn_together(streams, lam=1e-3, budget=0)
    return mix_together(learned, seeds=range(len(streams)), methods=methods)


def _peak(pipe) -> None:
    """In a process of its own: the memory that the large stream's run takes above the process with its data."""
    stream = random_stream(1000, 200, 50)
    before = psutil.Process().memory_info().rss
    six(stream)
    pipe.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before, stream.X.nbytes))


def peak_memory() -> tuple[float, float]:
    """Bytes above the data at the peak, and the data's own."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_peak, args=(theirs,))
    child.start()
    answer = ours.recv()
    child.join()
    return answer


def line(work: str, measured: str, must: str, aim: str) -> None:
    click.echo(f"{work:<66}{measured:>16}  {must:>10}  {aim:>8}")


@threadpool_limits.wrap(limits=1)
def main(rounds: int = 7) -> None:
    line("work", "measured", "must", "aim")

    streams = [aklo.syn1(seed=seed) for seed in range(10)]
    learned = aklo.learn(streams[0], lam=1e-3)
    slow, ten, mixed, ten_seven, mixed_seven, ten_all = take_turns(
        rounds,
        lambda: literal(streams[0], 1e-3),
        lambda: ten_repetitions(streams, aklo.METHODS),
        lambda: aklo.mix(learned),
        lambda: ten_repetitions(streams, SEVEN),
        lambda: aklo.mix(learned, methods=SEVEN),
        lambda: ten_repetitions(streams, tuple(aklo.RULES)),
    )
    line("syn1, 50 × 100, six methods, a repetition of ten", f"{slow / (ten / 10):.0f}× reference", "60×", "150×")
    line("the same, one repetition, only alpha changes", f"{slow / mixed:.0f}× reference", "100×", "200×")
    click.echo(f"    reference {1e3 * slow:.0f} ms, a repetition {1e2 * ten:.2f} ms, mix {1e3 * mixed:.2f} ms")
    line("    with One pool, a repetition of ten", f"{ten_seven / ten:.2f}× six", "1.3×", "")
    line("    with One pool, only alpha changes", f"{mixed_seven / mixed:.2f}× six", "1.3×", "")
    line(f"    all {len(aklo.RULES)} methods, a repetition of ten", f"{ten_all / ten:.2f}× six", "", "")

    large = random_stream(1000, 200, 50)
    W = np.random.default_rng(0).standard_normal((1000, 50))
    few = max(2, rounds // 2)
    bare, barer, whole, whole_seven = take_turns(
        few,
        lambda: floor(large, W),
        lambda: floor(large, W, by_rows=True),
        lambda: six(large),
        lambda: aklo.run(large, lam=1e-3, methods=SEVEN),
    )
    above, data = peak_memory()
    line("1000 tasks × 200, d = 50, six methods", f"{whole / bare:.2f}× floor", "2×", "1.2×")
    line("    against a floor whose running sums add row to row", f"{whole / barer:.2f}× floor", "", "")
    line("    with One pool", f"{whole_seven / whole:.2f}× six", "1.3×", "")
    line("    its memory above the data", f"{above / MB:.0f} MB", "1024 MB", "")
    click.echo(f"    floor {bare:.2f} s, six methods {whole:.2f} s, data {data / MB:.0f} MB")

    thin = sparse_stream(14, 200, 150_000, 150)
    dense = aklo.TaskStream(thin.X.toarray(), thin.y, thin.offsets)
    slow, quick = take_turns(few, lambda: literal(dense, 1e-3), lambda: six(thin))
    line("14 tasks × 200, d = 150,000, sparse", f"{slow / quick:.0f}× dense ref.", "50×", "200×")
    click.echo(f"    dense reference {slow:.2f} s, sparse {1e3 * quick:.1f} ms")
    with threadpool_limits(multiprocessing.cpu_count()):
        slow, quick = take_turns(few, lambda: literal(dense, 1e-3), lambda: six(thin), clock=time.perf_counter)
    line("    the same on all cores' threads", f"{slow / quick:.0f}× dense ref.", "50×", "200×")

    click.echo("growth: the time of twice as much over the time of once (2 is linear, 4 quadratic)")
    base = {"n_tasks": 250, "n_examples": 200, "d": 100}
    names = list(base)
    doubled = [base] + [{**base, name: 2 * base[name]} for name in names]
    works = [random_stream(**sizes) for sizes in doubled]
    once, *twice = take_turns(few, *(lambda stream=stream: six(stream) for stream in works))
    for name, seconds, expected in zip(names, twice, ("at most 4", "about 2", "at most 2"), strict=True):
        line(f"    twice the {name}", f"{seconds / once:.2f}", expected, "")


if __name__ == "__main__":
    main()
