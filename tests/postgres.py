"""A PostgreSQL server of the tests' own: a new cluster in a folder that goes with it, on a free port of loopback."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.browser.conftest import free_port

USER = "nobody"  # PostgreSQL does not run as root


def programs() -> Path | None:
    """The folder of initdb and pg_ctl: Debian's package `postgresql` puts it where no path leads."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


class Postgres:
    """A running server. `url` is the address of a database, as SQLAlchemy writes it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aklo-postgres-"))
        self.port = free_port()
        self.user = USER if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, pwd.getpwnam(USER).pw_uid, -1)
        data = ["-D", str(self.folder / "data")]
        try:
            self._run("initdb", *data, "--auth=trust", "--username=aklo", "--encoding=UTF8", "--no-locale", "--no-sync")
            options = f"-h 127.0.0.1 -p {self.port} -k {self.folder}"
            self._run("pg_ctl", *data, "-w", "-o", options, "-l", str(self.folder / "log.txt"), "start")
        except BaseException:
            shutil.rmtree(self.folder)
            raise
        self.url = f"postgresql+psycopg://aklo@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *words: str) -> None:
        folder = programs()
        assert folder is not None
        # Its output goes to a file: the server keeps what it inherits open.
        with (self.folder / "said.txt").open("a") as said:
            command = [str(folder / program), *words]
            done = subprocess.run(command, user=self.user, cwd="/", stdout=said, stderr=said, check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {(self.folder / 'said.txt').read_text(errors='replace')}")

    def stop(self) -> None:
        """End the server, and remove its folder."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)
