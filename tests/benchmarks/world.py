"""How soon the world answers: `python -m tests.benchmarks.world` clicks in a real browser and prints the median times

- from the click that places an example to the frame that shows what is predicted;
- from the key that tells a label to the frame that shows the counters after it;

for a small, the default and the largest knowledge base, with few and with many examples told, beside what is required.
Machines are shared and noisy, so each is also told as a ratio to the least that a click can cost, a bare component that
counts its clicks by way of the server, which takes turns with it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path

CLICKS = 20
MUST = 200  # milliseconds, median

# From the event to the first frame in which the newest story is answered; the frame itself is then drawn.
ARM = """([root, kind]) => {
  window.akloMs = null;
  root.addEventListener(kind, () => {
    const start = performance.now();
    const before = root.dataset.serial;
    const frame = () => {
      if (root.dataset.serial !== before && root.dataset.state === 'ready') window.akloMs = performance.now() - start;
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, { capture: true, once: true });
}"""

CASES = {
    "5 × 20, first examples": ("T=5&N=20", 0),
    "50 × 100 (default), first examples": ("T=50&N=100", 0),
    "50 × 100 (default), 200 told before": ("T=50&N=100", 200),
    "200 × 1000, 200 told before": ("T=200&N=1000", 200),
}


def timed(page, root, kind: str, act) -> float:
    """Milliseconds from an event to its answer."""
    page.evaluate(ARM, [root.element_handle(), kind])
    act()
    page.wait_for_function("window.akloMs !== null", timeout=30_000)
    return page.evaluate("window.akloMs")


def told_before(n: int) -> str:
    """A story of n examples, as the browser keeps it."""
    flat = ",".join(f"{6 + k % 9},{4 + k % 7},{1 if k % 3 else -1}" for k in range(n))
    return f'{{"serial":1,"tasks":[],"now":[{flat}],"ask":null}}'


def measure(browser, address: str, told: int, echo: str) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of each click, of each label, and of each click on the bare page in between."""
    bare = browser.new_page()
    bare.goto(echo)
    button = bare.locator("[data-aklo=echo]")
    button.wait_for()
    page = browser.new_page(viewport={"width": 1366, "height": 1000})
    if told:
        page.add_init_script(f"sessionStorage.setItem('aklo-world', '{told_before(told)}')")
    page.goto(address)
    root = page.locator("[data-aklo=world]")
    root.wait_for(timeout=120_000)
    page.wait_for_function(f"e => e.dataset.told === '{told}'", arg=root.element_handle(), timeout=60_000)
    canvas = root.locator(".plane canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    asked, answered, echoed = [], [], []
    for k in range(CLICKS + 2):
        page.bring_to_front()
        x, y = box["x"] + box["width"] * (0.2 + 0.03 * (k % 20)), box["y"] + box["height"] * (0.2 + 0.6 * (k % 5) / 4)
        asked.append(timed(page, root, "click", lambda x=x, y=y: page.mouse.click(x, y)))
        page.wait_for_timeout(150)
        answered.append(timed(page, root, "keydown", lambda k=k: page.keyboard.press("+" if k % 2 else "-")))
        page.wait_for_timeout(450)  # until the picture has come to rest
        bare.bring_to_front()
        echoed.append(timed(bare, button, "click", button.click))
    page.close()
    bare.close()
    return asked[2:], answered[2:], echoed[2:]


def main() -> None:
    from playwright.sync_api import sync_playwright

    print(f"load on {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        lab = Server(ROOT / "app.py", Path(place) / "lab.txt")
        bare = Server(ROOT / "tests/browser/apps/echo_app.py", Path(place) / "bare.txt")
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
        try:
            for name, (query, told) in CASES.items():
                asked, answered, echoed = measure(browser, f"{lab.url}/world?{query}", told, bare.url)
                floor = statistics.median(echoed)
                print(f"{name}; the bare page takes {floor:.0f} ms")
                for what, times in (("click → prediction", asked), ("label → counters", answered)):
                    ms = statistics.median(times)
                    print(f"    {what:<22}{ms:6.0f} ms median (must {MUST}), {ms / floor:4.1f}× the bare page")
        finally:
            browser.close()
            lab.stop()
            bare.stop()


if __name__ == "__main__":
    main()
