"""A chart of lines that the lab draws itself: what it shows, what a visitor can do with it, and that it stays."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from tests.browser.steps import arrive, settle, slide

CHART = ".st-key-ace [data-aklo=lines]"
CUT_OFF = """svg => {
  const box = svg.getBoundingClientRect();
  const inside = (at) => at.left >= box.left && at.right <= box.right + 1 && at.top >= box.top && at.bottom <= box.bottom + 1;
  return [...svg.querySelectorAll("text")].filter((word) => !inside(word.getBoundingClientRect())).map((word) => word.textContent);
}"""  # noqa: E501


def opened(page, serve, query: str = ""):
    arrive(page, f"{serve('app.py')}/compare?T=12&N=20&R=3{query}", "Race the six")
    chart = page.locator(CHART)
    chart.locator("[data-line]").first.wait_for()
    return chart


def test_lines_bands_axes_and_words(page, serve):
    chart = opened(page, serve)
    drawing = chart.get_by_role("img")
    assert drawing.get_attribute("aria-label").startswith("Average error after 12 tasks: ")
    names = chart.get_by_role("group", name="Lines shown").get_by_role("button").all_inner_texts()
    assert [line.get_attribute("data-line") for line in chart.locator("[data-line]").all()] == names
    assert names == ["ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum"]
    assert drawing.locator("path").count() == 12  # a band for each
    words = drawing.locator("text").all_text_contents()
    assert {"0%", "Task (counted from 0)", "Average error up to here"} <= set(words)
    assert drawing.evaluate(CUT_OFF) == []


def test_pointing_reads_the_numbers_of_the_table(page, serve):
    chart = opened(page, serve)
    chart.scroll_into_view_if_needed()
    box = chart.get_by_role("img").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 13, box["y"] + 60)  # the last task
    readout = chart.locator(".readout")
    readout.wait_for()
    assert readout.locator("p").first.inner_text() == "Task (counted from 0): 11"
    read = dict(row.inner_text().split("\n") for row in readout.locator("p").all()[1:])
    page.locator("tbody tr").nth(5).wait_for()
    cells = [row.locator("td").all_inner_texts() for row in page.locator("tbody tr").all()]
    wrong = {method: share for method, _, share, *_ in cells}
    assert read.keys() == wrong.keys()
    for method, words in read.items():
        assert re.sub(r"[% ]", "", words).split("±") == re.sub(r"[% ]", "", wrong[method]).split("±"), method
    page.mouse.move(5, 5)
    readout.wait_for(state="hidden")


def test_pointing_at_a_mark_reads_its_number(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?T=12&N=20&k=linear:end%3D0&a=linear:end%3D0.5&m=AKLO Sum", "Shape alpha")
    chart = page.locator(".st-key-alpha_ace [data-aklo=lines]")
    drawing = chart.get_by_role("img")
    drawing.wait_for()
    chart.scroll_into_view_if_needed()
    marks = drawing.locator("path:not([data-line])")
    assert marks.count() == 4 * 2  # a mark for each method that asks the knowledge base, in two rows
    assert {"A", "Now"} <= set(drawing.locator("text").all_text_contents())
    marks.last.hover(force=True)  # the last method's, in the last row
    readout = chart.locator(".readout")
    readout.wait_for()
    heading, *rows = [row.inner_text() for row in readout.locator("p").all()]
    read = dict(row.split("\n") for row in rows)
    told = re.search(r"Now ([\d.]+)\s%; ITOL ([\d.]+)\s%", drawing.get_attribute("aria-label"))
    assert heading == "Now" and read["AKLO Sum"] == f"{told[1]} %"
    box = chart.locator("[data-line=ITOL]").bounding_box()
    page.mouse.move(box["x"], box["y"] + box["height"] / 2)  # between the rows
    page.wait_for_function("e => e.innerText.includes('ITOL')", arg=readout.element_handle())
    assert f"ITOL\n{told[2]} %" in readout.inner_text()
    chart.get_by_role("button", name="AKLO Sum", exact=True).click()
    assert marks.count() == 3 * 2


def test_what_is_hidden_stays_hidden_when_the_numbers_change(page, serve):
    chart = opened(page, serve)
    chart.evaluate("e => { e.mine = true }")
    chip = chart.get_by_role("button", name="TOL", exact=True)
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    assert chart.locator("[data-line='TOL']").count() == 0
    before = chart.locator("[data-line='ITOL']").get_attribute("d")
    slide(page, "setting_repetitions", "ArrowRight", 2)
    page.wait_for_url("**R=5**")
    page.wait_for_function(
        "([root, before]) => root.querySelector('[data-line=ITOL]')?.getAttribute('d') !== before",
        arg=[chart.element_handle(), before],
    )
    settle(page)
    assert chart.evaluate("e => e.mine"), "the chart was made anew"
    assert chart.locator("[data-line='TOL']").count() == 0 and chip.get_attribute("aria-pressed") == "false"
    chip.click()
    chart.locator("[data-line='TOL']").wait_for()


def test_saved_as_a_picture_and_seen_large(page, serve):
    chart = opened(page, serve)
    chart.hover()
    with page.expect_download() as saved:
        chart.get_by_role("button", name="Save picture").click()
    assert saved.value.suggested_filename == "ace.svg"
    drawing = ElementTree.parse(saved.value.path()).getroot()
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"AKLO Sum", "Average error up to here"} <= set(texts)
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}path"))) == 12
    chart.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    page.wait_for_function(
        "([root]) => root.querySelector('svg[role=img]').clientHeight > 600", arg=[chart.element_handle()]
    )
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function("!document.fullscreenElement")
