"""A browser, a server for a script, and pages that fail a test on any error in the console."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.needs import end_without

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

collect_ignore = ["apps", "guard"]  # scripts for a server, not modules to import
ROOT = Path(__file__).resolve().parents[2]
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A page opened by its own address asks for these under its path once; Streamlit then finds them at the root.
HARMLESS = ("/_stcore/health", "/_stcore/host-config")


def free_port() -> int:
    """A port that the system says is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def options(port: int) -> list[str]:
    """What `streamlit run` is told."""
    named = {
        "server.port": port,
        "server.address": "127.0.0.1",
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    return [word for name, value in named.items() for word in (f"--{name}", str(value))]


def answers(url: str, alive: Callable[[], bool] = lambda: True, patience: float = 60.0) -> bool:
    """Wait until a server says that it is well; False if it never does."""
    until = time.monotonic() + patience
    while time.monotonic() < until and alive():
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    return False


class Server:
    """One `streamlit run`. Stopped by its own process, however it ends."""

    def __init__(self, script: Path, log: Path, port: int | None = None) -> None:
        self.log = log
        for attempt in range(3):  # another worker may take the port between asking for it and using it
            self.port = port if port and not attempt else free_port()
            self.process = self._start(script)
            if answers(self.url, lambda: self.process.poll() is None):
                return
            self.stop()
        raise RuntimeError(f"{script.name} did not start:\n{log.read_text(errors='replace')}")

    def _start(self, script: Path) -> subprocess.Popen:
        path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        with self.log.open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "streamlit", "run", str(script), *options(self.port)],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": path},
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def chromium_path() -> str | None:
    """The browser's headless form where it is installed, which has no window to draw and is a third quicker."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's chromium, driven by Playwright. Without it tests skip; on the build machine they fail."""
    found = chromium_path()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        found, sync_playwright = None, None
    if found is None:
        end_without("browser tests need chromium on PATH and the Python package playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


STARTED: list[Server] = []  # by this worker, which may end before those who use them


class SharedServers:
    """One server for a script, for all workers of a test run. Who needs it first starts it, who leaves last stops it.

    folder: of the test run, where the workers leave notes for each other: the servers' addresses and process ids, and
    who uses them.
    """

    def __init__(self, folder: Path, worker: str) -> None:
        self.folder, self.worker = folder, worker
        folder.mkdir(exist_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def start(self, script: Path) -> str:
        """Return the address of the script's server."""
        note = self.folder / f"{script.stem}.server"
        with self._alone():
            (self.folder / f"{self.worker}.user").touch()
            if not note.exists():
                server = Server(script, self.folder / f"{script.stem}.log")
                STARTED.append(server)
                note.write_text(json.dumps([server.url, server.process.pid]))
            return json.loads(note.read_text())[0]

    def leave(self) -> None:
        """Stop all servers, if nobody else uses them."""
        with self._alone():
            (self.folder / f"{self.worker}.user").unlink(missing_ok=True)
            if any(self.folder.glob("*.user")):
                return
            for note in self.folder.glob("*.server"):
                with suppress(ProcessLookupError):
                    os.kill(json.loads(note.read_text())[1], signal.SIGTERM)
                note.unlink()
        for server in STARTED:
            server.stop()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Callable[..., str]]:
    """serve(script) starts it, once in a test run, and gives its address."""
    base = tmp_path_factory.getbasetemp()
    servers = SharedServers((base if worker_id == "master" else base.parent) / "servers", worker_id)
    known: dict[Path, str] = {}

    def start(script: str | Path) -> str:
        script = (ROOT / script).resolve()
        if script not in known:
            known[script] = servers.start(script)
        return known[script]

    yield start
    servers.leave()


def patient(page: Page) -> Page:
    """A page that is looked at now and then while something is waited for, not at every frame: that alone would keep
    the browser drawing."""
    page.wait_for_function = partial(page.wait_for_function, polling=40)  # type: ignore[method-assign]
    return page


class Visitors:
    """Browser contexts that share nothing, and all that went wrong in any of their pages.

    The first two visitors of a test come in tabs that the next test uses again, emptied: the scripts are still there,
    compiled, which is most of the time that a page takes.
    """

    def __init__(self, browser: Browser, *tabs: Tab) -> None:
        self.browser = browser
        self.tabs = tabs
        self.contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def __call__(self, *, width: int = 1366, height: int = 900, fresh: bool = False, **options: Any) -> Page:
        """A new visitor's page; options as for Playwright's new_context, such as color_scheme="dark". fresh: in no tab
        that was used before, nor will be again: for what a tab cannot be rid of, such as scripts that run first."""
        size: ViewportSize = {"width": width, "height": height}
        free = next((tab for tab in self.tabs if not tab.taken), None)
        if free and not fresh and set(options) <= {"color_scheme", "reduced_motion", "permissions"}:
            page = free.take(self)
            if permissions := options.pop("permissions", None):
                page.context.grant_permissions(permissions)
            page.set_viewport_size(size)
            page.emulate_media(**{"color_scheme": "light", "reduced_motion": "no-preference", **options})
        else:
            self.contexts.append(self.browser.new_context(viewport=size, **options))
            page = patient(self.contexts[-1].new_page())
            page.on("pageerror", self.failed)
            page.on("console", self.heard)
        page.context.set_default_timeout(60_000)  # a machine that does other things as well takes its time
        return page

    def failed(self, error: Any) -> None:
        self.wrong.append(f"exception: {error}")

    def heard(self, message: Any) -> None:
        if message.type != "error":
            return
        address = (message.location or {}).get("url", "").split("?")[0]
        if address.endswith(HARMLESS) and "404" in message.text:
            return
        self.wrong.append(f"console: {message.text} ({address})")

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        for tab in self.tabs:
            if tab.taken is self:
                tab.clear()


class Tab:
    """The tab of each test's first visitor. What a visitor leaves behind is cleared away: what the browser keeps for
    the addresses that were visited, for good or for the tab alone, and the history."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context()
        self.page = patient(self.context.new_page())
        self.taken: Visitors | None = None
        self.origins: set[str] = set()
        self._listen()

    def _listen(self) -> None:
        self.devtools = self.context.new_cdp_session(self.page)
        self.page.on("pageerror", lambda error: self.taken and self.taken.failed(error))
        self.page.on("console", lambda message: self.taken and self.taken.heard(message))
        self.page.on("framenavigated", lambda frame: self.origins.add("/".join(frame.url.split("/")[:3])))

    def take(self, visitors: Visitors) -> Page:
        self.taken = visitors
        return self.page

    def clear(self) -> None:
        for page in self.context.pages:
            if page != self.page:
                page.close()
        if self.page.is_closed():
            self.page = patient(self.context.new_page())
            self._listen()
        self.taken = None
        for origin in sorted(self.origins, key=self.page.url.startswith, reverse=True):  # where it is now comes first
            if origin.startswith("http"):
                if not self.page.url.startswith(origin):
                    self.page.goto(f"{origin}/_stcore/health")
                self.page.evaluate("sessionStorage.clear()")
                kinds = {"origin": origin, "storageTypes": "local_storage,indexeddb,service_workers"}
                self.devtools.send("Storage.clearDataForOrigin", kinds)
        self.context.clear_cookies()
        self.context.clear_permissions()
        self.page.goto("about:blank")
        self.devtools.send("Page.resetNavigationHistory")
        self.origins.clear()


@pytest.fixture(scope="session")
def tab(chromium: Browser) -> Tab:
    """The tab of each test's first visitor."""
    return Tab(chromium)


@pytest.fixture(scope="session")
def other_tab(chromium: Browser) -> Tab:
    """The tab of each test's second visitor, who shares nothing with the first."""
    return Tab(chromium)


@pytest.fixture
def visitor(chromium: Browser, tab: Tab, other_tab: Tab) -> Iterator[Callable[..., Page]]:
    """visitor() is a page with cookies and storage of its own; call it again for a second person."""
    visitors = Visitors(chromium, tab, other_tab)
    yield visitors
    visitors.close()
    assert not visitors.wrong, "\n".join(visitors.wrong)


@pytest.fixture
def page(visitor: Callable[..., Page]) -> Page:
    """One visitor's page at the size of a laptop. The test fails if its console shows any error."""
    return visitor()
