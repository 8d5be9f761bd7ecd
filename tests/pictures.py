"""The README's pictures, taken from the real app: `python -m tests.pictures` writes assets/pictures anew.

Every picture is a page at a link, so that anybody can open what it shows. The moving one steps the player through a
task, an example a frame. With `--to FOLDER` every page is taken there instead, in light and dark, at the size of a
laptop, of a projector and of a phone, as it opens and whole: a round of looking at everything.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from aklo.lab.frame.navigation import PAGES
from tests.browser.conftest import ARGUMENTS, ROOT, Server, chromium_path
from tests.browser.steps import arrive

PICTURES = ROOT / "assets" / "pictures"
LINKS = {  # name -> (page and address, theme)
    "watch": ("watch", "light"),
    "watch-dark": ("watch", "dark"),
    "alpha": ("alpha", "light"),
    "tasks": ("tasks", "light"),
    "compare": ("compare", "light"),
    "transfer": ("transfer", "light"),
    "theory": ("theory?po=Counterexamples", "light"),
}
SIZES = {"laptop": (1366, 650), "projector": (1920, 950), "phone": (390, 844)}  # what a browser leaves to a page
WIDTH, STEPS = 960, 60  # of the moving picture
DRAWN = """() => !document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')
  && [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)]
    .flatMap((root) => [...root.querySelectorAll('[data-aklo=chart]')])
    .every((chart) => chart.querySelector('.main-svg'))
  && document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"""


@contextmanager
def opened(browser: Browser, address: str, size: tuple[int, int], theme: str) -> Iterator[Page]:
    touch = {"has_touch": True, "is_mobile": True} if size == SIZES["phone"] else {}
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce", **touch
    )
    page = context.new_page()
    arrive(page, address)
    page.wait_for_function(DRAWN)
    page.wait_for_timeout(1500)  # what a page asks for when it has shown its picture
    page.wait_for_function(DRAWN)
    yield page
    context.close()


def still(page: Page, path: Path, *, whole: bool = False) -> None:
    """What is seen, or all of the page, as a PNG."""
    if whole:
        height = page.get_by_test_id("stMain").evaluate("e => e.scrollHeight")
        page.set_viewport_size({"width": page.viewport_size["width"], "height": min(int(height) + 80, 8000)})
        page.wait_for_timeout(800)
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, optimize=True)


def part_way(page: Page) -> None:
    """The player on the screen, where most has happened and not all is over."""
    player = page.locator("[data-aklo=player]")
    player.focus()
    for key in ["End"] + ["ArrowLeft"] * 40:
        page.keyboard.press(key)
    player.blur()
    player.evaluate("e => e.scrollIntoView({ block: 'end' })")
    page.wait_for_timeout(500)


def moving(page: Page, path: Path) -> None:
    """The player, an example a frame, as an animated GIF."""
    player = page.locator("[data-aklo=player]")
    player.get_by_role("button", name="Restart").click()
    frames = []
    for _ in range(STEPS):
        shot = Image.open(io.BytesIO(player.screenshot())).convert("RGB")
        frames.append(shot.resize((WIDTH, round(shot.height * WIDTH / shot.width)), Image.Resampling.LANCZOS))
        player.get_by_role("button", name="Step forward").click()
        page.wait_for_timeout(60)
    # One palette for all, so that nothing flickers, and one in which the few red pixels of a mistake have their place.
    palette = frames[-1].quantize(192, method=Image.Quantize.MAXCOVERAGE)
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    first.save(path, save_all=True, append_images=rest, duration=[160] * len(rest) + [2500], loop=0, optimize=True)


@click.command()
@click.option("--to", type=click.Path(path_type=Path), help="Take every page at every size, and write it there.")
def main(to: Path | None) -> None:
    folder = to or PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        server = Server(ROOT / "app.py", Path(scratch) / "log.txt")
        try:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(ARGUMENTS))
            if to:
                for stem in PAGES:
                    name = "" if stem == "app" else stem
                    for size, pixels in SIZES.items():
                        for theme in ("light", "dark"):
                            with opened(browser, f"{server.url}/{name}", pixels, theme) as page:
                                still(page, folder / f"{name or 'home'}-{size}-{theme}.png")
                                still(page, folder / f"{name or 'home'}-{size}-{theme}-whole.png", whole=True)
                    click.echo(name or "home")
                return
            for name, (link, theme) in LINKS.items():
                with opened(browser, f"{server.url}/{link}", SIZES["laptop"], theme) as page:
                    if name.startswith(("watch", "theory")):
                        part_way(page)
                    still(page, folder / f"{name}.png")
                click.echo(f"{name}.png")
            with opened(browser, f"{server.url}/{LINKS['watch'][0]}", SIZES["laptop"], "light") as page:
                moving(page, folder / "watch.gif")
            click.echo("watch.gif")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
