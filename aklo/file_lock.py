"""A lock beside a file: one process at a time writes it, on this machine or on a folder that machines share."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType


class FileLock:
    """The lock of a file. The system frees it when its process ends, however that happens.

    Parameters
    ----------
    path
        The file. The lock is a hidden file beside it, which is removed when the lock is released.

    Raises
    ------
    ValueError
        On entering, if another process holds it.
    OSError
        On entering, if the folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_name(f".{path.name}.lock")
        self._handle = -1

    def __enter__(self) -> FileLock:
        while True:
            handle = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
            if not _lock(handle):
                os.close(handle)
                raise ValueError(f"Another sweep is writing {self._path}: wait for its end, or name another file.")
            if _is_same(handle, self._lock):
                self._handle = handle
                return self
            os.close(handle)  # whoever held it has removed it in the meantime: once more, with a new one

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if os.name == "posix":
            self._lock.unlink()  # while it is held, so that nobody's new lock is removed
        os.close(self._handle)


def _lock(handle: int) -> bool:
    """Lock an open file, and return whether that was possible."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_same(handle: int, path: Path) -> bool:
    """Return whether a path still leads to an open file."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
