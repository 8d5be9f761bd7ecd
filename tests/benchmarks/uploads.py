"""Hostile uploads: `python -m tests.benchmarks.uploads` starts the lab on loopback, brings files that are dear to read,
and prints for each how long it took until a sentence came, the most memory of the server and its reader together,
above what they had at rest, and how long other visitors waited for a picture meanwhile; and in the end the server's
memory when all have gone. Limits stand beside the figures. `--quick` brings smaller files. `--hosted` keeps a visitor
who has left as long as a hosted lab does, and looks at the memory five minutes after all have gone: ten minutes in all.

A silence, an exception or a missing sentence ends in exit code 1; times and memory never do, since machines are shared.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import os
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import psutil

from aklo.lab.server import tuning
from aklo.readers.examples import fields_mat
from tests.benchmarks.load import LIMIT, Report, crowd, mb, ms, p95, people
from tests.benchmarks.visitors import Fault, Visitor
from tests.browser.conftest import ROOT, Server
from tests.hostile_files import MB, PLAIN, UNPACKED, Files, eight

SECONDS, MEMORY = 10, 1024 * MB  # the limits
OTHERS = 3  # visitors who go on meanwhile, one on each page of the load probe; each moves about once a second
ALONE = 20  # seconds that they are there without uploads, before them and after them, to compare
UPLOADER = "own_files_0"


@dataclass(frozen=True)
class Waits:
    """Seconds that the server keeps a visitor who has left, and seconds until the memory is looked at afterwards."""

    kept: int
    until_end: float


BRIEF = Waits(5, 5 + 2 * tuning.COLLECT_EVERY)
HOSTED = Waits(120, 300)  # 120 is what .streamlit/config.toml has


class Peak:
    """The most memory of a process and its children, measured again and again until `stop`."""

    def __init__(self, process: psutil.Process) -> None:
        self._process, self._done, self.bytes = process, Event(), 0
        self._thread = Thread(target=self._measure)
        self._thread.start()

    def _measure(self) -> None:
        while not self._done.wait(0.05):
            self.bytes = max(self.bytes, memory(self._process))

    def stop(self) -> int:
        self._done.set()
        self._thread.join()
        return self.bytes


def memory(process: psutil.Process) -> int:
    """Bytes of a process and its children."""
    total = 0
    for one in (process, *process.children(recursive=True)):
        try:
            total += one.memory_info().rss
        except psutil.NoSuchProcess:  # a reader has just ended
            continue
    return total


def put(port: int, session: str, name: str, data: bytes) -> tuple[str, str, int]:
    """Send a file as the browser does."""
    file_id, mark = str(uuid.uuid4()), uuid.uuid4().hex
    head = f'--{mark}\r\nContent-Disposition: form-data; name="f"; filename="{name}"\r\n\r\n'.encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(
        "PUT", f"/_stcore/upload_file/{session}/{file_id}", head + data + f"\r\n--{mark}--\r\n".encode(),
        {"Content-Type": f"multipart/form-data; boundary={mark}"},
    )  # fmt: skip
    answer = connection.getresponse()
    if answer.status != 204:
        raise Fault(f"{name} was answered with {answer.status}")
    connection.close()
    return file_id, name, len(data)


async def bring(port: int, files: Files) -> tuple[Visitor, float, list[str]]:
    """A visitor who brings files: the seconds until the page has answered, and its sentences."""
    visitor = await Visitor.arrive(port, "data")
    start = time.monotonic()
    sent = [await asyncio.to_thread(put, port, visitor.session, name, data) for name, data in files]
    await visitor.ask(UPLOADER, sent)
    return visitor, time.monotonic() - start, visitor.texts


class Others:
    """Visitors who move sliders meanwhile, in a process of their own: what is done here does not slow their clocks."""

    def __init__(self, port: int) -> None:
        self._line, line = get_context("spawn").Pipe()
        self._process = get_context("spawn").Process(target=_go_on, args=(port, line), daemon=True)
        self._process.start()
        self._line.recv()  # they are there

    def leave(self) -> tuple[list[tuple[float, float]], list[str]]:
        """End their visits: when each answer was asked for and how many seconds it took, and what went wrong."""
        self._line.send("leave")
        found = self._line.recv()
        self._process.join()
        return found


def _go_on(port: int, line: Connection) -> None:
    async def stay() -> None:
        others = people(OTHERS, first=100)
        async with crowd(port, others):
            line.send("here")
            tasks = [asyncio.create_task(person.stay(float("inf"))) for person in others]
            await asyncio.to_thread(line.recv)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        answers = [(asked, answer.seconds) for person in others for asked, answer in person.answers]
        line.send((answers, [str(error) for error in ended if isinstance(error, Fault)]))

    asyncio.run(stay())


async def undisturbed(port: int, report: Report) -> list[tuple[float, float]]:
    """The answers to the same visitors while nobody brings a file."""
    others = Others(port)
    await asyncio.sleep(ALONE)
    answers, faults = others.leave()
    report.errors += faults
    return answers


async def probe(server: Server, report: Report, waits: Waits, size: int, unpacked: int) -> None:
    process = psutil.Process(server.process.pid)
    await (await bring(server.port, [("fields.mat", fields_mat())]))[0].leave()
    before = await undisturbed(server.port, report)
    await asyncio.sleep(waits.kept + tuning.COLLECT_EVERY)
    rest = memory(process)
    report.line("memory at rest", mb(rest))
    cases = {name: make(unpacked) for name, make in UNPACKED.items()} | {n: make(size) for n, make in PLAIN.items()}
    cases["eight files"] = eight(8 * size)
    others = Others(server.port)
    visitors, ends = [], {}
    for name, files in cases.items():
        visitors.append(await _try(server.port, name, files, process, rest, report))
        ends[name] = time.monotonic()
    answers, faults = others.leave()
    report.errors += faults
    alone = before + await undisturbed(server.port, report)
    report.line(f"{OTHERS} visitors without uploads, p95", ms(p95([seconds for _, seconds in alone])))
    usual = p95([seconds for _, seconds in answers])
    report.line(f"{OTHERS} visitors meanwhile, p95", ms(usual), f"at most {ms(LIMIT)}", usual <= LIMIT)
    asked, longest = max(answers, key=lambda answer: answer[1])
    during = next((name for name, end in ends.items() if asked <= end), "the end")
    report.line(f"    the longest of {len(answers)} answers", ms(longest), f"during {during}")
    for visitor in visitors:
        await visitor.leave()
    report.line("memory when all leave", mb(memory(process)))
    await asyncio.sleep(waits.until_end)
    left = memory(process)
    name = f"memory {waits.until_end:.0f} s after all have gone"
    report.line(name, mb(left), f"at most {mb(1.2 * rest)}, 20 % more", left <= 1.2 * rest)


async def _try(port: int, name: str, files: Files, process: psutil.Process, rest: int, report: Report) -> Visitor:
    """Bring the files, and report what it cost; the visitor, who stays."""
    peak = Peak(process)
    visitor, seconds, texts = await bring(port, files)
    above = peak.stop() - rest
    report.line(f"{name}: a sentence within", f"{seconds:.1f} s", f"at most {SECONDS} s", seconds <= SECONDS)
    report.line("    memory above rest, the reader's with it", mb(above), f"at most {mb(MEMORY)}", above <= MEMORY)
    print(f"    {' '.join(texts)}", flush=True)
    if not texts:
        report.errors.append(f"{name}: no sentence")
    return visitor


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller files")
    parser.add_argument("--hosted", action="store_true", help="visitors are kept for 120 s, as where the lab is hosted")
    options = parser.parse_args(arguments)
    waits, sizes = HOSTED if options.hosted else BRIEF, (20 * MB, 100 * MB) if options.quick else (49 * MB, 250 * MB)
    report = Report()
    os.environ |= {
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(waits.kept),
        "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",  # these visitors have no cookies
    }
    with tempfile.TemporaryDirectory() as place:
        server = Server(ROOT / "app.py", Path(place) / "server.txt")
        try:
            with report.watching():
                asyncio.run(probe(server, report, waits, *sizes))
        finally:
            server.stop()
    for error in report.errors:
        print(error)
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
