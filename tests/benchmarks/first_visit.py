"""The first visit over a slow line: `python -m tests.benchmarks.first_visit` opens Watch in an empty browser at
200 kB/s, from a replica itself and through nginx, which compresses (docs/hosting/site.conf), and prints for both how
many bytes came until the player was drawn, and after how many seconds. It fails on errors alone.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.test_lab import PLAYER
from tests.hosting import Hosted

SPEED = 200_000  # bytes a second
DELAY = 40  # milliseconds to the server and back


def visit(browser: Browser, address: str) -> tuple[float, int, int, Counter[str]]:
    """Open a page in an empty browser: seconds until the player is drawn, requests, bytes, and bytes for each file."""
    context = browser.new_context(viewport={"width": 1366, "height": 900})
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": DELAY, "downloadThroughput": SPEED, "uploadThroughput": SPEED},
    )
    names: dict[str, str] = {}
    sizes: Counter[str] = Counter()

    def came(request: str, size: float) -> None:
        sizes[names.get(request, "websocket")] += round(size)

    devtools.on("Network.requestWillBeSent", lambda e: names.__setitem__(e["requestId"], e["request"]["url"]))
    devtools.on("Network.loadingFinished", lambda e: came(e["requestId"], e["encodedDataLength"]))
    devtools.on("Network.webSocketFrameReceived", lambda e: came("", frame_size(e["response"])))
    start = time.monotonic()
    page.goto(address)
    page.locator(f"{PLAYER} canvas").first.wait_for(timeout=120_000)
    seconds = time.monotonic() - start
    context.close()
    return seconds, len(names), sum(sizes.values()), sizes


def frame_size(frame: dict) -> int:
    """The bytes of a message: binary ones come in base64. What the websocket itself compresses is counted in full."""
    return len(frame["payloadData"]) * 3 // 4 if frame["opcode"] == 2 else len(frame["payloadData"])


def main(arguments: list[str]) -> int:
    place = Hosted()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
            visit(browser, f"{place.url}/watch")  # so that the replicas have drawn the page once
            for name, url in {
                "from a replica": f"http://127.0.0.1:{place.replicas[0].port}",
                "through nginx": place.url,
            }.items():
                seconds, requests, size, sizes = visit(browser, f"{url}/watch")
                print(
                    f"{name:<18}{size / 1e6:6.2f} MB in {requests} requests, {seconds:5.1f} s until the player is drawn"
                )
                for address, part in sizes.most_common(5):
                    print(f"    {part / 1e3:7.0f} kB  {address.removeprefix(url)[:80]}")
            browser.close()
    finally:
        place.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
