"""The page for teachers in a browser: the states of the plan, and worksheets on paper, alone and as a class set."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from aklo.lab.content import lesson_answers, teaching, worksheets
from aklo.lab.export.worksheet_html import lab_link
from aklo.lab.frame.navigation import PAGES
from aklo.lab.settings.schema import read_address
from tests.browser.conftest import patient
from tests.browser.observe import FreshVisits, check_true
from tests.browser.steps import arrive, fits, go_to, healthy, pick, settle, until_query
from tests.browser.test_axe import Tour
from tests.test_cli import cli

pytestmark = pytest.mark.thorough

ALL = lesson_answers.all_lessons()
PAPERS = ("A4", "Letter")
LAB = "https://lab.example"
EDGE = round(72 * 0.4)  # points at the sides of the paper that stay white
# What reaches beyond its worksheet, and worksheets that are higher than Letter between its margins.
OUTSIDE = """() => [...document.querySelectorAll('.aklo-sheet')].flatMap((sheet) => {
  const box = sheet.getBoundingClientRect();
  const faults = [...sheet.querySelectorAll('*')].filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1;
  }).map((e) => `${e.tagName} ${e.textContent.slice(0, 40)}`);
  if (box.height > 965 && !sheet.matches('.aklo-set .aklo-key')) faults.push(`${box.height} high`);
  const room = sheet.querySelector('.lines');
  if (room && room.getBoundingClientRect().height < 115) faults.push('no room for reasons');
  return faults;
})"""

LIAR = r"as printed: 100 mistakes. Clipped on each expert: 0"
HURT = r"Unif Sample gains −[\d.]+ points on average, and hurts 4\d of 50 tasks"
# Text of a link -> what is found where it leads: an element, or words.
FINDS = {
    "eight examples with covered labels": "[data-aklo=player][data-task='0'][data-t='1']",
    "with the label covered": "[data-aklo=player][data-task='0'][data-t='1']",
    "The whole task": "[data-aklo=player][data-task='0'][data-t='1']",
    "it is the best of the six methods": r"TOL makes the fewest mistakes",
    "All six methods, with opposite rules": r"AKLO Sum makes the fewest mistakes",
    "is the worst of the six": r"AKLO Sum makes the fewest mistakes",
    "The gain of each task over asking nobody": HURT,
    "is hurt in nearly every task": HURT,
    "A late task": "[data-aklo=player][data-task='30'][data-t='1']",
    "step 11": "12 hold 90 %",
    "Ten examples into a late task": "12 hold 90 %",
    "it takes as long": "Where the weight goes",
    "The four, side by side": r"B · Linear, final α 0",
    "the paper's stream": r"AKLO Sum, %",
    "a stream in which every task is a little different": r"AKLO Sum, %",
    "The loud liar": LIAR,
    "A liar with huge numbers": LIAR,
    "this task": r"allows [\d.]+ mistakes in 100 examples, so it says nothing here",
    "the paper's own stream, all six methods": r"AKLO Sum makes the fewest mistakes",
    "this stream": r"AKLO Sum makes the fewest mistakes",
}


def test_links_of_plan_and_misconceptions_open_what_they_claim(page, serve):
    links: dict[str, list[str]] = {}  # address -> the texts of the links that lead there
    for part in ("Plan", "Misconceptions"):
        arrive(page, f"{serve('app.py')}/teachers?pp={part}", "For teachers")
        found = page.get_by_test_id("stMain").locator("[data-testid=stMarkdownContainer] a:not([href^='#'])")
        found.first.wait_for()
        for link in found.all():
            assert link.get_attribute("target") == "_blank", "the plan stays open"
            links.setdefault(link.evaluate("e => e.href"), []).append(" ".join(link.inner_text().split()))
    assert {text for texts in links.values() for text in texts if not text.startswith("lesson ")} == set(FINDS)
    for address, texts in links.items():
        stem = urlsplit(address).path.rpartition("/")[2]
        if stem == "lessons":  # tests/test_page_teachers.py has that these exist, test_lessons.py opens them
            continue
        arrive(page, address, PAGES[stem].name)
        healthy(page)
        assert page.locator(".st-key-notes").count() == 0, f"{texts}: a part of the link was changed"
        asked = dict(parse_qsl(urlsplit(address).query))
        here, _ = read_address(dict(parse_qsl(urlsplit(page.url).query)))
        assert here == read_address(asked)[0], texts
        for expected in {FINDS[text] for text in texts}:
            if expected.startswith("["):
                page.locator(expected).wait_for()
            else:
                page.get_by_test_id("stMain").get_by_text(re.compile(expected)).first.wait_for(state="attached")


def to_pdf(page, file: Path, paper: str):
    import pypdfium2

    page.pdf(path=file, format=paper)
    return pypdfium2.PdfDocument(file)


def text_of(sheet) -> str:
    return sheet.get_textpage().get_text_range().replace("\r\n", " ")


def nothing_cut(page, document) -> None:
    """Nothing reaches beyond its worksheet, no worksheet beyond its paper, and the margins are white."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    faults = page.evaluate(OUTSIDE)
    page.emulate_media(media="null")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert faults == []
    for sheet in document:
        picture = sheet.render(scale=1, grayscale=True).to_numpy()
        for edge in (picture[:, :EDGE], picture[:, -EDGE:], picture[:EDGE], picture[-EDGE:]):
            assert (edge > 250).all()


def read_qr(sheet) -> str:
    """What a camera reads off the paper."""
    import zxingcpp

    (found,) = zxingcpp.read_barcodes(sheet.render(scale=3, grayscale=True).to_pil())
    return found.text


@pytest.mark.parametrize("key", [False, True])
def test_worksheets_of_all_lessons_fit_either_paper_with_and_without_the_key(visitor, serve, tmp_path, key):
    page = visitor(color_scheme="dark" if key else "light")
    base = serve("app.py")
    for number, lesson in enumerate(ALL, 1):
        arrive(page, f"{base}/teachers?pp=Worksheets&sheet={number}&s=17&wk={int(key)}")
        page.get_by_text(f"AKLO Lab · worksheet {number} · seed 17").wait_for()
        healthy(page)
        page.locator(".st-key-print_footer footer p").first.wait_for(state="attached")  # it lays the page out for paper
        sheet = worksheets.worksheet(number, lesson, 17)
        for paper in PAPERS:
            document = to_pdf(page, tmp_path / "sheet.pdf", paper)
            check_printed(document, sheet, base, key=key)
            nothing_cut(page, document)


def check_printed(document, sheet: worksheets.Worksheet, base: str, *, key: bool) -> None:
    """A worksheet is one page, and its key another; all of the worksheet is there, and nothing of the lab around it."""
    assert len(document) == 1 + key, sheet.lesson.name
    first = text_of(document[0])
    for words in (f"worksheet {sheet.number} · seed 17", sheet.lesson.title, "My reasons", "What happened",
                  "Check it when"):  # fmt: skip
        assert words in first, (sheet.lesson.name, words)
    assert "For teachers" not in first and "Print this page" not in first and "With answer key" not in first
    assert read_qr(document[0]) == lab_link(sheet, base)
    if key:
        second = text_of(document[1])
        assert f"answer key · worksheet {sheet.number}" in second and "To keep." in second
        outcome, said = (text.replace("\N{NO-BREAK SPACE}", " ") for text in (sheet.facts["outcome"], second))
        assert outcome in said


def test_controls_of_the_worksheet_and_its_link_agree(page, serve):
    arrive(page, f"{serve('app.py')}/teachers?pp=Worksheets")
    page.get_by_text("worksheet 1 · seed 0").wait_for()
    pick(page, "sheet_lesson", f"3 · {ALL[2].title}")
    until_query(page, sheet="3", pp="Worksheets")
    page.get_by_text("worksheet 3 · seed 0").wait_for()
    page.get_by_label("Seed", exact=True).fill("23")
    page.keyboard.press("Enter")
    until_query(page, s="23")
    page.get_by_text("With answer key", exact=True).click()
    until_query(page, wk="1")
    page.get_by_text("answer key · worksheet 3").wait_for()
    article = page.locator(".aklo-sheet")
    before = article.all_inner_texts()
    assert "seed 23" in before[0] and len(before) == 2
    page.reload()
    page.get_by_text("answer key · worksheet 3").wait_for()
    settle(page)
    assert article.all_inner_texts() == before
    page.go_back()
    until_query(page, wk=None)


def test_everybody_can_use_every_part_on_a_phone(visitor, serve):
    tour = Tour(visitor(width=390, height=844), serve("app.py"))
    for query in ("pp=Misconceptions", *(f"pp=Worksheets&wk=1&sheet={n}" for n in (1, len(ALL))), "pp=Running it"):
        arrive(tour.page, f"{tour.address}/teachers?{query}")
        tour.rest()
        assert fits(tour.page), query
        assert not tour.faults(), f"{query}: {tour.faults()}"


def test_controls_are_true_after_the_menu(page, serve):
    fresh = FreshVisits(patient(page.context.new_page()), {})
    arrive(page, f"{serve('app.py')}/watch?T=12&N=20&s=7")
    go_to(page, "For teachers")
    check_true(page, fresh)
    page.get_by_text("Worksheets", exact=True).click()
    until_query(page, pp="Worksheets", s="7")
    pick(page, "sheet_lesson", f"3 · {ALL[2].title}")
    until_query(page, sheet="3")
    check_true(page, fresh)
    go_to(page, "Watch it learn")
    assert "sheet=" not in page.url
    check_true(page, fresh)
    go_to(page, "For teachers")
    page.get_by_text("worksheet 3 · seed 7").wait_for()
    check_true(page, fresh)


def test_class_set_is_a_file_with_one_worksheet_to_a_page(page, tmp_path):
    file = tmp_path / "class.html"
    assert cli("worksheets", "--lesson", 2, "--seeds", "40-69", "--key", "--address", LAB, "--html", file)[0] == 0
    page.goto(file.as_uri())
    for paper in PAPERS:
        document = to_pdf(page, tmp_path / "class.pdf", paper)
        texts = [text_of(sheet) for sheet in document]
        assert 31 <= len(texts) <= 32 and "answer key" in texts[30]  # whose text may need a page more
        for seed, text in enumerate(texts[:30], 40):
            assert f"worksheet 2 · seed {seed}" in text and "Check it when" in text
            outcome = worksheets.worksheet(2, ALL[1], seed).facts["outcome"].split("\N{NO-BREAK SPACE}")[0]
            assert re.search(rf"\b{seed} {outcome}\s%", texts[30])
        assert read_qr(document[5]) == lab_link(worksheets.worksheet(2, ALL[1], 45), LAB)
        nothing_cut(page, document)


def test_links_are_relative_to_the_lab_that_shows_them():
    for name in ("goals", "plan", "misconceptions", "class"):
        assert "localhost" not in re.sub(r"not by localhost", "", teaching.text(name))
