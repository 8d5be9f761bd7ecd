"""Every control shows the value in force, whatever way a visitor came to a page."""

from __future__ import annotations

import re

import pytest

from aklo.lab.content.transfer_cases import CASES
from tests.browser.conftest import patient
from tests.browser.observe import FreshVisits, check_true, observe, shows
from tests.browser.steps import (
    LESSONS,
    PAGES,
    answer_lesson,
    arrive,
    control,
    go_to,
    pick,
    press,
    settle,
    slide,
    until_query,
)

WITH_CONTROLS = ("watch", "tasks", "alpha", "compare", "transfer", "world", "theory", "data")
NAMES = {stem: name for name, stem in PAGES.items()}
OTHER = (
    "d=conflict&an=45&T=12&N=20&sh=0.3&s=7&l=1&c=sum&h=unknown&a=power:k%3D0.8&t=5&m=Unif Sum&R=3&i=9&w=1"
    "&pr=Task by task"
)
SMALL = "T=12&N=20&s=3&R=2"


def every_pair(names):
    """A walk that goes from each name to each other one, once."""
    names = list(names)
    walk = [names[0]]
    left = {(a, b) for a in names for b in names if a != b}
    while left:
        here = walk[-1]
        following = next((b for a, b in sorted(left) if a == here), None)
        if following is None:
            following = sorted(left)[0][0]
        left.discard((here, following))
        walk.append(following)
    return walk


def second_tab(page):
    """Another tab of the same browser, as large as the first."""
    tab = patient(page.context.new_page())
    tab.set_viewport_size(page.viewport_size)
    return tab


@pytest.fixture(scope="module")
def known() -> dict:
    """What was seen on fresh visits, by address."""
    return {}


@pytest.fixture
def fresh(page, known) -> FreshVisits:
    """fresh(address) is what a fresh visit sees there, in a second tab."""
    return FreshVisits(second_tab(page), known)


def move(page, fresh, stem: str) -> None:
    """Go to a page by the menu: all is seen as on a fresh visit at that address."""
    go_to(page, NAMES[stem])
    check_true(page, fresh)


def test_menu_navigation_visits_each_page_once(page, fresh, serve):
    """As a newcomer goes, from Home down the menu, at the defaults."""
    arrive(page, f"{serve('app.py')}/")
    for stem in WITH_CONTROLS:
        move(page, fresh, stem)


@pytest.mark.thorough
def test_menu_navigation_keeps_control_values(page, fresh, serve):
    """From every page to every other, with settings that are not the defaults."""
    walk = every_pair(WITH_CONTROLS)
    arrive(page, f"{serve('app.py')}/{walk[0]}?{OTHER}")
    for stem in walk[1:]:
        move(page, fresh, stem)
    assert {f"{k}={v}" for k, v in observe(page).query.items()} >= set(OTHER.replace("%3D", "=").split("&"))


@pytest.mark.thorough
def test_menu_navigation_to_and_from_pages_with_few_controls(page, fresh, serve):
    """Reproduce the paper and For teachers have controls of their own, and none of a stream."""
    other = f"{OTHER}&fr=as printed&pp=Worksheets"
    arrive(page, f"{serve('app.py')}/watch?{other}")
    for stem in ("reproduce", "teachers", "compare", "reproduce", "watch", "teachers", "tasks", "reproduce"):
        move(page, fresh, stem)
    move(page, fresh, "teachers")
    assert observe(page).controls["setting_teachers_part"] == "Worksheets"
    assert {f"{k}={v}" for k, v in observe(page).query.items()} >= set(other.replace("%3D", "=").split("&"))


@pytest.mark.thorough
def test_menu_navigation_at_the_defaults(page, fresh, serve):
    """From every page to every other, at the defaults.

    Negative transfer takes another stream when one comes with the default one. So it is visited from each of the
    others, left for the next of them with that stream, and Back brings the default stream again.
    """
    others = [stem for stem in WITH_CONTROLS if stem != "transfer"]
    walk, left = every_pair(others), list(others)
    arrive(page, f"{serve('app.py')}/{walk[0]}")
    for stem in walk:
        if not page.url.split("?")[0].endswith(stem):
            move(page, fresh, stem)
        if stem in left:
            left.remove(stem)
            move(page, fresh, "transfer")
            assert "d=conflict" in page.url
            move(page, fresh, others[others.index(stem) - 1])
            assert "d=conflict" in page.url
            for back in ("transfer", stem):
                page.go_back()
                page.wait_for_function("stem => location.pathname.endsWith(stem)", arg=back)
            check_true(page, fresh)
            assert "d=syn1" in page.url


@pytest.mark.thorough
def test_after_each_lesson_controls_show_its_settings(page, fresh, serve):
    """Through "Go on" of all lessons, to the page that each opens, and from there by the menu."""
    arrive(page, f"{serve('app.py')}/lessons?lesson=1&{SMALL}", "Lessons")
    for number, lesson in enumerate(LESSONS, 1):
        page.get_by_text(f"Lesson {number} of {len(LESSONS)}").wait_for()
        settle(page)
        answer_lesson(page, lesson)
        page.get_by_role("button", name=re.compile("Go on in ")).click()
        page.wait_for_function("stem => location.pathname.endsWith(stem)", arg=lesson.page)
        until_query(page, d=lesson.settings.dataset)
        check_true(page, fresh)
        for name, value in lesson.settings.address().items():
            assert name == "v" or (name, value) in observe(page).query.items(), lesson.name
        if lesson.name.startswith("4"):
            for stem in ("alpha", "watch"):
                move(page, fresh, stem)
        go_to(page, "Lessons")
        if number < len(LESSONS):
            press(page, "Next")


@pytest.mark.thorough
def test_after_each_story_controls_show_its_settings(page, fresh, serve):
    """One repetition is quick to draw, so that is set after each story."""
    arrive(page, f"{serve('app.py')}/transfer?d=conflict&T=12&N=20&s=3&R=1")
    for case in CASES:
        press(page, case.preset)
        until_query(page, an=case.settings.address().get("an"), R=None)
        slide(page, "setting_repetitions", "Home")
        until_query(page, R="1")
        seen = check_true(page, fresh)
        assert seen.controls["preset"] == case.preset
        assert seen.controls["setting_n_tasks"] == str(case.settings.n_tasks)
    for stem in ("watch", "tasks"):
        move(page, fresh, stem)


def test_a_preset_sets_every_control(page, fresh, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}&t=7&h=unknown&a=power:k%3D0.8")
    pick(page, "preset", "The rule changes half-way")
    until_query(page, d="conflict", T="40", h=None)
    seen = check_true(page, fresh)
    assert seen.controls["preset"] == "The rule changes half-way" and seen.controls["setting_task"] == "14"
    slide(page, "setting_task", "ArrowRight")
    until_query(page, t="15")
    assert shows(page, "setting_task") == "15"
    go_to(page, "Shape alpha")
    check_true(page, fresh)
    assert page.locator("[data-aklo=alpha]").get_attribute("data-task") == "15"


@pytest.mark.thorough
def test_back_and_forward_over_pages_and_settings(page, fresh, serve):
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    slide(page, "setting_n_tasks", "ArrowRight")
    until_query(page, T="13")
    go_to(page, "Shape alpha")
    page.locator("[data-aklo=alpha]").get_by_role("slider", name="Final α", exact=True).focus()
    page.keyboard.press("ArrowUp")
    until_query(page, a="linear:end=0.51")
    go_to(page, "Compare the methods")
    visited = [("compare", "13", "linear:end=0.51"), ("alpha", "13", "linear:end=0.51"), ("alpha", "13", None),
               ("watch", "13", None), ("watch", "12", None)]  # fmt: skip

    def check(stem: str, tasks: str, alpha: str | None) -> None:
        page.wait_for_function("stem => location.pathname.endsWith(stem)", arg=stem)
        until_query(page, T=tasks, a=alpha)
        assert check_true(page, fresh).controls["setting_n_tasks"] == tasks

    for place in visited[1:]:
        page.go_back()
        check(*place)
    for place in visited[-2::-1]:
        page.go_forward()
        check(*place)


def test_click_in_the_menu_while_a_move_is_answered_keeps_the_move(page, fresh, serve):
    """The address changes before the menu is drawn again, so its links are still those of the moment before."""
    arrive(page, f"{serve('app.py')}/watch?{SMALL}")
    page.get_by_role("link", name="Design the tasks", exact=True).evaluate(
        """(link) => {
          const look = () => (location.search.includes("sh=0.55") ? link.click() : requestAnimationFrame(look));
          look();
        }"""
    )
    control(page, "setting_share").locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.pathname.endsWith('/tasks')")
    until_query(page, sh="0.55", settings=None)
    assert check_true(page, fresh).controls["setting_share"] == "0.55"
    page.go_back()
    page.wait_for_function("location.pathname.endsWith('/watch')")
    assert check_true(page, fresh).controls["setting_share"] == "0.55"


@pytest.mark.thorough
def test_two_tabs_have_settings_of_their_own(page, fresh, serve):
    url = serve("app.py")
    second = second_tab(page)
    arrive(page, f"{url}/watch?{SMALL}")
    arrive(second, f"{url}/watch?d=conflict&an=45&T=9&N=30&t=4")
    for _ in range(2):
        slide(page, "setting_n_tasks", "ArrowRight")
        slide(second, "setting_task", "ArrowRight")
    until_query(page, T="14", t="11", an=None)
    until_query(second, T="9", t="6", an="45")
    check_true(page, fresh)
    check_true(second, fresh)
    go_to(page, "Compare the methods")
    go_to(second, "Compare the methods")
    check_true(page, fresh)
    assert check_true(second, fresh).controls["setting_angle"] == "45"


@pytest.mark.thorough
def test_what_changes_with_another_setting_is_shown(page, fresh, serve):
    """The number of tasks, the dataset, the horizon and a preset each change other controls, or their ranges."""
    arrive(page, f"{serve('app.py')}/watch?N=20&s=3&t=30&T=31&pa=In numbers")

    def one_more(tasks: int, task: int) -> None:
        """Task and schedule are what the address says, and an arrow key moves Task by one."""
        until_query(page, t=str(task) if task != 14 else None)
        assert check_true(page, fresh).controls["setting_task"] == str(task)
        slide(page, "setting_task", "ArrowLeft")
        until_query(page, t=str(task - 1))
        assert shows(page, "setting_task") == str(task - 1) and task < tasks

    slide(page, "setting_n_tasks", "ArrowRight")
    until_query(page, T="32")
    one_more(32, 30)
    slide(page, "setting_n_tasks", "Home")
    until_query(page, T="1")
    for tasks in "23":
        slide(page, "setting_n_tasks", "ArrowRight")
        until_query(page, T=tasks)
    assert check_true(page, fresh).controls["setting_task"] == "0"
    pick(page, "setting_dataset", "digits")
    until_query(page, d="digits", T=None)
    assert check_true(page, fresh).controls["setting_n_tasks"] == "20"
    slide(page, "setting_task", "End")
    one_more(20, 19)
    pick(page, "setting_dataset", "syn1")
    until_query(page, d="syn1", T=None)
    one_more(50, 18)
    control(page, "setting_horizon").get_by_text("unknown", exact=True).click()
    until_query(page, h="unknown", a=None)
    assert observe(page).controls["setting_alpha"] == "Power"
    slide(page, "alpha_Power_k", "ArrowRight")
    until_query(page, a="power:k=0.55")
    one_more(50, 17)
    control(page, "setting_horizon").get_by_text("known", exact=True).click()
    until_query(page, h=None, a="power:k=0.55")
    check_true(page, fresh)
    pick(page, "preset", "One odd task among twenty")
    until_query(page, T="20", a=None)
    one_more(20, 14)


def presses(page, key: str, pause: int) -> None:
    """Fifteen presses of a key, faster than the server answers: none is lost, none is taken back."""
    field = control(page, key).locator("input").first
    field.focus()
    before = round(float(shows(page, key)), 2)
    step = 0.01 if "." in field.get_attribute("step") else 1
    for _ in range(15):
        page.keyboard.press("ArrowUp")
        page.wait_for_timeout(pause)
    expected = f"{before + 15 * step:g}"
    page.wait_for_function(
        "expected => [...new URLSearchParams(location.search).values()].some((v) => v.split('=').pop() === expected)",
        arg=expected,
    )
    settle(page)
    assert f"{float(shows(page, key)):g}" == expected


@pytest.mark.parametrize("pause", [30, *(pytest.param(pause, marks=pytest.mark.thorough) for pause in (60, 100, 300))])
def test_quick_presses_are_all_obeyed(page, serve, pause):
    """After a deep link, a move by the menu, and a preset."""
    arrive(page, f"{serve('app.py')}/watch?t=3&T=60&N=30")
    presses(page, "setting_task", pause)
    go_to(page, "Compare the methods")
    presses(page, "setting_seed", pause)
    pick(page, "preset", "The rule changes half-way")
    until_query(page, T="40", s="0")
    presses(page, "setting_n_tasks", pause)


def test_quick_presses_away_from_a_preset_are_all_obeyed(page, serve):
    """The list of presets becomes empty meanwhile."""
    arrive(page, f"{serve('app.py')}/watch")
    presses(page, "alpha_Linear_end", 30)
