"""How quick the lab feels: `python -m tests.benchmarks.lab` prints, beside what is required,

- from the release of a slider to its new picture, for sliders of each page: the first frame that shows the picture
  which that slider is about, drawn anew; beside a bare Streamlit page that redraws one small Plotly chart, both
  measured in this run, taking turns. The lab's sliders send their value when the button is pressed, Streamlit's when
  it is released, so a picture of the lab may be there before the release, which counts as 0. The second number is the
  answer alone, from when the value is sent, and its ratio to the bare page's. The third is when the last chart of the
  page was drawn;
- pictures a second while a slider is held and moved;
- frames a second while playing and bytes sent (tests.benchmarks.player).

No round asks for a value that was asked for before, as far as the slider has that many, so that no cache helps.
"""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import player
from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path
from tests.browser.steps import control

ROUNDS = 10
LIMIT = 2  # times the bare page, after the release
WARM = 2  # rounds that are not counted
PRESS = 100  # milliseconds from pressing the button to releasing it, about a person's

# From the event to the first frame in which the picture is there and another one; to the last time that any chart was
# drawn; and to the release.
ARM = """([root, look, event]) => {
  const picture = new Function('root', 'return ' + look);
  const before = picture(root);
  window.akloFirst = window.akloLast = null;
  window.akloRelease = 0;
  window.akloWatch?.disconnect();
  window.addEventListener(event, () => {
    const start = performance.now();
    const released = () => { window.akloRelease = performance.now() - start; };
    if (event === 'pointerdown') window.addEventListener('pointerup', released, { capture: true, once: true });
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
    """A slider, by the name of its key, and the picture that it is about: a chart by its key, or a component by its
    name, and what to look at in it. press: a key for the component beforehand."""

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
LINES = {"look": "root.querySelector('.main-svg')?.innerHTML"}
CASES = {
    BARE: Case("", "stSlider", chart="chart"),
    "watch: alpha's end": Case("watch", "alpha_Linear_end", **PLAYER),
    "watch: task": Case("watch", "setting_task", **PLAYER),
    "watch: share of D2 (sidebar)": Case("watch", "setting_share", **PLAYER),
    "watch: lambda (sidebar)": Case("watch", "setting_lam", **PLAYER),
    "alpha: share of D2 (sidebar)": Case("alpha", "setting_share", component="alpha", look="root.dataset.errors"),
    "compare: alpha's end": Case("compare", "alpha_Linear_end", **RACE),
    "compare: share of D2": Case("compare", "setting_share", **RACE),
    "compare: repetitions, the bands": Case(
        "compare", "setting_repetitions", component="chart][data-name=ace", **LINES
    ),
    "tasks: spread": Case("tasks", "setting_spread", **PLANE),
    "tasks: share of D2": Case("tasks", "setting_share", **PLANE),
}


@dataclass(frozen=True)
class Time:
    """Milliseconds to another picture: from the slider's release, from when its value was sent, and from then on to the
    last chart of the page."""

    release: float
    answer: float
    last: float


def click_to_picture(page, case: Case, place: float) -> Time | None:
    """The time from a click on a slider to another picture; None where the picture stays the same.

    place: where on the slider to click, from 0 to 1.
    """
    slider = control(page, case.slider) if case.path else page.get_by_test_id(case.slider)
    field = slider.locator("input[type=range]").first
    if case.component:  # a visitor looks at the picture
        page.locator(f"[data-aklo={case.component}]").scroll_into_view_if_needed()
    field.scroll_into_view_if_needed()
    if case.path:
        track, event = field.bounding_box(), "pointerdown"
    else:  # Streamlit's range input is hidden; its handle lies on the track
        track, event = slider.first.bounding_box(), "pointerup"
        handle = field.locator("xpath=ancestor::*[contains(@style,'left')][1]").bounding_box()
        track |= {"y": handle["y"], "height": handle["height"]}
    page.mouse.move(track["x"] + track["width"] * place, track["y"] + track["height"] / 2)
    if case.component:
        page.evaluate(ARM, [page.locator(f"[data-aklo={case.component}]").element_handle(), case.look, event])
    else:
        page.evaluate(ARM, [page.locator("[data-testid=stMain]").element_handle(), CHART.format(case.chart), event])
    page.mouse.down()
    page.wait_for_timeout(PRESS)
    page.mouse.up()
    page.wait_for_timeout(700)
    page.wait_for_function(
        "document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'", timeout=30_000
    )
    page.wait_for_timeout(300)
    first, last, release = page.evaluate("[window.akloFirst, window.akloLast, window.akloRelease]")
    return first and Time(max(first - release, 0), first, max(first, last or 0))


HELD = ("watch: alpha's end", "watch: task", "watch: lambda (sidebar)", "compare: share of D2", "tasks: spread")
LEAST = 8  # pictures a second while a slider is held
SECONDS, TIMES = 3, 3  # of the drag, and how often it goes to and fro: a slider of seven values passes 12 in a second
COUNT = """([root, look]) => {
  const picture = new Function('root', 'return ' + look);
  let last = picture(root);
  window.akloPictures = 0;
  const frame = () => {
    const now = picture(root);
    if (now !== last) { last = now; window.akloPictures += 1; }
    window.akloFrame = requestAnimationFrame(frame);
  };
  frame();
}"""


def pictures_while_held(page, case: Case) -> float:
    """Pictures a second while a slider is moved to and fro with the button held."""
    field = control(page, case.slider).locator("input[type=range]").first
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.3, y)
    page.mouse.down()
    page.evaluate(COUNT, [page.locator(f"[data-aklo={case.component}]").element_handle(), case.look])
    start = time.monotonic()
    while (passed := time.monotonic() - start) < SECONDS:
        page.mouse.move(box["x"] + box["width"] * (0.5 - 0.4 * math.cos(2 * math.pi * TIMES * passed / SECONDS)), y)
        page.wait_for_timeout(15)
    found = page.evaluate("cancelAnimationFrame(window.akloFrame), window.akloPictures")
    page.mouse.up()
    page.wait_for_timeout(1000)
    return found / passed


def opened(browser, address: str, case: Case):
    """A page, drawn and ready. Not one for each case: with more than eight visitors sliders report on release only."""
    page = browser.new_page(viewport={"width": 1366, "height": 900})
    page.goto(address)
    page.wait_for_timeout(4000)
    if case.press:
        page.locator(f"[data-aklo={case.component}]").focus()
        page.keyboard.press(case.press)
    return page


def main(wanted: str = "") -> None:
    from playwright.sync_api import sync_playwright

    cases = {name: case for name, case in CASES.items() if name == BARE or wanted in name}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        lab = Server(ROOT / "app.py", Path(place) / "lab.txt")
        bare = Server(ROOT / "tests/browser/apps/bare_app.py", Path(place) / "bare.txt")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            pages = {}
            for case in cases.values():
                if case.path not in pages:
                    pages[case.path] = opened(browser, f"{lab.url}/{case.path}" if case.path else f"{bare.url}/", case)
            times: dict[str, list[Time]] = {name: [] for name in cases}
            for i in range(ROUNDS + WARM):
                for name, case in cases.items():
                    pages[case.path].bring_to_front()
                    found = click_to_picture(pages[case.path], case, 0.5 + (0.06 + 0.024 * i) * (-1) ** i)
                    if i >= WARM and found:
                        times[name].append(found)
            floor = statistics.median(one.release for one in times[BARE])
            print(f"From a slider's release to its picture (at most {LIMIT} × the bare page), and the answer alone")
            for name, measured in times.items():
                if not measured:
                    print(f"{name:<32} the picture stayed as it was, each time", flush=True)
                    continue
                release, answer, last = (
                    statistics.median(getattr(one, name) for one in measured) for name in ("release", "answer", "last")
                )
                print(
                    f"{name:<32} release {release:4.0f} ms   answer {answer:4.0f} ms {answer / floor:5.2f} ×   "
                    f"last chart {last:4.0f} ms   {'ok' if release <= LIMIT * floor else 'OVER'}",
                    flush=True,
                )
            print(f"Pictures a second while a slider is held and moved (at least {LEAST})")
            for page in pages.values():
                page.close()
            for name in (name for name in HELD if name in cases):
                page = opened(browser, f"{lab.url}/{cases[name].path}", cases[name])
                rate = pictures_while_held(page, cases[name])
                page.close()
                print(f"{name:<32} {rate:5.1f}   " + ("ok" if rate >= LEAST else "UNDER"), flush=True)
        finally:
            browser.close()
            lab.stop()
            bare.stop()
    if not wanted:
        player.main()


if __name__ == "__main__":
    main(*sys.argv[1:2])
