"""Two replicas behind nginx: `python -m tests.benchmarks.replicas` starts them as README's section "On a server" does,
and lets more and more visitors come through the proxy, each moving a slider about once a second as in
`tests.benchmarks.load`: first all of them on one replica, then half of them on each. It prints how long the 95th of a
hundred pictures took to come, what an answer takes of the processor, and at the end how many visitors one replica
serves within the load probe's limit, and how many both do. `--seconds` says how long a crowd stays, `--steps` how large
the crowds are.

An error (an exception on a page, a lost connection, silence) ends in exit code 1; times never do, since machines are
shared. The replicas, nginx and the visitors share the processor: what a second replica adds depends on the cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys

import psutil

from tests.benchmarks.load import LIMIT, Report, all_stay, crowd, ms, p95, people
from tests.hosting import Hosted

STEPS = (15, 30, 45, 60, 90, 120)
COOKIES = ("aklo_replica=replica1", "aklo_replica=replica2")


def processor(*processes: subprocess.Popen) -> float:
    """Seconds of the processor that processes and their children have taken."""
    total = 0.0
    for process in processes:
        main = psutil.Process(process.pid)
        for one in (main, *main.children(recursive=True)):
            times = one.cpu_times()
            total += times.user + times.system
    return total


async def stay(place: Hosted, visitors: int, replicas: int, seconds: float, first: int, report: Report) -> float:
    """A crowd, dealt out to so many replicas: the p95 of their waits."""
    persons = people(visitors, first=first)
    for number, person in enumerate(persons):
        # In blocks of three, since the pages of the load probe take turns of three: each replica has all of them.
        person.cookie = COOKIES[number // 3 % replicas]
    assert place.nginx is not None
    labs, proxy = [replica.process for replica in place.replicas], [place.nginx]
    async with crowd(place.port, persons):
        await all_stay(persons, seconds / 3)  # to find things that are not there yet
        before = processor(*labs), processor(*proxy)
        taken, rate = await all_stay(persons, seconds)
        used = processor(*labs) - before[0], processor(*proxy) - before[1]
    waits = [answer.seconds for answer in taken]
    most = p95(waits)
    what = f"{visitors} visitors on {'one replica' if replicas == 1 else 'both replicas'}: median, p95"
    report.line(what, f"{ms(statistics.median(waits))} {ms(most)}", f"p95 at most {ms(LIMIT)}", most <= LIMIT)
    shares = " ".join(f"{1000 * share / len(taken):.1f} ms" for share in used)
    report.line("    processor of an answer: replicas, nginx", shares, f"{rate:.0f} answers in a second")
    return most


async def probe(place: Hosted, steps: tuple[int, ...], seconds: float, report: Report) -> None:
    served = {}
    for replicas in (1, 2):
        served[replicas] = 0
        for number, visitors in enumerate(steps):
            first = 1000 * (10 * replicas + number)
            if await stay(place, visitors, replicas, seconds, first, report) > LIMIT:
                break  # a larger crowd would only wait longer
            served[replicas] = visitors
    report.line("visitors within the limit: one replica, both", f"{served[1]} {served[2]}", f"of {steps} tried")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.replicas", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=15, help="how long each crowd stays")
    parser.add_argument(
        "--steps", type=int, nargs="+", default=STEPS, help="how many visitors come, from small to large"
    )
    given = parser.parse_args(arguments)
    report = Report()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before the start", flush=True)
    place = Hosted()
    try:
        with report.watching():
            asyncio.run(probe(place, tuple(given.steps), given.seconds, report))
        report.errors += [line for line in place.log().splitlines() if "Error" in line]
    finally:
        place.stop()
    report.line("errors", str(len(report.errors)), "none", not report.errors)
    for error in report.errors[:10]:
        print(f"    {error}")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
