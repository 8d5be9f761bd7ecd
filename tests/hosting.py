"""The lab as README's section "On a server" has it: replicas behind nginx, with its very commands and files."""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.browser.conftest import ROOT, answers, free_port
from tests.needs import end_without
from tests.test_readme import block

FILES = ROOT / "docs" / "hosting"
NOBODY = "nobody"


def nginx_path() -> str | None:
    """nginx, also where it is not on the path of those who are not root."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def commands() -> tuple[dict[str, str], list[list[str]], list[str]]:
    """README's commands: the environment of the replicas, the command of each, and that of nginx."""
    lines = block("host").splitlines()
    exports = "\n".join(line for line in lines if line.startswith("export "))
    told = subprocess.run(["sh", "-c", f"{exports}\nenv"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"(STREAMLIT_\w+)=", exports)
    environment = {
        name: value for name, _, value in (line.partition("=") for line in told.splitlines()) if name in names
    }
    assert len(environment["STREAMLIT_SERVER_COOKIE_SECRET"]) == 64  # openssl was there; all replicas have one secret
    replicas = [shlex.split(line)[:-1] for line in lines if line.startswith("streamlit ")]  # without the &
    nginx = next(shlex.split(line) for line in lines if line.startswith("nginx "))
    return environment, replicas, nginx


class Replica:
    """One `streamlit run` behind the proxy."""

    def __init__(self, words: list[str], environment: dict[str, str], log: Path) -> None:
        self.port, self.log, self.environment = free_port(), log, environment
        self.words = [sys.executable, "-m", *words]
        self.words[self.words.index("--server.port") + 1] = str(self.port)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it is well."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.words, cwd=ROOT, env=os.environ | self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        base = self.environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
        url = f"http://127.0.0.1:{self.port}/{base}".rstrip("/")
        if not answers(url, lambda: self.process.poll() is None):
            self.stop()
            raise RuntimeError(f"A replica did not start:\n{self.log.read_text(errors='replace')}")

    def stop(self) -> None:
        """End it as a service manager does: ask it first."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Hosted:
    """Replicas behind nginx on a free port, in a folder that goes with them; nginx runs without privileges.

    replicas: two as README has them, or one, which then is its own stand-in. frame_ancestors: the sites that may show
    the lab in a frame, as a host writes them into site.conf. environment: of the replicas, besides README's.
    """

    def __init__(self, replicas: int = 2, *, frame_ancestors: str = "'self'", **environment: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="aklo-host-"))
        self.port = free_port()
        self.frame_ancestors = frame_ancestors
        self.replicas: list[Replica] = []
        self.nginx: subprocess.Popen | None = None
        given, words, proxy = commands()
        try:
            for number in range(replicas):
                log = self.folder / f"replica{number + 1}.txt"
                self.replicas.append(Replica(words[number], given | environment, log))
            self._write_files([replica[replica.index("--server.port") + 1] for replica in words])
            self._start_nginx(proxy)
        except BaseException:
            self.stop()
            raise

    def _write_files(self, ports: list[str]) -> None:
        """The shipped files, with the ports of this place and the frame ancestors."""
        for file in FILES.glob("*.conf"):
            text = file.read_text(encoding="utf-8").replace("listen 127.0.0.1:8080;", f"listen 127.0.0.1:{self.port};")
            text = text.replace("""$frame_ancestors "'self'";""", f'$frame_ancestors "{self.frame_ancestors}";')
            for number, port in enumerate(ports):
                text = text.replace(f":{port}", f":{self.replicas[number % len(self.replicas)].port}")
            (self.folder / file.name).write_text(text, encoding="utf-8")

    def _start_nginx(self, words: list[str]) -> None:
        path = nginx_path()
        assert path is not None
        at = words.index("-p") + 1
        words = [path, *words[1:at], f"{self.folder}/", *words[at + 1 :], "-g", "daemon off;"]
        user = None
        if os.geteuid() == 0:
            user = NOBODY
            os.chmod(self.folder, 0o755)
            os.chown(self.folder, pwd.getpwnam(NOBODY).pw_uid, -1)
        with (self.folder / "nginx.txt").open("w") as log:
            self.nginx = subprocess.Popen(words, user=user, cwd="/", stdout=log, stderr=subprocess.STDOUT)
        if not answers(self.url, lambda: self.nginx.poll() is None):  # type: ignore[union-attr]
            raise RuntimeError(f"nginx did not start:\n{self.errors()}")

    @property
    def url(self) -> str:
        """The address of the lab."""
        base = self.replicas[0].environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
        return f"http://127.0.0.1:{self.port}/{base}".rstrip("/")

    def errors(self) -> str:
        """What nginx has complained of."""
        return "".join(
            file.read_text(errors="replace")
            for name in ("nginx.txt", "error.log")
            if (file := self.folder / name).exists()
        )

    def log(self) -> str:
        """What the replicas have written."""
        return "".join(replica.log.read_text(errors="replace") for replica in self.replicas)

    def stop(self) -> None:
        """End nginx and the replicas, by their processes, and remove the folder."""
        if self.nginx and self.nginx.poll() is None:
            self.nginx.terminate()
            self.nginx.wait(20)
        for replica in self.replicas:
            replica.stop()
        shutil.rmtree(self.folder)


def behind_nginx() -> Iterator[Hosted]:
    """The lab behind nginx, as a fixture of any scope."""
    if nginx_path() is None:
        end_without("these tests need nginx (Debian: nginx-light)")
    place = Hosted()
    yield place
    place.stop()
