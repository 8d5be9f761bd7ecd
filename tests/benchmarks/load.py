"""A class of thirty: `python -m tests.benchmarks.load` starts the lab on loopback and prints, beside what is required,

- how long a moved setting takes until its picture has come, for one lone visitor and for thirty who each move one
  about once a second on the watch, alpha and compare pages; their 95th percentile has a limit;
- what the thirty are answered with while one more visitor has a heavy map computed;
- the server's memory before they come, while they are there, after they have left, and over ten thousand answers.

`--quick` does less of each, for a look: about a minute. `--drag` lets all thirty drag their sliders. An error (an
exception on a page, a lost connection, silence) ends in exit code 1; times and memory never do, since machines are
shared.

Every visitor has a stream of their own (a seed), and no move asks for what was asked for lately: no cache helps much.
The raw clients need some processor, too: theirs is not the server's, but on two cores they take of the second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import psutil

from aklo.lab.server import tuning
from aklo.lab.settings.schema import FIELDS
from tests.benchmarks.visitors import Answer, Fault, Visitor
from tests.browser.conftest import ROOT, Server

LIMIT = 0.15  # seconds: the p95 of all visitors
GONE = 2  # seconds that the server keeps a visitor who has left; Streamlit's own 120 would only make the probe longer
HEAVY = "T=200&N=600&pa=How low, how fast?"  # an alpha map of half a minute, if nobody else is there
HEAVY_START = "map_start"
WAY = 9  # values that a drag passes before the one at which it is released

# Page -> the sliders that its visitors move.
MOVES = {
    "watch": ("alpha_Linear_end", "setting_task", "setting_share", "setting_lam"),
    "alpha": ("setting_share", "setting_lam"),
    "compare": ("alpha_Linear_end", "setting_share"),
}
_NUMBERS = itertools.count(9000)  # of those who are alone: nobody comes twice
CASES = [(page, key) for page, keys in MOVES.items() for key in keys]
PAGES = list(MOVES)


@dataclass(frozen=True)
class Size:
    """How much of each: the lone visitor's moves of each slider, moves that fill the shared results, visitors, seconds
    that they stay, answers at last; drags: whether the visitors drag, so that sliders may report on the way."""

    lone: int
    fill: int
    visitors: int
    seconds: float
    answers: int
    drags: bool = False


LONG = Size(lone=12, fill=240, visitors=30, seconds=30, answers=10_000)
QUICK = Size(lone=2, fill=240, visitors=30, seconds=5, answers=150)


@dataclass
class Person:
    """Who moves one slider of one page, to a new value each time. drags: by way of others, with the button held."""

    number: int
    page: str
    key: str
    cookie: str = ""  # for a proxy
    drags: bool = False
    visitor: Visitor | None = None
    answers: list[tuple[float, Answer]] = field(default_factory=list)  # and when each was asked for
    values: Iterator[float | str] = field(init=False)

    def __post_init__(self) -> None:
        self.values = self._values()

    async def arrive(self, port: int) -> None:
        self.visitor = await Visitor.arrive(port, self.page, f"s={self.number}", cookie=self.cookie)

    def _values(self) -> Iterator[float | str]:
        """Over the slider, in an order of this person's own; who stays on goes on with it."""
        dice = random.Random(self.number)
        if self.key == "setting_lam":
            choices: list[float | str] = [f"{number:g}" for number in FIELDS["lam"].choices]
        elif self.key == "setting_task":
            choices = list(range(1, 50))
        else:
            choices = [i / 20 for i in range(21)] if self.key == "setting_share" else [i / 100 for i in range(101)]
        last = None
        while True:
            dice.shuffle(choices)
            for value in choices:
                if value != last:
                    yield value
                last = value

    async def move(self, value: float | str) -> None:
        assert self.visitor is not None
        asked = time.monotonic()
        # On the way of a drag values come that were asked for lately, too.
        values = [*itertools.islice(self.values, WAY), value] if self.drags else [value]
        self.answers += [(asked, answer) for answer in await self.visitor.drag(self.key, values)]

    async def stay(self, until: float) -> None:
        """About once a second, as soon as the answer is there. People keep no time: if they did, those who happened to
        move together would do so again each second, and the figures would tell of that luck."""
        dice = random.Random(-self.number)
        following = time.monotonic() + dice.random()
        for value in self.values:
            await asyncio.sleep(max(0.0, following - time.monotonic()))
            if time.monotonic() >= until:
                return
            await self.move(value)
            following = max(following + dice.uniform(0.5, 1.5), time.monotonic())


def people(count: int, first: int, *, drags: bool = False) -> list[Person]:
    """As many on each page, and on a page as many for each of its sliders."""
    found = []
    for i in range(count):
        page = PAGES[i % len(PAGES)]
        found.append(Person(first + i, page, MOVES[page][i // len(PAGES) % len(MOVES[page])], drags=drags))
    return found


class Report:
    """What was measured, each figure beside its limit."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def line(self, what: str, value: str, limit: str = "", kept: bool | None = None) -> None:
        verdict = "" if kept is None else "ok" if kept else "OVER"
        print(f"{what:<58}{value:>12}   {limit:<34}{verdict}", flush=True)

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        try:
            yield
        except* (Fault, OSError) as faults:
            self.errors += [str(fault) for fault in faults.exceptions]


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else sum(seconds)


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


def mb(size: float) -> str:
    return f"{size / 2**20:.0f} MB"


async def lone(port: int, moves: int) -> list[Person]:
    """One visitor after the other, each alone, a little time between two moves."""
    found = []
    for page, key in CASES:
        person = Person(next(_NUMBERS), page, key)
        await person.arrive(port)
        for value, _ in zip(person.values, range(moves + 1), strict=False):
            await person.move(value)
            await asyncio.sleep(0.1)
        await person.visitor.leave()
        del person.answers[0]  # the first finds things that are not there yet
        found.append(person)
    return found


@contextlib.asynccontextmanager
async def crowd(port: int, persons: list[Person]) -> AsyncIterator[None]:
    """They come, one shortly after another, and leave in the end."""
    async with asyncio.TaskGroup() as arriving:
        for person in persons:
            arriving.create_task(person.arrive(port))
            await asyncio.sleep(0.1)
    try:
        yield
    finally:
        await asyncio.gather(*(person.visitor.leave() for person in persons if person.visitor), return_exceptions=True)


async def all_stay(persons: list[Person], seconds: float) -> tuple[list[Answer], float]:
    """All of them, for so long: the answers, and how many were asked for in a second."""
    start = time.monotonic()
    async with asyncio.TaskGroup() as staying:
        for person in persons:
            staying.create_task(person.stay(start + seconds))
    taken = [answer for person in persons for asked, answer in person.answers if asked >= start]
    return taken, len(taken) / seconds


async def heavy(port: int, started: asyncio.Event) -> float:
    """One more visitor asks for a heavy map; the seconds that it takes."""
    visitor = await Visitor.arrive(port, "alpha", HEAVY)
    if HEAVY_START not in visitor.widgets:
        raise Fault("alpha: the heavy map is not offered: the page has found it cheap")
    started.set()
    try:
        return (await visitor.move(HEAVY_START, True)).whole
    finally:
        await visitor.leave()


async def reruns(port: int, answers: int, process: psutil.Process) -> list[tuple[int, int]]:
    """So many answers as fast as they come, to one visitor for each slider: (answers so far, bytes of memory)."""
    persons = [Person(5000 + i, page, key) for i, (page, key) in enumerate(CASES)]
    levels: list[tuple[int, int]] = []
    done = 0

    async def go_on(person: Person) -> None:
        nonlocal done
        for value in person.values:
            if done >= answers:
                return
            await person.move(value)
            done += 1
            if done % (answers // 10) == 0:
                levels.append((done, process.memory_info().rss))

    async with crowd(port, persons), asyncio.TaskGroup() as going:
        for person in persons:
            going.create_task(go_on(person))
    return levels


async def probe(server: Server, size: Size, report: Report) -> None:
    port, process = server.port, psutil.Process(server.process.pid)

    def memory() -> int:
        return process.memory_info().rss

    alone = await lone(port, size.lone)
    await _fill(port, size)
    await _all_forgotten(port)
    before = memory()

    n, persons = size.visitors, people(size.visitors, first=100, drags=size.drags)
    async with crowd(port, persons):
        used = process.cpu_times()
        taken, rate = await all_stay(persons, size.seconds)
        busy = _cpu(process.cpu_times()) - _cpu(used)
        times = {page: [t for person in persons if person.page == page for t in _times(person)] for page in PAGES}
        full = memory()

        started = asyncio.Event()
        task = asyncio.create_task(heavy(port, started))
        waiting = asyncio.create_task(started.wait())
        await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        meanwhile, _ = await all_stay(persons, size.seconds)
        going_on = not task.done()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            report.line("    one more visitor's heavy map took", f"{await task:.0f} s")
    await _all_forgotten(port)
    after = memory()

    # Alone before the others and after them, since the machine may be quicker at one time than at another.
    alone += await lone(port, size.lone)
    for page, key in CASES:
        found = [t for person in alone if (person.page, person.key) == (page, key) for t in _times(person)]
        report.line(f"{page}, {key}: one visitor, median", ms(statistics.median(found)))
    median = statistics.median(time for person in alone for time in _times(person))
    report.line("one visitor, median of all", ms(median))
    report.line(f"{n} visitors, moves answered in a second", f"{rate:.1f}", f"about {n} wanted")
    for page in PAGES:
        both = " ".join(ms(f(times[page])) for f in (statistics.median, p95))
        report.line(f"{n} visitors, {page}: median, p95", both)
    usual, whole = p95([answer.seconds for answer in taken]), p95([answer.whole for answer in taken])
    report.line(f"{n} visitors, p95 of all", ms(usual), f"at most {ms(LIMIT)}", usual <= LIMIT)
    report.line("    with all that follows the picture, p95", ms(whole))
    report.line("    the server's processor", f"{busy / len(taken) * 1000:.0f} ms", "for each answer")
    loaded = p95([answer.seconds for answer in meanwhile])
    what = "p95 of all during a heavy map" + ("" if going_on else " (it ended earlier)")
    report.line(f"{n} visitors, {what}", ms(loaded), f"at most {ms(LIMIT)}", loaded <= LIMIT)

    report.line("memory before (shared results there), with them", f"{mb(before)} {mb(full)}")
    limit = f"at most {mb(1.2 * before)}, 20 % more"
    report.line("memory after they have left", mb(after), limit, after <= 1.2 * before)

    start = time.monotonic()
    levels = await reruns(port, size.answers, process)
    rate = size.answers / (time.monotonic() - start)
    report.line(f"{size.answers} answers as fast as they come, in a second", f"{rate:.0f}")
    report.line("    memory after each tenth", "", ", ".join(mb(level) for _, level in levels))
    settled, last = levels[len(levels) // 2 - 1][1], levels[-1][1]
    limit = f"at most {mb(1.05 * settled)}, 5 % more than halfway"
    report.line(f"memory after {size.answers} answers", mb(last), limit, last <= 1.05 * settled)


def _times(person: Person) -> list[float]:
    return [answer.seconds for _, answer in person.answers]


def _cpu(times) -> float:
    return times.user + times.system


async def _fill(port: int, size: Size) -> None:
    """Ask for so many streams and runs that the shared results are as many as they will ever be: they are bounded, and
    stay when visitors go. First one person after the other, then a crowd as large as the one that is measured, which
    also brings the server's threads and buffers to the number that such a crowd takes."""
    for number, key in enumerate(("alpha_Linear_end", "alpha_Linear_end", "setting_share"), start=8000):
        person = Person(number, "compare", key)
        await person.arrive(port)
        for value, _ in zip(person.values, range(size.fill // 3), strict=False):
            await person.move(value)
        await person.visitor.leave()
    persons = people(size.visitors, first=9000)
    async with crowd(port, persons):
        await all_stay(persons, size.seconds)


async def _all_forgotten(port: int) -> None:
    """Until the server has let go of those who have left, for whom it looks when somebody comes or goes, and has tidied
    up after them."""
    await asyncio.sleep(GONE + 0.5)
    for _ in range(2):
        await (await Visitor.arrive(port, "watch", "s=1")).leave()
        await asyncio.sleep(0.5)
    await asyncio.sleep(tuning.COLLECT_EVERY + 1)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a shorter form, about a minute")
    parser.add_argument("--visitors", type=int, help="how many come at once")
    parser.add_argument("--seconds", type=float, help="how long they stay")
    parser.add_argument("--drag", action="store_true", help="visitors drag their sliders, ten values at a time")
    parser.add_argument("--answers", type=int, help="how many answers in the end; 10 or more")
    given = parser.parse_args(arguments)
    base = QUICK if given.quick else LONG
    given_sizes = {name: value for name in ("visitors", "seconds", "answers") if (value := getattr(given, name))}
    size = replace(base, drags=given.drag, **given_sizes)
    report = Report()
    print(f"{size.visitors} visitors for {size.seconds:g} s, {size.answers} answers; load {os.getloadavg()[0]:.1f} "
          f"on {os.cpu_count()} cores before the start", flush=True)  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        log = Path(place) / "server.txt"
        os.environ["STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"] = str(GONE)
        server = Server(ROOT / "app.py", log)
        try:
            with report.watching():
                asyncio.run(probe(server, size, report))
        finally:
            server.stop()
        report.errors += [line for line in log.read_text(errors="replace").splitlines() if "Error" in line]
    report.line("errors", str(len(report.errors)), "none", not report.errors)
    for error in report.errors[:10]:
        print(f"    {error}")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
