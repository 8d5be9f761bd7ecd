"""Pages on paper: no menu, nothing to press, no picture cut, and the settings as the last line."""

from __future__ import annotations

from pathlib import Path

import pytest

from aklo.lab.frame.navigation import PAGES as EVERY
from tests.browser.observe import observe
from tests.browser.steps import PAGES, arrive, healthy

pytestmark = pytest.mark.thorough

SMALL = "T=8&N=30&t=5&R=2"
MARGIN = 0.4  # inches that stay white: the style sheet's 12 mm are 0.47
# Each picture on the page, and what is wrong with its place on paper.
CUT = """() => {
  const shadows = (root) => [...root.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const inside = (root) => shadows(root).flatMap((shadow) => [shadow, ...inside(shadow)]);
  const above = (e) => e.parentElement ?? e.getRootNode().host;
  const kinds = '.js-plotly-plot .main-svg, [data-aklo] canvas, [data-aklo=alpha] svg, .stMain img, .stMain table';
  const pictures = [document, ...inside(document)].flatMap((root) => [...root.querySelectorAll(kinds)]).filter(
    (e) => e.checkVisibility() && e.getBoundingClientRect().width > 20);
  const page = document.querySelector('.stMainBlockContainer').getBoundingClientRect();
  const faults = [];
  for (const picture of pictures) {
    const box = picture.getBoundingClientRect();
    const fault = (words) => faults.push(`${picture.tagName} ${words}`);
    const drawn = picture.width / picture.height, shown = box.width / box.height;
    if (picture.tagName === 'CANVAS' && Math.abs(drawn / shown - 1) > 0.02) fault(`drawn as ${drawn}, not ${shown}`);
    if (box.left < page.left - 1 || box.right > page.right + 1) fault('is beyond the paper');
    for (let e = above(picture); e; e = above(e)) {
      const style = getComputedStyle(e), around = e.getBoundingClientRect();
      const wider = box.left < around.left - 2 || box.right > around.right + 2;
      const higher = box.top < around.top - 2 || box.bottom > around.bottom + 2;
      if (style.overflowX !== 'visible' && wider) fault(`is cut at a side by ${e.className}`);
      if (style.overflowY !== 'visible' && higher) fault(`is cut above or below by ${e.className}`);
    }
  }
  return [pictures.length, faults, page.width];
}"""


def printed(page, file: Path, paper: str):
    """Print the page as a visitor does; gives the PDF document."""
    import pypdfium2

    page.locator(".st-key-print_footer footer p").first.wait_for(state="attached")
    page.pdf(path=file, format=paper)
    return pypdfium2.PdfDocument(file)


def words_of(document) -> str:
    return "\n".join(sheet.get_textpage().get_text_range() for sheet in document)


# Letter is wider than A4, and the layout is the same: some pages are enough.
WIDER = ("Watch it learn", "Compare the methods", "Shape alpha")


@pytest.mark.parametrize(
    ("label", "paper"), [*((label, "A4") for label in PAGES), *((label, "Letter") for label in WIDER)]
)
def test_printed_page_has_no_menu_and_nothing_cut(visitor, serve, tmp_path, label, paper):
    page = visitor(width=1366, height=900 if paper == "A4" else 650)  # in a low window the player is laid out otherwise
    arrive(page, f"{serve('app.py')}/{PAGES[label]}?{SMALL}")
    observe(page)
    healthy(page)
    title = page.locator("h1").inner_text()
    document = printed(page, tmp_path / "page.pdf", paper)
    text = words_of(document)
    assert title in text
    menu = [one.name for one in EVERY.values()]
    assert not all(name in text for name in menu) or label in ("Home", "Glossary"), "the menu is on paper"
    for word in ("Undo", "Redo", "Export", "Share\n", "Skip to main"):
        assert word not in text or label in ("Glossary", "Sandbox"), word
    assert f"{page.url.split('?')[0]}?" in text.replace("\n", "").replace("\r", "")
    assert "8 tasks of 30 examples, seed 0" in text.replace("\r\n", " ")
    assert "task 5, AKLO Sum." in text.replace("\r\n", " ")
    for sheet in document:  # nothing runs over the edge of the paper
        picture = sheet.render(scale=1, grayscale=True).to_numpy()
        edge = round(72 * MARGIN)
        assert (picture[:, :edge] > 250).all() and (picture[:, -edge:] > 250).all()
    # The same by the layout: before printing the page draws its pictures for the paper.
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    count, faults, width = page.evaluate(CUT)
    page.emulate_media(media="screen")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert faults == [] and width < 703  # what A4 has between the margins
    assert count or label in ("Lessons", "Room", "For teachers", "Glossary", "Your own data")


def test_after_printing_the_player_is_as_before(page, serve, tmp_path):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&i=7")
    root = page.locator("[data-aklo=player][data-t='7']")
    root.wait_for()
    observe(page)
    box = root.bounding_box()
    # Without the outermost pixels: the player's edge lies between two, and is not always painted the same.
    inside = {"x": round(box["x"]) + 4, "y": round(box["y"]) + 4}
    inside |= {"width": round(box["width"]) - 8, "height": round(box["height"]) - 8}
    before = page.screenshot(clip=inside)
    printed(page, tmp_path / "page.pdf", "A4")
    page.wait_for_function("!document.documentElement.classList.contains('aklo-printing')")
    observe(page)
    assert root.bounding_box() == box
    assert page.screenshot(clip=inside) == before


def test_printed_link_has_the_step_of_the_player(page, serve, tmp_path):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    root = page.locator("[data-aklo=player]")
    root.get_by_label("Time", exact=True).fill("17")
    page.locator("[data-aklo=player][data-t='17']").wait_for()
    assert "&i=17&" in words_of(printed(page, tmp_path / "page.pdf", "A4"))


def test_paper_is_white_in_the_dark_theme(visitor, serve, tmp_path):
    page = visitor(color_scheme="dark")
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&i=17")
    observe(page)
    (sheet,) = printed(page, tmp_path / "page.pdf", "A4")
    picture = sheet.render(scale=1, grayscale=True).to_numpy()
    assert (picture > 250).mean() > 0.6 and (picture < 100).mean() < 0.1
    assert page.locator("[data-aklo=player]").get_attribute("data-theme") == "dark"  # on the screen again
