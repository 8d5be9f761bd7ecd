"""A class in a room: `python -m tests.benchmarks.rooms` starts the lab on loopback, and prints beside what is required

- how long it takes until a guess is confirmed, when sixty students answer within five seconds;
- how long after the last of them the wall counts them all;
- how long after Reveal the last screen has been drawn anew;
- what other visitors, who move settings on other pages, are answered with meanwhile;
- whether every confirmed guess is in the database.

Students are raw clients: each holds a page of the room, and asks for the room's state every second, as browsers do. A
lost guess or an error (an exception on a page, a lost connection, silence) ends in exit code 1; times never do, since
machines are shared.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

from aklo.lab.server.rooms import Rooms
from aklo.lab.server.rooms_database import VARIABLE, prepare
from tests.benchmarks.load import LIMIT, Report, all_stay, crowd, ms, p95, people
from tests.benchmarks.visitors import Fault, Visitor
from tests.browser.conftest import ROOT, Server

CLIENT = "room_client"
WITHIN = 5.0  # seconds in which all answer
WALL = 2.0  # seconds until the wall has counted them
PATIENCE = 60.0  # seconds for a screen to follow


class Line:
    """A connection to the server for small questions, kept open as a browser does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> dict[str, Any]:
        """Ask. Once more, as browsers do, where the server has closed the line, since nobody had used it for long."""
        if self.streams is not None:
            try:
                return await self._get(path)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
        self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        return await self._get(path)

    async def _get(self, path: str) -> dict[str, Any]:
        assert self.streams is not None
        reader, writer = self.streams
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        if not head.startswith("http/1.1 200"):
            raise Fault(f"{path}: {head.splitlines()[0]}")
        size = int(head.partition("content-length:")[2].split()[0])
        return json.loads(await reader.readexactly(size))

    def close(self) -> None:
        if self.streams:
            self.streams[1].close()
            self.streams = None


class Screen:
    """A page of the room that follows it: the wall, or a student's."""

    def __init__(self, port: int, code: str, number: int, secret: str = "") -> None:
        self.port, self.code, self.secret = port, code, secret
        self.token = f"{number:032x}"
        self.dice = random.Random(number)
        self.line = Line(port)
        self.visitor: Visitor | None = None
        self.following: asyncio.Task[None] | None = None
        self.moving = asyncio.Lock()  # a browser sends one thing after another
        self.seen: list[tuple[float, dict[str, Any]]] = []  # what the server has said, and when

    async def arrive(self) -> None:
        query = f"room={self.code}" + (f"&teacher={self.secret}" if self.secret else "")
        self.visitor = await Visitor.arrive(self.port, "room", query)
        if self.told["asks"]:
            await self.visitor.report(CLIENT, "who", {"student": self.token, "secret": None})
        self.following = asyncio.create_task(self.follow())

    @property
    def told(self) -> dict[str, Any]:
        """What Python has told the browser's part."""
        assert self.visitor is not None
        return json.loads(self.visitor.widgets[CLIENT].proto.bytes)

    async def follow(self) -> None:
        """Ask every second, and have the page drawn anew when something has changed."""
        assert self.visitor is not None
        while True:
            answer = await self.line.get(f"/rooms/{self.code}")
            if "revision" not in answer:
                raise Fault(f"room: {answer}")
            self.seen.append((time.monotonic(), answer))
            if answer["revision"] != self.told["revision"]:
                async with self.moving:
                    await self.visitor.report(CLIENT, "news", answer["revision"])
            await asyncio.sleep(1.0 if self.secret else answer["wait"] * self.dice.uniform(0.7, 1.0))  # room_client.js

    async def until(self, state: str) -> float:
        """Wait until the page shows the room in that state. Returns when it did."""
        until = time.monotonic() + PATIENCE
        while self.told["state"] != state:
            assert self.following is not None
            if self.following.done():
                await self.following  # which has failed
            if time.monotonic() > until:
                raise Fault(f"room: not {state} within {PATIENCE:.0f} seconds")
            await asyncio.sleep(0.01)
        return time.monotonic()

    async def guess(self, value: int, wait: float) -> float:
        """Move the slider after a while, and send the guess. Returns the seconds until it was confirmed."""
        assert self.visitor is not None
        await asyncio.sleep(wait)
        async with self.moving:
            await self.visitor.move(f"guess_{self.code}_1", value)
        await asyncio.sleep(0.2)  # the hand goes to the button
        async with self.moving:
            start = time.monotonic()
            await self.visitor.move("send", True)
        if not self.visitor.widgets["send"].proto.disabled:
            raise Fault("room: a guess was not confirmed")
        return time.monotonic() - start

    async def leave(self) -> None:
        if self.following:
            self.following.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):  # until() has told of a failure
                await self.following
        self.line.close()
        if self.visitor:
            await self.visitor.leave()


async def probe(server: Server, store: Rooms, students: int, others: int, report: Report) -> None:
    port, process = server.port, psutil.Process(server.process.pid)
    code, secret = store.open()
    wall = Screen(port, code, 0, secret)
    class_ = [Screen(port, code, number) for number in range(1, students + 1)]
    persons = people(others, first=100)
    async with crowd(port, persons):
        try:
            before, _ = await all_stay(persons, WITHIN)
            start = time.monotonic()
            async with asyncio.TaskGroup() as coming:
                for screen in (wall, *class_):
                    coming.create_task(screen.arrive())
            report.line(f"{students} students come at once: the last is in after", f"{time.monotonic() - start:.1f} s")
            assert wall.visitor is not None
            asked, used = time.monotonic(), sum(process.cpu_times()[:2])
            beside = asyncio.create_task(all_stay(persons, WITHIN + 6))
            async with wall.moving:
                await wall.visitor.move("room_ask", True)
            shown = await asyncio.gather(*(screen.until("asking") for screen in class_))
            report.line("    the question is on the last screen after", f"{max(shown) - asked:.1f} s")

            values = [random.Random(n).randrange(101) for n in range(students)]
            values = [value if value != 50 else 51 for value in values]  # where the slider stands already
            waits = [random.Random(-n).uniform(0, WITHIN - 0.5) for n in range(students)]
            start = time.monotonic()
            taken = await asyncio.gather(
                *(screen.guess(*pair) for screen, *pair in zip(class_, values, waits, strict=True))
            )
            done = time.monotonic()
            report.line(
                f"{students} guesses confirmed within", f"{done - start:.1f} s", f"they come within {WITHIN:g} s"
            )
            report.line("    from the press to the confirmation, p95", ms(p95(taken)))
            while not (counted := [at for at, said in wall.seen if said["answered"] == students]):
                if time.monotonic() > done + PATIENCE:
                    raise Fault("room: the wall has not counted all guesses")
                await asyncio.sleep(0.01)
            late = max(0.0, counted[0] - done)
            report.line("the wall has counted all after", f"{late:.1f} s", f"at most {WALL:g} s", late <= WALL)
            async with wall.moving:
                await wall.visitor.move("room_reveal", True)
            revealed = time.monotonic()
            shown = await asyncio.gather(*(screen.until("revealed") for screen in class_))
            report.line("    Reveal is on the last screen after", f"{max(shown) - revealed:.1f} s")
            answers, _ = await beside
            busy = (sum(process.cpu_times()[:2]) - used) / (time.monotonic() - asked)
            report.line("    the server's processor, from Ask to the end", f"{busy:.0%}", "of one core")
            alone, usual = (p95([answer.seconds for answer in some]) for some in (before, answers))
            report.line(f"{others} other visitors before the class came, p95", ms(alone))
            limit = f"at most {ms(LIMIT)}"
            report.line(f"{others} other visitors meanwhile, p95", ms(usual), limit, usual <= LIMIT)
            kept = [store.view(code, token=screen.token).own for screen in class_]
            lost = sum(found != value for found, value in zip(kept, values, strict=True))
            report.line("guesses that were confirmed and are lost", str(lost), "none", lost == 0)
            if lost:
                report.errors.append(f"{lost} guesses are lost")
        finally:
            await asyncio.gather(*(screen.leave() for screen in (wall, *class_)), return_exceptions=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.rooms", description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, default=60, help="how many answer")
    parser.add_argument("--others", type=int, default=10, help="how many visitors are on other pages meanwhile")
    given = parser.parse_args(arguments)
    report = Report()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before the start", flush=True)
    with tempfile.TemporaryDirectory() as place:
        os.environ[VARIABLE] = f"sqlite:///{place}/rooms.sqlite"
        engine = prepare(sa.create_engine(os.environ[VARIABLE]))
        log = Path(place) / "server.txt"
        server = Server(ROOT / "app.py", log)
        try:
            with report.watching():
                asyncio.run(probe(server, Rooms(engine), given.students, given.others, report))
        finally:
            server.stop()
            engine.dispose()
        report.errors += [line for line in log.read_text(errors="replace").splitlines() if "Error" in line]
    report.line("errors", str(len(report.errors)), "none", not report.errors)
    for error in report.errors[:10]:
        print(f"    {error}")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
