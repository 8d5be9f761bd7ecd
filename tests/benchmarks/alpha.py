"""Frames a second while alpha is dragged, and the bytes that are sent: `python -m tests.benchmarks.alpha`.

Not a test: it prints what it measured beside what is required, and others' work on the machine shows in it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path

# tasks, examples, frames a second: must and aim, kilobytes for the stream: must
SIZES = ((50, 100, 50, 60, 700), (200, 200, 20, 60, None))
SECONDS = 6
PICTURE = "[data-aklo=alpha]"

# Counts frames, and those in which the picture shows another alpha than in the frame before.
WATCH = """(root) => {
  const seen = (window.akloSeen = { gaps: [], changed: 0 });
  let last = 0, alpha = "";
  const frame = (now) => {
    if (last) seen.gaps.push(now - last);
    last = now;
    if (root.dataset.alpha !== alpha) seen.changed += 1;
    alpha = root.dataset.alpha;
    if (!seen.over) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def measure(page, url: str, tasks: int, examples: int) -> dict:
    """Drag a point up and down, and watch; the bytes are those of the messages that the server sent."""
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))))
    page.goto(f"{url}/alpha?T={tasks}&N={examples}")
    root = page.locator(PICTURE)
    root.wait_for(timeout=300_000)
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle())
    page.wait_for_timeout(3000)  # Streamlit's own start is over by then
    opened = sum(sent), max(sent)
    box = root.locator(".grip.point .dot").nth(4).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    root.evaluate(WATCH)
    end, step = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        step += 1
        page.mouse.move(x, y + 60 - abs(step % 240 - 120))
    seen = page.evaluate("() => { akloSeen.over = true; return akloSeen; }")
    dragged = sum(sent) - opened[0]
    page.mouse.up()
    page.wait_for_timeout(2000)
    gaps = seen["gaps"]
    return {
        "fps": 1000 * len(gaps) / sum(gaps),
        "changed": 1000 * seen["changed"] / sum(gaps),
        "median": statistics.median(gaps),
        "worst": max(gaps),
        "opened": opened[0],
        "largest": opened[1],
        "dragged": dragged,
        "released": sum(sent) - opened[0] - dragged,
    }


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(ROOT / "app.py", Path(folder) / "log.txt")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            for tasks, examples, must, aim, kilobytes in SIZES:
                page = browser.new_page(viewport={"width": 1366, "height": 650})
                seen = measure(page, server.url, tasks, examples)
                page.close()
                limit = f" (must < {kilobytes})" if kilobytes else ""
                print(
                    f"{tasks} × {examples}: {seen['fps']:.1f} frames/s (must {must}, aim {aim}), {seen['changed']:.1f} "
                    f"with another alpha, gaps: median {seen['median']:.1f} ms, worst {seen['worst']:.0f} ms"
                )
                print(
                    f"  sent: the stream, once, {seen['largest'] / 1000:.0f} KB{limit}; the whole page "
                    f"{seen['opened'] / 1000:.0f} KB, while dragging {seen['dragged'] / 1000:.1f} KB, after the "
                    f"release {seen['released'] / 1000:.0f} KB"
                )
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
