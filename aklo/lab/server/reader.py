"""Files that visitors bring are read in a process of their own, under limits of memory and time.

A file may be made to cost more than it seems to, or to crash a library. Its reader then ends with a sentence, or is
ended; the server and its other visitors do not notice. All of its memory goes back to the system.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import BoundedSemaphore, Thread
from typing import Any

import numpy as np

import aklo
from aklo.lab.server import reader_process
from aklo.lab.server.turns import turn_given_up
from aklo.lab.server.worker import CHECK_EVERY, ONE_THREAD

MEMORY = 1200 * 2**20  # bytes of one reader, of which Python and its libraries take nearly half before any file
SECONDS = 30  # that one may take; a table of 50 MB takes six on an idle machine
# Plain text that is read here, which takes less than to start a process: so many bytes in so many files. The dearest
# texts of that size that were tried (rows with gaps, UTF-16) took 50 ms and 3 MB: less than to draw a page.
SMALL, FEW = 2**16, 50
AT_ONCE = 2  # readers at the same time
LONGEST_WAIT = 60  # seconds until another reader has ended
TOO_LONG = f"The file takes longer to read than the {SECONDS} seconds that the lab gives to one: bring fewer rows."
ENDED = "The file cannot be read: its reader was ended by the system, most likely because memory or time ran out."
BUSY = "Other visitors' files are being read: try again in a moment."
TEXTS = (".csv", ".tsv", ".txt", ".tf")

Files = Sequence[tuple[str, bytes]]
_free = BoundedSemaphore(AT_ONCE)


def read(call: str, files: Files, *, room: Callable[[int], None], meanwhile: Callable[[float], None] | None = None,
         **options: Any) -> Any:  # fmt: skip
    """Read files in a process of its own, or here if they are plain text and small.

    Parameters
    ----------
    call
        One of `reader_process.CALLS`: "any", "columns", or the name of a reader.
    files
        Pairs (name, bytes).
    room
        Called with the bytes of the collection before it is fetched; raises ValueError where there is no room.
    meanwhile
        Called with the share that is done, again and again. It may raise an exception, which ends the reader.
    options
        Keywords of the reader.

    Returns
    -------
    A `Collection`, or the names of the columns. Raises ValueError, with one sentence, if there is neither.
    """
    if _are_small(files):
        return reader_process.CALLS[call](files, **options)
    with turn_given_up():
        _wait_for_place(meanwhile)
        try:
            return _Reading(call, files, options, room, meanwhile).result()
        finally:
            _free.release()


def _are_small(files: Files) -> bool:
    """Whether files are few and short, and neither packed nor of a kind that could be."""
    if len(files) > FEW or sum(len(data) for _, data in files) > SMALL:
        return False
    return all(Path(name).suffix.lower() in TEXTS and not data.startswith(b"PK") for name, data in files)


def _wait_for_place(meanwhile: Callable[[float], None] | None) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while not _free.acquire(timeout=CHECK_EVERY):
        if time.monotonic() > end:
            raise ValueError(BUSY)
        if meanwhile is not None:
            meanwhile(0.0)


class _Reading:
    """A reader process, a thread that sends it the files, and one that receives its answer."""

    def __init__(self, call: str, files: Files, options: dict[str, Any], room: Callable[[int], None],
                 meanwhile: Callable[[float], None] | None) -> None:  # fmt: skip
        self._files, self._room, self._meanwhile = files, room, meanwhile
        self._asked = {
            "call": call, "options": options, "memory": MEMORY, "seconds": SECONDS,
            "files": [(name, len(data)) for name, data in files],
            "progress": call in ("any", "csv"),
        }  # fmt: skip
        self._share = 0.0
        self._found: Any = ValueError(ENDED)
        path = os.pathsep.join(filter(None, [str(Path(aklo.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
        self._process = subprocess.Popen(
            [sys.executable, "-m", reader_process.__name__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": path},
        )  # fmt: skip

    def result(self) -> Any:
        threads = [Thread(target=work, daemon=True) for work in (self._send, self._receive)]
        end = time.monotonic() + SECONDS
        try:
            for thread in threads:
                thread.start()
            while threads[1].is_alive():
                threads[1].join(CHECK_EVERY)
                if time.monotonic() > end:
                    raise ValueError(TOO_LONG)
                if self._meanwhile is not None:
                    self._meanwhile(self._share)
        finally:
            self._process.kill()  # its answer is here, or not wanted
            for thread in threads:
                thread.join()
            self._process.stdout.close()  # type: ignore[union-attr]
            self._process.wait()
        if isinstance(self._found, ValueError):
            raise self._found
        return self._found

    def _send(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            with stdin:
                stdin.write(json.dumps(self._asked).encode() + b"\n")
                for _, data in self._files:
                    stdin.write(data)
        except BrokenPipeError:
            return  # the reader has ended; its answer, or that there is none, says why

    def _receive(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        for line in stdout:
            try:
                message = json.loads(line)
                if "share" in message:
                    self._share = message["share"]
                    continue
                self._found = self._answer(message)
            except json.JSONDecodeError:  # it was ended within a line
                self._found = ValueError(ENDED)
            except ValueError as error:
                self._found = error
            return

    def _answer(self, message: dict[str, Any]) -> Any:
        if "fields" not in message:
            return message["columns"] if "columns" in message else ValueError(message["error"])
        self._room(reader_process.wire_size(message["fields"]))
        return reader_process.from_wire(message["fields"], self._fill)

    def _fill(self, array: np.ndarray) -> None:
        """Fill an array with the next bytes."""
        stdout = self._process.stdout
        assert stdout is not None
        left = array.reshape(-1).view(np.uint8).data
        while len(left):
            taken = stdout.readinto(left)  # type: ignore[attr-defined]
            if not taken:
                raise ValueError(ENDED)
            left = left[taken:]
