"""What Python changes reaches a component; what a visitor does is reported, and never taken back by an older answer."""

from __future__ import annotations

import pytest

from tests.browser.javascript import Modules

APP = "tests/browser/apps/revision_server.py"


@pytest.fixture
def open_scene(page, serve):
    """open_scene(scene, component) opens a scene and gives the component's root."""

    def open_it(scene: str, component: str):
        page.goto(f"{serve(APP)}/?scene={scene}")
        root = page.locator(f"[data-aklo={component}]")
        root.wait_for()
        page.get_by_text("reports: 0").wait_for()
        return root

    return open_it


@pytest.mark.thorough
def test_the_race_goes_where_python_says_and_reports_where_it_stops(page, open_scene):
    root = open_scene("race", "race")
    page.locator("[data-aklo=race][data-after='4']").wait_for()
    root.get_by_role("button", name="Step forward").click()
    page.get_by_text("reports: 1, value: 5").wait_for()
    page.get_by_role("button", name="Change").click()
    page.locator("[data-aklo=race][data-after='2']").wait_for()
    root.get_by_role("button", name="Play").click()
    page.get_by_text("value: 0").wait_for()  # the whole race
    page.get_by_role("button", name="Change").click()
    page.locator("[data-aklo=race][data-after='2'][data-state=paused]").wait_for()


def test_an_answer_to_an_older_move_does_not_take_the_race_back(page):
    """The answer to the first of two moves comes after the second; the last answer is obeyed."""
    seen = Modules(page).run(
        """
        const race = (await load("stream_race/stream_race.js")).default;
        const place = document.body, sent = [], seen = [];
        const told = (after, heard) => ({
          offsets: [0, 10, 20, 30, 40], seen: [0, 10, 20, 30, 40], totals: [[0, 1, 2, 3, 4]], top: 5,
          methods: ["ITOL"], rules: {}, alt: "", after, heard,
        });
        const receive = (after, heard) => {
          race({ parentElement: place, data: new TextEncoder().encode(JSON.stringify(told(after, heard))),
                 setTriggerValue: (name, moves) => sent.push(...moves) });
          seen.push(Number(place.querySelector("[data-aklo=race]").dataset.after));
        };
        const back = () => place.querySelector("[aria-label='Step back']").click();
        receive(0, null);
        back();
        back();
        receive(3, sent[0].id);  // the answer to the first move; the second is sent now
        receive(3, sent[0].id);  // the page was drawn once more for another reason
        receive(2, sent[1].id);
        receive(1, sent[1].id);  // Undo, or a link
        return [seen, sent.map((move) => move.value)];
        """
    )
    places, reported = seen
    assert places == [4, 2, 2, 2, 1]
    assert reported[:2] == [3, 2] and set(reported[2:]) <= {2}  # what has no answer yet may be sent again


def drag(page, root, i: int, distance: int) -> str:
    """Drag a point, and give what the picture then shows."""
    box = root.locator(".grip.point .dot").nth(i).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + distance, steps=3)
    page.mouse.up()
    return root.get_attribute("data-alpha")


def test_a_drag_is_not_taken_back_by_an_answer_under_way(page, open_scene):
    root = open_scene("alpha", "alpha")
    drag(page, root, 2, -30)
    last = drag(page, root, 6, -30)  # before the answer to the first
    page.wait_for_timeout(1500)
    assert root.get_attribute("data-alpha") == last
    page.get_by_text(f"reports: 2, value: {last}").wait_for()
    page.get_by_role("button", name="Change").click()
    page.locator("[data-aklo=alpha][data-alpha='power:k=0.5']").wait_for()


def test_the_sandbox_takes_its_method_by_revision(page, open_scene):
    root = open_scene("sandbox", "world")
    root.get_by_label("Method", exact=True).select_option("TOL")
    page.get_by_text("reports: 1, value: TOL").wait_for()
    page.locator("[data-aklo=world][data-method=TOL]").wait_for()
    page.get_by_role("button", name="Change").click()
    page.locator("[data-aklo=world][data-method=ITOL]").wait_for()
