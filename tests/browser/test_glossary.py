"""Words explained where they stand, and on a page of their own that can be linked to."""

from __future__ import annotations

from aklo.lab.content import glossary
from tests.browser.steps import arrive, settle

PLAYER = "[data-aklo=player]"


def test_every_entry_has_its_anchor_and_every_formula_is_drawn(page, serve):
    arrive(page, f"{serve('app.py')}/glossary", "Glossary")
    page.locator("#mended").wait_for()
    there = set(page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)"))
    assert set(glossary.terms()) <= there and glossary.slug(glossary.CONTROLS) in there
    shown = page.locator(".katex-display").count()
    assert shown == len([term for term in glossary.terms().values() if term.formula])
    assert page.locator(".katex-error").count() == 0
    page.evaluate("location.hash = '#50%'")
    page.reload()
    page.locator("#mended").wait_for()  # and no error in the console
    settle(page)


def test_a_link_to_a_word_goes_to_it(page, serve):
    arrive(page, f"{serve('app.py')}/glossary#theorem-1", "Glossary")
    top = "document.getElementById('theorem-1')?.getBoundingClientRect().top"
    seen = f"() => {{ const y = {top}; return 0 <= y && y < 500; }}"
    page.wait_for_function(seen)
    page.wait_for_function("document.fonts.status === 'loaded'")
    page.wait_for_function(seen)  # the formulas' type came late and has moved all that stands below them
    assert page.url.endswith("#theorem-1")


def test_a_question_mark_explains_each_part_of_the_player_by_keyboard(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=10&N=20&t=5", "Watch it learn")
    root = page.locator(PLAYER)
    root.wait_for()
    for part in (".plane", ".weights", ".trust", ".race", ".sentence"):
        ask, note = root.locator(f"{part} .ask"), root.locator(f"{part} .help")
        assert ask.get_attribute("aria-label").startswith("What is shown: ")
        assert ask.get_attribute("aria-controls") == note.get_attribute("id")
        ask.focus()
        page.keyboard.press("Enter")
        note.wait_for()
        assert ask.get_attribute("aria-expanded") == "true"
        assert len(note.inner_text()) > 80
        seen, inside = note.bounding_box(), root.bounding_box()
        assert seen["x"] >= inside["x"] and seen["x"] + seen["width"] <= inside["x"] + inside["width"]
        page.keyboard.press("Escape")
        note.wait_for(state="hidden")
        assert ask.get_attribute("aria-expanded") == "false"


def test_escape_closes_the_note_and_leaves_full_screen_alone(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=10&N=20&t=5", "Watch it learn")
    root = page.locator(PLAYER)
    root.locator(".sentence .ask").wait_for()
    root.evaluate("e => { e.requestFullscreen = () => Promise.reject(); }")  # as where a browser refuses it
    root.get_by_role("button", name="Full screen").click()
    page.locator(f"{PLAYER}.full").wait_for()
    root.locator(".sentence .ask").click()
    page.keyboard.press("Escape")
    root.locator(".sentence .help").wait_for(state="hidden")
    assert "full" in root.get_attribute("class")
    page.keyboard.press("Escape")
    page.wait_for_function("e => !e.classList.contains('full')", arg=root.element_handle())
