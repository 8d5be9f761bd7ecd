"""How quick the lab feels: `python -m tests.benchmarks.lab` prints, beside what is required,

- from a slider's release to the new picture, for sliders of each page: the first frame that shows the picture which
  that slider is about, drawn anew; as a ratio to a bare Streamlit page that redraws one small Plotly chart, both
  measured in this run, taking turns; and when the last chart of the page was drawn;
- frames a second while playing and bytes sent (tests.benchmarks.player).

No round asks for a value that was asked for before, as far as the slider has that many, so that no cache helps.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import player
from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path

ROUNDS = 10
WARM = 2  # rounds that are not counted

# From the release of the mouse to the first frame in which the picture is there and another one; and to the last time
# that any chart was drawn.
ARM = """([root, look]) => {
  const picture = new Function('root', 'return ' + look);
  const before = picture(root);
  window.akloFirst = window.akloLast = null;
  window.akloWatch?.disconnect();
  window.addEventListener('pointerup', () => {
    const start = performance.now();
    const drawn = (node) => (node.closest ? node : node.parentElement)?.closest('.js-plotly-plot, .stImage');
    window.akloWatch = new MutationObserver((changes) => {
      if (changes.some((change) => drawn(change.target))) window.akloLast = performance.now() - start;
    });
    window.akloWatch.observe(document.querySelector('[data-testid=stMain]'), { childList: true, subtree: true });
    const frame = () => {
      const now = picture(root);
      if (now && now !== before) window.akloFirst = performance.now() - start;
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, { capture: true, once: true });
}"""
CHART = "[...root.querySelectorAll('.st-key-{} .main-svg')].map((svg) => svg.innerHTML).join('')"


@dataclass(frozen=True)
class Case:
    """A slider, by the name of its widget's key, and the picture that it is about: a Plotly chart by its key, or a
    component by its name, and what to look at in it. press: a key for the component beforehand."""

    path: str
    slider: str
    chart: str = ""
    component: str = ""
    look: str = ""
    press: str = ""


BARE = "bare page, one small chart"
# To compare canvases takes longer than to draw them, so it is the words and numbers that are written in the same frame
# which are looked at: the player's sentence and counts, the numbers at the race's ends, the count of streams drawn.
PLAYER = {"component": "player", "look": "root.textContent", "press": "End"}  # End: where every panel is full
RACE = {"component": "race", "look": "[...root.querySelectorAll('.end')].map((end) => end.textContent).join()"}
PLANE = {"component": "overview", "look": "root.dataset.drawn"}
CURVE = {"component": "alpha", "look": "root.querySelector('.line').getAttribute('d')"}
LINES = {"look": "root.querySelector('.drawing').innerHTML"}
CASES = {
    BARE: Case("", "stSlider", chart="chart"),
    "watch: alpha's end": Case("watch", "alpha_Linear_end", **PLAYER),
    "watch: task": Case("watch", "setting_task", **PLAYER),
    "watch: share of D2 (sidebar)": Case("watch", "setting_share", **PLAYER),
    "watch: lambda (sidebar)": Case("watch", "setting_lam", **PLAYER),
    "alpha: alpha's end": Case("alpha", "alpha_Linear_end", **CURVE),
    "alpha: task, the errors in it": Case("alpha", "setting_task", component="lines][data-name=alpha_errors", **LINES),
    "compare: alpha's end": Case("compare", "alpha_Linear_end", **RACE),
    "compare: share of D2": Case("compare", "setting_share", **RACE),
    "compare: repetitions, the bands": Case(
        "compare", "setting_repetitions", component="lines][data-name=ace", **LINES
    ),
    "tasks: spread": Case("tasks", "setting_spread", **PLANE),
    "tasks: share of D2": Case("tasks", "setting_share", **PLANE),
}


def release_to_picture(page, case: Case, place: float) -> tuple[float, float] | None:
    """Milliseconds from letting go of a slider's handle to another picture, and to the last chart of the page; None
    where the picture stays the same. place: where on the slider to let go, from 0 to 1.
    """
    field = page.locator(f'[class*="{case.slider}"] input[type=range]').first
    field.scroll_into_view_if_needed()
    box = page.locator(f'[class*="{case.slider}"]').first.bounding_box()
    handle = field.locator("xpath=ancestor::*[contains(@style,'left')][1]").bounding_box()
    y = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * place, y, steps=4)
    if case.component:
        page.evaluate(ARM, [page.locator(f"[data-aklo={case.component}]").element_handle(), case.look])
    else:
        page.evaluate(ARM, [page.locator("[data-testid=stMain]").element_handle(), CHART.format(case.chart)])
    page.mouse.up()
    page.wait_for_timeout(700)
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'", timeout=30_000
    )
    page.wait_for_timeout(300)
    first, last = page.evaluate("[window.akloFirst, window.akloLast]")
    return first and (first, max(first, last or 0))


def main(wanted: str = "") -> None:
    from playwright.sync_api import sync_playwright

    cases = {name: case for name, case in CASES.items() if name == BARE or wanted in name}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        lab = Server(ROOT / "app.py", Path(place) / "lab.txt")
        bare = Server(ROOT / "tests/browser/apps/bare_app.py", Path(place) / "bare.txt")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            pages = {}
            for name, case in cases.items():
                pages[name] = browser.new_page(viewport={"width": 1366, "height": 900})
                pages[name].goto(f"{lab.url}/{case.path}" if case.path else f"{bare.url}/")
                pages[name].wait_for_timeout(4000)
                if case.press:
                    pages[name].locator(f"[data-aklo={case.component}]").focus()
                    pages[name].keyboard.press(case.press)
            times: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
            for i in range(ROUNDS + WARM):
                for name, case in cases.items():
                    pages[name].bring_to_front()
                    found = release_to_picture(pages[name], case, 0.5 + (0.06 + 0.024 * i) * (-1) ** i)
                    if i >= WARM and found:
                        times[name].append(found)
            floor = statistics.median(first for first, _ in times[BARE])
            print("From a slider's release to its picture (must at most 1.5 × the bare page, aim 1 ×)")
            quickest = min(first for first, _ in times[BARE])
            for name, measured in times.items():
                if not measured:
                    print(f"{name:<32} the picture stayed as it was, each time", flush=True)
                    continue
                first, last = (statistics.median(column) for column in zip(*measured, strict=True))
                best = min(first for first, _ in measured)
                print(
                    f"{name:<32} median {first:5.0f} ms {first / floor:5.2f} ×   quickest {best:5.0f} ms "
                    f"{best / quickest:5.2f} ×   last chart {last:5.0f} ms",
                    flush=True,
                )
        finally:
            browser.close()
            lab.stop()
            bare.stop()
    if not wanted:
        player.main()


if __name__ == "__main__":
    main(*sys.argv[1:2])
