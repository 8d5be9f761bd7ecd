"""What is exported is downloaded and opened: pictures that play from a file without a network, PNG, SVG, scripts."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import pytest

from tests.browser.steps import LESSONS, answer_lesson, arrive, chart, export, healthy, saved, settle

pytestmark = pytest.mark.thorough

PLAYER = "[data-aklo=player]"
ADDRESS = "?T=8&N=40&t=5&R=1"


def size_of(file: Path) -> tuple[int, int]:
    """Width and height of a PNG."""
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10_000
    return struct.unpack(">II", data[16:24])


@pytest.fixture
def offline(visitor):
    """offline(file) opens a file in a browser without a network, and fails where it asks for anything."""
    asked: list[str] = []

    def visit(file: Path, **options):
        page = visitor(offline=True, **options)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        return page

    yield visit
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_the_player_plays_from_a_file(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/watch{ADDRESS}&fo=1", "Watch it learn")
    page.locator(f"{PLAYER}[data-task='5']").wait_for()
    file = export(page, "Page (HTML)", tmp_path)
    settings = json.loads(export(page, "Settings (JSON)", tmp_path).read_text())
    assert settings["link"].startswith(f"{serve('app.py')}/watch?") and settings["settings"]["n_examples"] == 40
    script = export(page, "The same in Python", tmp_path).read_text()
    assert settings["link"] in script and "aklo.syn1" in script
    healthy(page)
    alone = offline(file)
    player = alone.locator(PLAYER)
    player.wait_for()
    assert player.get_attribute("data-t") == "1"
    alone.get_by_role("button", name="Play", exact=True).click()
    alone.locator(f"{PLAYER}[data-state=playing]").wait_for()
    # It ends with its task, since nobody is there to bring the next one.
    alone.locator(f"{PLAYER}[data-t='40'][data-state=paused]").wait_for()
    page.keyboard.press("Escape")
    page.locator(PLAYER).get_by_label("Time", exact=True).press("End")
    page.locator(f"{PLAYER}[data-t='40']").wait_for()
    assert alone.locator(".sentence").inner_text() == page.locator(f"{PLAYER} .sentence").inner_text()
    with alone.expect_download() as download:
        alone.get_by_role("button", name="Save picture").click()
    assert saved(download.value, tmp_path).name == "task_5_step_40.png"


def test_the_player_is_saved_as_a_picture(visitor, serve, tmp_path):
    page = visitor(color_scheme="dark")
    arrive(page, f"{serve('app.py')}/watch{ADDRESS}", "Watch it learn")
    page.locator(f"{PLAYER}[data-task='5']").wait_for()
    page.locator(PLAYER).get_by_label("Time", exact=True).press("End")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    file = saved(download.value, tmp_path)
    width, height = size_of(file)
    assert 1600 < width < 2400 and 1000 < height < 2000
    # As dark as the page, with marks and words on it: read back by the browser.
    colours = page.evaluate(
        """async (text) => {
          const image = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
          const canvas = new OffscreenCanvas(image.width, image.height);
          const g = canvas.getContext("2d");
          g.drawImage(image, 0, 0);
          const pixels = g.getImageData(0, 0, image.width, image.height).data;
          const seen = new Map();
          for (let k = 0; k < pixels.length; k += 4) {
            const colour = `${pixels[k]},${pixels[k + 1]},${pixels[k + 2]}`;
            seen.set(colour, (seen.get(colour) ?? 0) + 1);
          }
          return [[...pixels.slice(0, 3)].join(), Object.fromEntries([...seen].filter(([, n]) => n > 200))];
        }""",
        base64.b64encode(file.read_bytes()).decode(),
    )
    assert colours[0] == "18,22,29"
    for ink in ("232,236,242", "122,167,255"):  # words, and alpha's curve
        assert ink in colours[1]
    assert page.locator(PLAYER).get_attribute("data-t") == "40"


def test_the_picture_of_alpha_is_live_in_a_file(page, serve, offline, tmp_path):
    """It mixes the stream by itself, without a server."""
    arrive(page, f"{serve('app.py')}/alpha{ADDRESS}")
    root = page.locator("[data-aklo=alpha]")
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle())
    alone = offline(export(page, "Page (HTML)", tmp_path), width=1200)
    copy = alone.locator("[data-aklo=alpha]")
    alone.wait_for_function("e => e.dataset.errors", arg=copy.element_handle())
    assert copy.get_attribute("data-errors") == root.get_attribute("data-errors")
    copy.get_by_role("slider", name="Alpha at step", exact=False).nth(4).focus()
    alone.keyboard.press("PageDown")
    alone.wait_for_function(
        "([e, old]) => e.dataset.errors !== old", arg=[copy.element_handle(), root.get_attribute("data-errors")]
    )


@pytest.mark.parametrize(("path", "keys", "component"), [("compare", 1, "race")])
def test_charts_open_from_a_file(page, serve, offline, tmp_path, path, keys, component):
    arrive(page, f"{serve('app.py')}/{path}{ADDRESS}")
    page.locator(f"[data-aklo={component}]").wait_for()
    chart(page, "ace")
    settle(page)
    file = export(page, "Page (HTML)", tmp_path)
    picture = export(page, "Picture (PNG)", tmp_path)
    assert picture.name == f"{component}.png"  # nothing of the menu and the sidebar
    panel = page.locator(f"[data-aklo={component}] .panel").bounding_box()
    assert size_of(picture) == pytest.approx([2 * (panel[side] + 32) for side in ("width", "height")], abs=2)
    healthy(page)
    alone = offline(file, width=1200)
    alone.locator(f"[data-aklo={component}]").wait_for()
    alone.locator(".js-plotly-plot .main-svg").first.wait_for()
    assert alone.locator(".js-plotly-plot").count() == keys
    assert alone.locator(".js-plotly-plot .scatterlayer .trace").count() >= 3
    assert alone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if component == "race":
        alone.get_by_role("button", name="Play", exact=True).click()
        alone.locator("[data-aklo=race][data-state=playing]").wait_for()


def test_a_table_is_exported_as_csv(page, serve, tmp_path):
    arrive(page, f"{serve('app.py')}/tasks{ADDRESS}&pt=In numbers", "Design the tasks")
    text = export(page, "The groups (CSV)", tmp_path).read_text()
    assert text.startswith("Group,Tasks,Examples") and "\nD1,4,160" in text
    page.keyboard.press("Escape")
    page.get_by_role("button", name="The groups (CSV)").wait_for(state="hidden")
    healthy(page)


def test_exported_page_has_its_texts_in_order(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/compare{ADDRESS}", "Compare the methods")
    chart(page, "ace")
    settle(page)
    alone = offline(export(page, "Page (HTML)", tmp_path), width=1200)
    alone.locator("[data-name=ace] .main-svg").first.wait_for()
    found = alone.evaluate("""() => [...document.body.querySelectorAll('h1, figure, .text, .caption, footer')].map(
      (e) => e.dataset.name ?? (e.querySelector('table') ? 'table' : e.textContent.trim()))""")
    assert found[0] == "Compare the methods" and "how sure" in found[1]
    race, ace, table = map(found.index, ("race", "ace", "table"))
    verdict = found.index(page.locator(".st-key-verdict p").text_content())
    caption = next(k for k, text in enumerate(found) if text.startswith("The share of wrong predictions"))
    assert 1 < race < verdict < ace < caption < table
    assert "8 tasks of 40 examples" in found[-1]
    here = page.locator(".stMarkdown table").inner_text().split()
    assert alone.locator("table").inner_text().split() == here


def test_formulas_are_exported(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/glossary", "Glossary")
    alone = offline(export(page, "Page (HTML)", tmp_path))
    assert alone.locator("math").count() > 20 and alone.locator(".katex, script").count() == 0
    assert alone.locator("h4, h3").filter(has_text="Doubling trick").count() == 1


def test_charts_behave_in_the_file_as_on_the_page(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/compare{ADDRESS}", "Compare the methods")
    chart(page, "ace")
    alone = offline(export(page, "Page (HTML)", tmp_path), width=1200)
    entry = alone.locator("[data-name=ace]").get_by_role("button", name="TOL", exact=True)
    entry.click()
    alone.locator("[data-name=ace] button[aria-pressed=false]", has_text="TOL").wait_for()


def test_sandbox_is_exported_as_a_still_picture(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/world{ADDRESS}", "Sandbox")
    page.locator("[data-aklo=world] canvas").first.wait_for()
    alone = offline(export(page, "Page (HTML)", tmp_path), width=1200)
    picture = alone.locator("figure img")
    assert picture.evaluate("async e => { await e.decode(); return e.naturalWidth; }") > 1000
    alone.get_by_text("The horizon is unknown here.").wait_for()
    assert json.loads(export(page, "Settings (JSON)", tmp_path).read_text())["page"] == "Sandbox"


def test_lesson_is_exported(page, serve, offline, tmp_path):
    arrive(page, f"{serve('app.py')}/lessons?lesson=1", "Lessons")
    answer_lesson(page, LESSONS[0])
    page.locator(PLAYER).wait_for()
    settle(page)
    alone = offline(export(page, "Page (HTML)", tmp_path), width=1200)
    alone.locator(PLAYER).wait_for()
    alone.get_by_text("To keep.").wait_for()
    assert alone.locator("h2, h3").first.inner_text() == page.locator(".stHeading h3").first.inner_text()
    assert "lesson=1" in alone.locator("footer").inner_text()
