"""How quick the lab feels: `python -m tests.benchmarks.lab` prints, beside what is required,

- from a slider's release to the new picture on each page, as a ratio to a bare Streamlit page that redraws one small
  Plotly chart, both measured in this run, taking turns;
- frames a second while playing and bytes sent (tests.benchmarks.player).
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from tests.benchmarks import player
from tests.browser.conftest import ARGUMENTS, ROOT, Server

ROUNDS = 12

# From the release of the mouse to the first frame in which the picture is another one.
ARM = """([root, look]) => {
  const picture = new Function('root', 'return ' + look);
  const before = picture(root);
  window.akloMs = null;
  window.addEventListener('pointerup', () => {
    const start = performance.now();
    const frame = () => {
      if (picture(root) !== before) window.akloMs = performance.now() - start;
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, { capture: true, once: true });
}"""
CHART = "[...root.querySelectorAll('[data-testid=stPlotlyChart] svg')].map((svg) => svg.innerHTML).join()"

# page, the slider's widget, what is looked at
CASES = {
    "bare page, one small chart": ("", "stSlider", CHART),
    "watch: alpha's end": ("watch", "st-key-alpha_Linear_end", None),
    "alpha: alpha's end": ("alpha", "st-key-alpha_Linear_end", CHART),
    "compare: alpha's end": ("compare", "st-key-alpha_Linear_end", CHART),
    "tasks: spread": ("tasks", "st-key-setting_spread", CHART),
}


def release_to_picture(page, slider: str, look: str | None, right: bool) -> float:
    """Milliseconds from letting go of a slider's handle to another picture."""
    field = page.locator(f".{slider} input[type=range]").first
    field.scroll_into_view_if_needed()
    box = page.locator(f".{slider}").first.bounding_box()
    handle = field.locator("xpath=ancestor::*[contains(@style,'left')][1]").bounding_box()
    y = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * (0.7 if right else 0.3), y, steps=4)
    if look is None:
        root = page.locator("[data-aklo=player]").element_handle()
        page.evaluate(ARM, [root, "root.querySelector('.trust canvas').toDataURL()"])
    else:
        page.evaluate(ARM, [page.locator("[data-testid=stMain]").element_handle(), look])
    page.mouse.up()
    page.wait_for_function("window.akloMs !== null", timeout=30_000)
    return page.evaluate("window.akloMs")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        lab = Server(ROOT / "app.py", Path(place) / "lab.txt")
        bare = Server(ROOT / "tests/browser/apps/bare_app.py", Path(place) / "bare.txt")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        try:
            pages = {}
            for name, (path, _, _) in CASES.items():
                pages[name] = browser.new_page(viewport={"width": 1366, "height": 1000})
                pages[name].goto(f"{bare.url}/" if not path else f"{lab.url}/{path}")
                pages[name].wait_for_timeout(4000)
            times: dict[str, list[float]] = {name: [] for name in CASES}
            for i in range(ROUNDS + 2):
                for name, (_, slider, look) in CASES.items():
                    pages[name].bring_to_front()
                    ms = release_to_picture(pages[name], slider, look, right=i % 2 == 0)
                    pages[name].wait_for_timeout(400)
                    if i >= 2:
                        times[name].append(ms)
            floor = statistics.median(times["bare page, one small chart"])
            for name, measured in times.items():
                ms = statistics.median(measured)
                print(f"{name:<28}{ms:7.0f} ms  {ms / floor:5.2f}× the bare page (must 1.5, aim 1)")
        finally:
            browser.close()
            lab.stop()
            bare.stop()
    player.main()


if __name__ == "__main__":
    main()
