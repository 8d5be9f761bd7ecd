"""Frames a second while the player plays, and the bytes it is sent: `python -m tests.benchmarks.player`.

Not a test: it prints what it measured beside what is required, and others' work on the machine shows in it.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path

APP = ROOT / "tests/browser/apps/player_server.py"
# experts, examples, frames a second: must and aim, kilobytes: must
SIZES = ((49, 100, 50, 60, 100), (199, 1000, 30, 60, 600))
CLIPS = ("sum", "advice")
SECONDS = 6

# Gaps between frames while playing, after half a second of warming up.
MEASURE = """(root, seconds) => new Promise((done) => {
  const gaps = []; let last = 0, first = 0;
  const frame = (now) => {
    if (!first) first = now;
    if (last && now - first > 500) gaps.push(now - last);
    last = now;
    if (root.dataset.state === 'playing' && now - first < 1000 * seconds + 500) requestAnimationFrame(frame);
    else done({ gaps, t: Number(root.dataset.t) });
  };
  requestAnimationFrame(frame);
})"""


def measure(page, url: str, experts: int, examples: int, clip: str, speed: str) -> dict:
    """Play one task and watch; the bytes are those of the largest message that the server sent."""
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))))
    page.goto(f"{url}/?{urlencode({'tasks': experts + 1, 'n': examples, 'task': experts, 'clip': clip})}")
    root = page.locator("[data-aklo=player]")
    root.wait_for(timeout=300_000)
    page.wait_for_timeout(2500)  # Streamlit's own start is over by then
    root.get_by_label("Speed", exact=True).select_option(speed)
    root.get_by_role("button", name="Play", exact=True).click()
    seen = root.evaluate(MEASURE, SECONDS)
    gaps = seen["gaps"]
    return {
        "fps": 1000 * len(gaps) / sum(gaps),
        "slow": sum(gap > 34 for gap in gaps) / len(gaps),
        "worst": max(gaps),
        "median": statistics.median(gaps),
        "message": max(sent),
    }


def told(seen: dict, must: int, aim: int) -> str:
    """What was measured, in words."""
    return (
        f"{seen['fps']:.1f} frames/s (must {must}, aim {aim}), gaps: median {seen['median']:.1f} ms, "
        f"worst {seen['worst']:.0f} ms, {seen['slow']:.1%} over 34 ms; message {seen['message'] / 1000:.1f} KB"
    )


def payload_bytes(experts: int, examples: int) -> int:
    """Bytes of the data of one task."""
    import aklo
    from aklo.lab.components.player import TaskContext
    from aklo.lab.components.player.payload import pack

    stream = aklo.syn1(n_tasks=experts + 1, n_examples=examples, seed=0)
    run = aklo.run(stream, lam=1e-3)
    names = [f"task {k}" for k in range(experts)]
    task = TaskContext(names=names, groups=stream.groups[:experts], group_names=("D1", "D2"))
    return len(pack(run.replay(experts), task=task))


def main() -> None:
    from playwright.sync_api import sync_playwright

    for experts, examples, _, _, kilobytes in SIZES:
        data = payload_bytes(experts, examples) / 1000
        print(f"N = {examples}, {experts} experts: {data:.1f} KB of data; with script and style must < {kilobytes} KB")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(APP, Path(folder) / "log.txt")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            for experts, examples, must, aim, _ in SIZES:
                for clip in CLIPS:
                    for speed in ("1", "8") if examples >= 1000 else ("1",):
                        page = browser.new_page(viewport={"width": 1366, "height": 900})
                        seen = measure(page, server.url, experts, examples, clip, speed)
                        page.close()
                        print(f"N = {examples}, {experts} experts, clip {clip}, {speed}×: {told(seen, must, aim)}")
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
