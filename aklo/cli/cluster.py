"""A Dask cluster that a sweep is sent to: whether it answers, has workers, and can import aklo."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Overdue
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aklo
from aklo.cli.options import CommandError
from aklo.wording import count

SECONDS = 8  # that the workers have to say whether they can import aklo


@contextmanager
def cluster(address: str, *, send_package: bool) -> Iterator[None]:
    """Send joblib's work to the Dask scheduler at an address, for as long as the context lasts.

    Parameters
    ----------
    address
        Of the scheduler, such as tcp://127.0.0.1:8786.
    send_package
        Whether to send aklo to the workers, which need its dependencies only.

    Raises
    ------
    CommandError
        If the scheduler does not answer, has no workers, or they cannot import this version of aklo.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise CommandError(
            "--dask needs the package 'distributed', which is not installed: pip install distributed."
        ) from None
    import joblib

    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TimeoutError) as error:
        raise CommandError(f"No Dask scheduler answers at {address} ({type(error).__name__}).") from None
    with client:
        n_workers = len(client.nthreads())
        if n_workers == 0:
            raise CommandError(f"The Dask scheduler at {address} has no workers: start one by `dask worker {address}`.")
        if send_package:
            _send(client)
        _check_import(client, n_workers, sent=send_package)
        with joblib.parallel_config(backend="dask", client=client):
            yield


def _check_import(client: Any, n_workers: int, *, sent: bool) -> None:
    """Raise CommandError unless every worker can import aklo in this version.

    Otherwise the sweep would wait for ever: a worker that cannot even unpack its task is given it again and again.
    """

    def version() -> str:  # defined here, so that it travels as code and not as the name of something in aklo
        try:
            import aklo
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return str(aklo.__version__)

    pool = ThreadPoolExecutor(1)
    try:
        found = pool.submit(client.run, version).result(timeout=SECONDS)
    except Overdue:
        raise CommandError(
            f"The workers of the Dask cluster did not answer within {SECONDS} seconds: are they busy, or gone?"
        ) from None
    finally:
        pool.shutdown(wait=False)
    others = [answer for answer in found.values() if answer != aklo.__version__]
    if not others:
        return
    those = f"{len(others)} of {count(n_workers, 'worker')} of the Dask cluster"
    if others[0][0].isdigit():
        raise CommandError(
            f"{those} have aklo {others[0]} where this is {aklo.__version__}: install the same, or add --send-package."
        )
    way_out = "install what is missing there" if sent else "install aklo there, or add --send-package"
    raise CommandError(f"{those} cannot import aklo ({' '.join(others[0].split())}): {way_out}.")


def _send(client: Any) -> None:
    """Send the package to all workers, and to those that join later."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "aklo_package.zip"
        write_package(path)
        client.upload_file(str(path))


def write_package(path: Path) -> None:
    """Write the core of aklo, without the lab, as a .zip that Python imports from."""
    root = Path(aklo.__file__).parent
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(root.rglob("*")):
            within = file.relative_to(root)
            if file.suffix in (".py", ".csv") and within.parts[0] != "lab":
                archive.write(file, Path("aklo") / within)
