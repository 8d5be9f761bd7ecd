"""Every control shows the value in force, whatever way a visitor came to a page."""

from __future__ import annotations

import pytest

from tests.browser.observe import observe, shows
from tests.browser.steps import PAGES, arrive, control, go_to, settle

WITH_CONTROLS = ("watch", "tasks", "alpha", "compare", "transfer", "world", "theory", "data")
NAMES = {stem: name for name, stem in PAGES.items()}
QUERIES = {
    "default": "",
    "other": "d=syn2&T=12&N=20&sh=0.3&s=7&l=0.1&c=advice&h=unknown&a=power:k%3D0.8&t=5&m=Unif Sum&R=3&i=9&w=1"
    "&pr=Task by task",
}


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


@pytest.mark.parametrize("settings", QUERIES)
def test_menu_navigation_keeps_control_values(visitor, serve, settings):
    """From every page with controls to every other by the menu: all is seen as on a fresh visit at that address."""
    url, page = serve("app.py"), visitor()
    fresh = {}
    for stem in WITH_CONTROLS:
        arrive(page, f"{url}/{stem}?{QUERIES[settings]}")
        fresh[stem] = observe(page)
        assert fresh[stem].controls
    other = visitor(fresh=True)
    arrive(other, f"{url}/{WITH_CONTROLS[0]}?{QUERIES[settings]}")
    for stem in every_pair(WITH_CONTROLS)[1:]:
        go_to(other, NAMES[stem])
        seen = observe(other)
        assert seen.controls == fresh[stem].controls, stem
        assert seen.query == fresh[stem].query, stem
        assert seen.numbers == fresh[stem].numbers, stem


@pytest.mark.parametrize("pause", [30, 60, 100, 300])
@pytest.mark.parametrize(("path", "key"), [("watch", "setting_task"), ("compare", "setting_seed")])
def test_quick_presses_are_all_obeyed(page, serve, path, key, pause):
    """Fifteen presses of a key, faster than the server answers: none is lost, none is taken back."""
    arrive(page, f"{serve('app.py')}/{path}?t=12&T=40&N=30")
    field = "input[type=range]" if key == "setting_task" else "input"
    control(page, key).locator(field).focus()
    before = int(shows(page, key))
    for _ in range(15):
        page.keyboard.press("ArrowRight" if key == "setting_task" else "ArrowUp")
        page.wait_for_timeout(pause)
    address = f"{'t' if key == 'setting_task' else 's'}={before + 15}"
    page.wait_for_url(f"**{address}**")
    settle(page)
    assert int(shows(page, key)) == before + 15
