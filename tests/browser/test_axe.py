"""Everybody: axe-core finds no serious fault on any page, in light, in dark, and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from aklo.lab.content import lesson_answers, room_questions
from aklo.lab.server.rooms import rooms
from tests.browser.conftest import Visitors
from tests.browser.steps import LESSONS, PAGES, arrive, fits, make_guess, settle

ON_A_PHONE = ("Home", "Watch it learn", "Sandbox", "Compare the methods")
SERIOUS = ("serious", "critical")

# What we cannot change, one by one: (rule, selector, whose it is and why it stays).
NOT_OURS: tuple[tuple[str, str, str], ...] = ()

RUN = """async ([options, notOurs]) => {
  const found = await axe.run(document, {...options, resultTypes: ["violations"], elementRef: true});
  const ours = (rule, node) => !notOurs.some(([its, selector]) => its === rule && node.element?.matches(selector));
  return found.violations.flatMap(({id, impact, help, nodes}) => nodes.filter((node) => ours(id, node)).map((node) =>
    ({id, impact, help, html: node.html, where: node.target.flat().join(" "), why: node.failureSummary})));
}"""
# Until no element has come or gone for a while: parts of a page come when the picture has been shown.
STILL = """() => new Promise((resolve) => {
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(done, 350); };
  const observer = new MutationObserver(wait);
  const done = () => { observer.disconnect(); clearTimeout(timer); clearTimeout(last); resolve(); };
  const last = setTimeout(done, 8000);
  observer.observe(document.body, {subtree: true, childList: true});
  wait();
})"""


# Whether the text of every chart is light on dark, or dark on light, as the theme is.
CHARTS_TURNED = """scheme => [...document.querySelectorAll('.aklo-chart')].every((chart) =>
  (Number(getComputedStyle(chart).color.match(/[0-9]+/)[0]) > 128) === (scheme === 'dark'))"""


class Tour:
    """One visit, from page to page, and what axe says about each."""

    def __init__(self, page, address: str) -> None:
        self.page = page
        self.address = address
        self.scheme = "light"

    def go(self, label: str) -> None:
        """By the menu, which is quicker than by the address."""
        before = self.page.locator("h1").inner_text()
        if self.page.url.split("?")[0].rstrip("/") != f"{self.address}/{PAGES[label]}".rstrip("/"):
            self.page.get_by_test_id("stSidebar").get_by_role("link", name=label, exact=True).click()
            self.page.wait_for_function("before => document.querySelector('h1')?.innerText !== before", arg=before)
        self.rest()

    def open(self, label: str) -> None:
        """By its address, where the menu is folded away."""
        arrive(self.page, f"{self.address}/{PAGES[label]}")
        self.rest()

    def rest(self) -> None:
        settle(self.page)
        self.page.evaluate(STILL)
        settle(self.page)

    def turn(self) -> None:
        """The other of the two themes."""
        self.scheme = "dark" if self.scheme == "light" else "light"
        self.page.emulate_media(color_scheme=self.scheme)
        self.page.wait_for_function(
            "scheme => getComputedStyle(document.querySelector('.stApp')).colorScheme === scheme", arg=self.scheme
        )
        self.page.wait_for_function(CHARTS_TURNED, arg=self.scheme)  # the server draws them anew
        self.rest()

    @contextmanager
    def held_narrow(self) -> Iterator[None]:
        """As on a phone, for a while."""
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": 390, "height": 844})
        self.page.wait_for_function("innerWidth === 390")
        self.page.evaluate(STILL)
        try:
            yield
        finally:
            self.page.set_viewport_size(size)

    def faults(self, *rules: str) -> list[str]:
        """What axe finds, as lines to read. rules: these only, otherwise all."""
        from axe_playwright_python.base import AXE_SCRIPT

        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        options = {"runOnly": list(rules)} if rules else {}
        found = self.page.evaluate(RUN, [options, [list(known[:2]) for known in NOT_OURS]])
        width = self.page.viewport_size["width"]
        return [
            f"{self.scheme}, {width} wide: {f['id']} ({f['impact']}): {f['help']}\n"
            f"  {f['where']}\n  {f['html'][:400]}\n  {f['why']}"
            for f in found
            if f["impact"] in SERIOUS
        ]


@pytest.fixture(scope="module")
def visits(chromium) -> Iterator[Visitors]:
    visitors = Visitors(chromium)
    yield visitors
    visitors.close()
    assert not visitors.wrong, "\n".join(visitors.wrong)


@pytest.fixture(scope="module")
def tour(visits, serve) -> Tour:
    page = visits(reduced_motion="reduce")
    page.set_default_timeout(60_000)  # one of the pages starts to reproduce the paper when it is opened
    arrive(page, serve("app.py"))
    return Tour(page, serve("app.py"))


@pytest.fixture(scope="module")
def phone(visits, serve) -> Tour:
    return Tour(visits(width=390, height=844, reduced_motion="reduce", has_touch=True), serve("app.py"))


@pytest.mark.thorough
@pytest.mark.parametrize("label", list(PAGES))
def test_everybody_can_use_it(tour, label):
    tour.go(label)
    # Formulas are thousands of pieces in the colour of the text around them, which nobody is read.
    style = tour.page.add_style_tag(content=".katex-html { display: none }")
    faults = tour.faults()
    tour.turn()
    faults += tour.faults("color-contrast")  # the theme changes colours only
    style.evaluate("style => style.remove()")
    assert not faults, f"{len(faults)} on {label}:\n\n" + "\n\n".join(faults)


@pytest.mark.thorough
def test_everybody_can_take_a_lesson(tour):
    """With reduced motion the answer stands at its end at once, and is told without anything that moves."""
    arrive(tour.page, f"{tour.address}/lessons?lesson=2")
    tour.page.locator(".st-key-before_2-together .main-svg").first.wait_for()
    tour.rest()
    faults = tour.faults()
    said = make_guess(tour.page, LESSONS[1])
    tour.page.get_by_role("button", name=f"Commit to “{said}”").click()
    tour.page.get_by_text("To keep.").wait_for()
    tour.rest()
    faults += tour.faults()
    tour.turn()
    faults += tour.faults("color-contrast")
    assert not faults, "\n\n".join(faults)
    with tour.held_narrow():
        assert fits(tour.page)


@pytest.mark.parametrize("label", ON_A_PHONE)
def test_everybody_can_use_it_on_a_phone(phone, label):
    phone.open(label)
    faults = phone.faults()
    assert not faults, f"{len(faults)} on {label}:\n\n" + "\n\n".join(faults)
    assert fits(phone.page)


@pytest.mark.thorough
def test_everybody_can_use_the_share_dialog(tour):
    tour.go("Watch it learn")
    tour.page.get_by_role("button", name="Share", exact=True).click()
    tour.page.get_by_role("img", name="QR code of the link").wait_for()
    faults = tour.faults()
    tour.turn()
    faults += tour.faults("color-contrast")
    tour.turn()
    tour.page.keyboard.press("Escape")
    assert not faults, "\n\n".join(faults)


def test_axe_sees_into_the_pictures(tour):
    """The components stand in shadow trees: a button without a name in one has to be found."""
    tour.go("Watch it learn")
    play = tour.page.locator("[data-aklo=player]").get_by_role("button", name="Play", exact=True)
    play.evaluate("b => { b.removeAttribute('aria-label'); b.removeAttribute('title'); }")
    assert any("button-name" in fault and "primary" in fault for fault in tour.faults("button-name"))


@pytest.mark.thorough
def test_everybody_can_use_a_room(visits, serve):
    """The wall and a student's phone, while they guess and after Reveal."""
    code, secret = rooms().open()
    wall = Tour(visits(reduced_motion="reduce"), serve("app.py"))
    seat = Tour(visits(width=390, height=844, reduced_motion="reduce", has_touch=True), serve("app.py"))
    wall.page.goto(f"{wall.address}/room?room={code}&teacher={secret}")
    wall.page.get_by_text("Nobody has joined yet").wait_for()
    seat.page.goto(f"{seat.address}/room?room={code}")
    seat.page.get_by_text("You are in the room").wait_for()
    faults = wall.faults()
    rooms().ask(code, secret, room_questions.of_lesson(lesson_answers.all_lessons()[1]))
    seat.page.get_by_role("button", name="Send my guess").wait_for()
    wall.page.get_by_role("button", name="Reveal").click()
    for one in (wall, seat):
        one.page.locator("[data-aklo=chart] .main-svg").first.wait_for()
        one.rest()
        faults += one.faults()
        one.turn()
        faults += one.faults("color-contrast")
        assert fits(one.page)
    assert not faults, "\n".join(faults)
