"""`python -m tests.island`: start the lab where no packet arrives anywhere, visit it, and print what happened as JSON.

It runs in a network namespace of its own (`command`), whose way out loses every packet without a word, as some
firewalls do. `tests/test_no_network.py` says what is expected.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.benchmarks.visitors import Visitor
from tests.browser.conftest import ROOT, answers, free_port
from tests.test_readme import block

ELSEWHERE = "198.51.100.7"  # an address of nobody's, for examples
NAME_SERVER = "192.0.2.53"  # likewise
IPV4 = 0x0800  # the number of the protocol, for the kernel
TASKS = (1, 2, 3)  # that a visitor moves to, one after the other


def command() -> list[str]:
    """The command that runs this module in a namespace of its own; who is not root becomes root there."""
    return [
        "unshare",
        "--net",
        "--mount",
        *(["--map-root-user"] if os.geteuid() else []),
        sys.executable,
        "-m",
        __name__,
    ]


def close_the_way_out(folder: Path) -> None:
    """Bring loopback up, send everything else into nowhere, and ask for names there."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["ip", "route", "add", "default", "dev", "lo"], check=True)  # nobody there has another address
    names = Path("/etc/resolv.conf")
    if names.exists():
        (folder / "resolv.conf").write_text(f"nameserver {NAME_SERVER}\n")
        subprocess.run(["mount", "--bind", str(folder / "resolv.conf"), str(names.resolve())], check=True)


class Watch:
    """The addresses on other machines that somebody sent a packet to."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(IPV4))
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            target = socket.inet_ntoa(self.socket.recv(65536)[16:20])
            if not target.startswith("127."):
                self.seen.add(target)

    def take(self) -> list[str]:
        """Return the addresses since the last call."""
        taken, self.seen = sorted(self.seen), set()
        return taken


def lost() -> bool:
    """Whether a connection to another machine is neither made nor refused."""
    try:
        socket.create_connection((ELSEWHERE, 80), timeout=1).close()
    except TimeoutError:
        return True
    except OSError:
        return False
    return False


def handshake(port: int, origin: str) -> tuple[int, float]:
    """Open a websocket from a page of that origin: the status of the answer, and the seconds that it took."""
    start = time.monotonic()
    try:
        with connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin=origin, proxy=None, open_timeout=60):
            status = 101
    except InvalidStatus as refused:
        status = refused.response.status_code
    return status, time.monotonic() - start


async def visit(port: int) -> dict[str, object]:
    """Come to a page, and move a slider of it, again and again: alone, and while foreign pages try to connect.

    Returns the bytes of the first answer; and for both times the seconds of each answer, and of each foreign page.
    """
    visitor = await Visitor.arrive(port, "watch", "T=6&N=20&t=3")
    first = await visitor.move("setting_task", 4)
    alone = [(await visitor.move("setting_task", task)).seconds for task in TASKS]
    meanwhile, foreign = [], []
    for task in TASKS:
        stranger = asyncio.create_task(asyncio.to_thread(handshake, port, "https://example.invalid"))
        await asyncio.sleep(0.05)  # so that the stranger is there first
        meanwhile.append((await visitor.move("setting_task", task)).seconds)
        foreign.append(await stranger)
    await visitor.leave()
    return {"received": first.bytes, "alone": alone, "meanwhile": meanwhile, "foreign": foreign}


def try_lab(folder: Path, watch: Watch, **environment: str) -> dict[str, object]:
    """Start the lab by README's own command for somebody who has never started it, and visit it."""
    port, opened = free_port(), folder / "opened.txt"
    home = Path(tempfile.mkdtemp(dir=folder))
    run = block("run").strip().rpartition("&& ")[2].split()
    assert run[0] == "streamlit"
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    given = {"HOME": str(home), "STREAMLIT_SERVER_PORT": str(port), "BROWSER": f"sh -c 'echo %s > {opened}'"}
    with (folder / "log.txt").open("w") as log:
        words = [sys.executable, "-m", *run]
        server = subprocess.Popen(
            words, cwd=ROOT, env=kept | given | environment, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        if not answers(f"http://127.0.0.1:{port}", lambda: server.poll() is None):
            raise RuntimeError(f"The lab did not start:\n{(folder / 'log.txt').read_text()}")
        visited = asyncio.run(visit(port))
        own = [handshake(port, f"http://127.0.0.1:{port}") for _ in TASKS]
        listening = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=10) as health:
            status = health.status
    finally:
        server.terminate()
        server.wait(30)
    return {
        **visited,
        "own": own,
        "health": status,
        "sent to": watch.take(),
        # Addresses that are listened on, as the kernel writes them: 127.0.0.1 is 0100007F; 0A is "listening".
        "listens on": sorted({line.split()[1].split(":")[0] for line in listening.splitlines() if " 0A " in line}),
        "opened": opened.read_text().strip() if opened.exists() else "",
        "port": port,
        "log": (folder / "log.txt").read_text(),
    }


def main() -> None:
    """Try it without a display, and on a desktop."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        close_the_way_out(folder)
        watch = Watch()
        control = {"lost": lost(), "sent to": watch.take()}
        found = {"control": control, "no display": try_lab(folder, watch)}
        found["desktop"] = try_lab(folder, watch, STREAMLIT_SERVER_HEADLESS="false")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
