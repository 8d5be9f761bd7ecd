"""The tests' own tab: nothing that one visitor leaves behind reaches the next."""

from __future__ import annotations

from tests.browser.conftest import Visitors
from tests.browser.steps import arrive

KEPT = "[localStorage.getItem('mine'), sessionStorage.getItem('mine'), document.cookie, history.length]"


def test_a_tab_is_given_back_empty(chromium, tab, serve):
    address = f"{serve('app.py')}/world"
    lengths = []
    for _ in range(2):
        visitors = Visitors(chromium, tab)
        page = visitors(color_scheme="dark")
        arrive(page, address, "Sandbox")
        local, session, cookies, length = page.evaluate(KEPT)
        assert (local, session) == (None, None) and "mine" not in cookies
        lengths.append(length)
        page.evaluate(
            "() => { localStorage.setItem('mine', 1); sessionStorage.setItem('mine', 1); document.cookie = 'mine=1'; }"
        )
        arrive(page, f"{address}?s=3", "Sandbox")
        assert page.evaluate(KEPT)[:2] == ["1", "1"]
        visitors.close()
        assert not visitors.wrong
    assert lengths[0] == lengths[1]
    page = Visitors(chromium, tab)()
    assert page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    tab.clear()
