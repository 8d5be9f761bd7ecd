"""How fast the map of "When does knowledge hurt?" is: 13 angles × 9 shares × 10 repetitions of 50 tasks × 100 examples,
as a ratio to the literal reference in tests/, measured in the same process.

The reference would take a quarter of an hour, so it runs a sample of the cells, spread over the map, one repetition
each, and is counted as often as there are repetitions in the map. The two take turns, on one thread, and seconds are
the processor's: while the machine is slow it is slow for both, and what others do on it is not counted. Of the 117
cells 21 are one stream (no angle, or no D2), which is computed once.
"""

from __future__ import annotations

import statistics
import time
from itertools import islice, product

import click
import numpy as np
from threadpoolctl import threadpool_limits

import aklo
from aklo.transfer import ANGLES, SHARES
from tests.benchmarks.core import line, literal

LAM = 0.1
REPETITIONS = 10
PLACES = list(product(ANGLES, SHARES))
SAMPLE = 9  # cells that the reference runs, each after a ninth of the map


@threadpool_limits.wrap(limits=1)
def main() -> None:
    stops = np.linspace(0, len(PLACES), SAMPLE + 1).round().astype(int)
    next(aklo.transfer_map(PLACES[:1], REPETITIONS, lam=LAM))  # warm up
    map_seconds, slow = 0.0, []
    work = aklo.transfer_map(PLACES, REPETITIONS, lam=LAM)
    for i, size in enumerate(np.diff(stops)):
        start = time.process_time()
        part = [place for place, _ in islice(work, int(size))]
        map_seconds += time.process_time() - start

        angle, share = part[len(part) // 2]
        stream = aklo.conflict(angle, share=share, seed=i)
        start = time.process_time()
        literal(stream, LAM)
        slow.append(time.process_time() - start)
    reference = statistics.mean(slow) * len(PLACES) * REPETITIONS
    line("work", "measured", "must", "aim")
    cells = f"{len(ANGLES)} × {len(SHARES)} cells, {REPETITIONS} repetitions"
    line(f"transfer map, {cells}", f"{reference / map_seconds:.0f}× reference", "60×", "")
    click.echo(
        f"    the map {map_seconds:.1f} s, a repetition {1e3 * map_seconds / len(PLACES) / REPETITIONS:.2f} ms; the "
        f"reference {1e3 * statistics.mean(slow):.0f} ms a repetition, from {SAMPLE} of the cells"
    )


if __name__ == "__main__":
    main()
