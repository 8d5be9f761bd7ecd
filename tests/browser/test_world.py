"""The page "Sandbox", used as people use it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import aklo
from aklo.world import World, said
from tests.browser.steps import control

pytestmark = pytest.mark.thorough

ROOT = "[data-aklo=world]"
QUERY = "T=8&N=30&c=advice&s=2"


@pytest.fixture
def lab(serve) -> str:
    return serve("app.py")


def visit(page, address: str):
    page.goto(address)
    root = page.locator(ROOT)
    root.wait_for(timeout=60_000)
    wait(root, "e.dataset.state === 'ready'")
    return root


def wait(root, condition: str) -> None:
    root.page.wait_for_function(f"e => {condition}", arg=root.element_handle(), polling="raf")


def until(root, **words) -> None:
    """Until the root's data say so, and the newest story is answered."""
    wait(root, " && ".join(f"e.dataset.{name} === '{value}'" for name, value in words.items()))


def press(root, name: str) -> None:
    root.get_by_role("button", name=name, exact=True).click()


def place(root, across: float, up: float) -> None:
    """Click into the plane, at shares of its width and height; until the prediction is shown."""
    box = root.locator(".plane canvas").bounding_box()
    root.page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] * (1 - up))
    until(root, pending="true", state="ready")


def kept(page) -> dict:
    return json.loads(page.evaluate("sessionStorage.getItem('aklo-world')"))


def counters(root) -> dict[str, list[str]]:
    """Method -> what it says, its mistakes in this task, and in all."""
    rows = root.locator(".counters tbody tr").evaluate_all(
        "rows => rows.map(r => [...r.querySelectorAll('th, td')].map(c => c.textContent.trim()))"
    )
    return {name: cells for name, *cells in rows}


def core(page) -> tuple[World, list, list]:
    """The core's world after the finished tasks that the browser kept, and the examples of the task that runs."""
    told = kept(page)
    world = World.after(aklo.learn(aklo.syn1(8, 30, seed=2), lam=1e-3), alpha=aklo.Power(0.5), clip="advice", seed=2)
    wrong = np.zeros(6, dtype=int)
    for task in told["tasks"]:
        table = np.reshape(task, (-1, 3))
        wrong += [int(world.play(table[:, :2], table[:, 2]).errors[m].sum()) for m in aklo.METHODS]
        world = world.finish(table[:, :2], table[:, 2])
    return world, np.reshape(told["now"], (-1, 3)), wrong


def check_counters(root) -> None:
    """The six counters are what the core counts for the same examples."""
    world, now, before = core(root.page)
    here = np.zeros(6, dtype=int)
    if len(now):
        errors = world.play(now[:, :2], now[:, 2]).errors
        here += [int(errors[m].sum()) for m in aklo.METHODS]
    rows = counters(root)
    assert [int(rows[m][1]) for m in aklo.METHODS] == here.tolist()
    assert [int(rows[m][2].split(" of ")[0]) for m in aklo.METHODS] == (before + here).tolist()


def check_question(root) -> None:
    """Before the label is told, what is shown is what the core says."""
    world, now, _ = core(root.page)
    asked = world.ask(now[:, :2], now[:, 2], kept(root.page)["ask"])
    rows = counters(root)
    assert [rows[m][0] for m in aklo.METHODS] == ["+1" if y > 0 else "−1" for y in said(asked).values()]
    number = root.locator(".voices .learner .number").text_content().replace("−", "-")
    assert float(number) == pytest.approx(asked.confidence["ITOL"][-1], abs=0.006)
    assert root.locator(".sentence .formula").text_content().endswith("truth ?")


def test_a_visit(lab, visitor):
    """Twenty-four clicks and more: labels in every way there is, undo, the adversary, two finished tasks, a reload."""
    page = visitor(reduced_motion="reduce")  # those who play on then do not wait for the eye
    root = visit(page, f"{lab}/world?{QUERY}")
    assert root.get_by_text("8 experts").is_visible()
    for name in ("Undo", "Clear task", "Start over", "Finish the task", "It is +1", "It is −1"):
        assert root.get_by_role("button", name=name, exact=True).is_disabled()

    rng = np.random.default_rng(0)
    ways = ["Here it is +1", "Here it is −1", "It is +1", "It is −1", "+", "-"]
    for t in range(24):
        place(root, *rng.uniform(0.2, 0.8, 2))
        if t % 6 == 0:
            check_question(root)
        way = ways[t % 6]
        if len(way) == 1:
            page.keyboard.press(way)
        else:
            press(root, way)
        until(root, told=t + 1, pending="false", state="ready")
    assert kept(page)["now"][2::3] == [1, -1] * 12
    check_counters(root)

    press(root, "Undo")  # the label: its example is a question again
    until(root, told=23, pending="true", state="ready")
    press(root, "It is +1")
    until(root, told=24, state="ready")
    assert kept(page)["now"][-1] == 1
    page.keyboard.press("Backspace")
    until(root, told=23, pending="true", state="ready")
    page.keyboard.press("Control+z")
    until(root, told=23, pending="false", state="ready")
    check_counters(root)

    press(root, "Finish the task")
    until(root, told=0, finished=1, state="ready")
    assert root.get_by_text("9 experts").is_visible()
    assert root.get_by_text("Your task 2", exact=True).is_visible()
    check_counters(root)

    press(root, "Play on with an adversary")
    until(root, state="playing")
    until(root, told=10, pending="false", state="ready")
    assert counters(root)["AKLO Sum"][1] == "10"
    check_counters(root)
    press(root, "Play on with D1")
    until(root, told=20, pending="false", state="ready")
    check_counters(root)
    press(root, "Finish the task")
    until(root, told=0, finished=2, state="ready")

    place(root, 0.5, 0.5)
    press(root, "It is −1")
    until(root, told=1, state="ready")
    place(root, 0.3, 0.6)
    before, rows, sentence = kept(page), counters(root), root.locator(".sentence").text_content()
    page.reload()
    root = page.locator(ROOT)
    root.wait_for()
    until(root, told=1, finished=2, pending="true", state="ready")
    assert (kept(page), counters(root), root.locator(".sentence").text_content()) == (before, rows, sentence)
    assert root.get_by_text("10 experts").is_visible()
    check_question(root)

    page.get_by_test_id("stSidebar").get_by_role("link", name="Watch it learn").click()
    page.locator("[data-aklo=player]").wait_for()
    page.get_by_test_id("stSidebar").get_by_role("link", name="Sandbox").click()
    root.wait_for()
    until(root, told=1, finished=2, pending="true", state="ready")
    assert counters(root) == rows


def test_clear_start_over_and_pause(lab, page):
    root = visit(page, f"{lab}/world?{QUERY}")
    press(root, "Play on with D2")
    wait(root, "e.dataset.told >= 2")
    press(root, "Pause D2")
    until(root, state="ready")
    told = len(kept(page)["now"]) // 3
    assert 2 <= told < 10
    if kept(page)["ask"]:
        press(root, "Undo")
        until(root, pending="false", state="ready")
    press(root, "Finish the task")
    until(root, finished=1, state="ready")
    place(root, 0.4, 0.4)
    press(root, "It is +1")
    until(root, told=1, state="ready")
    press(root, "Clear task")
    until(root, told=0, finished=1, state="ready")
    press(root, "Undo")
    until(root, told=1, finished=1, state="ready")
    press(root, "Start over")
    until(root, told=0, finished=0, state="ready")
    press(root, "Undo")
    until(root, told=1, finished=1, state="ready")
    press(root, "Undo")
    until(root, told=0, finished=1, state="ready")
    press(root, "Undo")
    until(root, told=0, finished=1, pending="false", state="ready")
    press(root, "Undo")  # the end of the first task
    until(root, told=told, finished=0, state="ready")
    check_counters(root)


def test_by_keyboard_alone(lab, page):
    root = visit(page, f"{lab}/world?{QUERY}")
    plane = root.get_by_role("application")
    plane.focus()
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    root.get_by_text("Cursor at").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("+")  # at once: the label waits until the prediction has been shown
    until(root, told=1, pending="false", state="ready")
    left, right, bottom, top = box(root)
    x1, x2, y = kept(page)["now"]
    assert x1 == pytest.approx((left + right) / 2 - 4 * (right - left) / 40, abs=0.01) and y == 1
    assert x2 == pytest.approx((bottom + top) / 2 + (top - bottom) / 40, abs=0.01)
    page.keyboard.press(" ")
    until(root, pending="true", state="ready")
    page.keyboard.press("-")
    until(root, told=2, state="ready")
    check_counters(root)


def box(root) -> list[float]:
    """The plane's edges, from the core."""
    from aklo.lab.compute.plane import plane_of

    return plane_of(aklo.syn1(8, 30, seed=2).X).box


def test_another_past_for_the_same_examples(lab, page):
    root = visit(page, f"{lab}/world?{QUERY}")
    press(root, "Play on with D1")
    until(root, told=10, pending="false", state="ready")
    told = kept(page)["now"]
    rows = counters(root)
    formula = root.locator(".sentence .formula")
    before = formula.text_content()
    control(page, "setting_clip").get_by_text("after the sum", exact=True).click()
    page.wait_for_function("([e, old]) => e.textContent !== old", arg=[formula.element_handle(), before])
    assert kept(page)["now"] == told and root.get_attribute("data-told") == "10"
    assert counters(root)["ITOL"] == rows["ITOL"]  # the learner alone does not know where the clip stands
    root.get_by_label("Method", exact=True).select_option("ITOL")
    root.locator(".voices").get_by_text("ITOL asks nobody").wait_for()


def test_what_the_tab_kept_may_be_broken(lab, visitor):
    page = visitor(fresh=True)
    page.add_init_script(
        "sessionStorage.setItem('aklo-world', JSON.stringify({serial: 3, tasks: [], now: [1, 2, 9], ask: null}))"
    )
    root = visit(page, f"{lab}/world?{QUERY}")
    root.get_by_text("What the browser kept was left out").wait_for()
    assert root.get_attribute("data-told") == "0"
    place(root, 0.5, 0.5)


def test_fits_a_phone(lab, visitor):
    page = visitor(width=390, height=844, color_scheme="dark", has_touch=True)
    root = visit(page, f"{lab}/world?{QUERY}")
    assert root.get_attribute("data-theme") == "dark"
    box = root.locator(".plane canvas").bounding_box()
    root.locator(".plane canvas").scroll_into_view_if_needed()
    root.locator(".plane canvas").tap(position={"x": box["width"] * 0.5, "y": box["height"] * 0.5})
    until(root, pending="true", state="ready")
    root.get_by_role("button", name="Here it is +1").tap()
    until(root, told=1, pending="false", state="ready")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("e => e.scrollWidth <= e.clientWidth")
    unnamed = root.evaluate(
        "e => [...e.querySelectorAll('button, select, [tabindex]')]"
        ".filter((c) => !(c.textContent.trim() || c.ariaLabel)).map((c) => c.outerHTML)"
    )
    assert unnamed == []
