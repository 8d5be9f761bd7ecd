"""What a server sends when a setting moves: the picture first, in one run, and nothing that has not changed."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from aklo.lab.frame import fragments
from tests.benchmarks.visitors import Visitor

FRAME = {"page_link"}  # the menu, which only a whole page draws


def heard(url: str, path: str, key: str, value: object, query: str = "s=5") -> list[str]:
    """The kinds of what came when a visitor of the page had moved a widget, a run's begin being new_session."""

    async def visit() -> list[str]:
        # Of a seed that belongs to no preset: the first move away from one changes what the sidebar says, too.
        visitor = await Visitor.arrive(int(url.rsplit(":", 1)[1]), path, query)
        assert set(visitor.heard) >= FRAME
        await asyncio.sleep(1.5 * fragments.SENT)
        await visitor.move(key, value)
        await visitor.leave()
        return visitor.heard

    with ThreadPoolExecutor(1) as thread:  # the browser's own loop runs in this one
        return thread.submit(asyncio.run, visit()).result()


def runs(came: list[str]) -> list[list[str]]:
    """What came in each run of the script."""
    found: list[list[str]] = []
    for kind in came:
        if kind == "new_session":
            found.append([])
        else:
            found[-1].append(kind)
    return found


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ("watch", "alpha_Linear_end", 0.3),
        ("watch", "setting_share", 0.3),
        ("compare", "alpha_Linear_end", 0.3),
        ("tasks", "setting_share", 0.3),
        ("alpha", "alpha_Linear_end", 0.3),
    ],
)
def test_the_picture_comes_first_and_widgets_stay(serve, path, key, value):
    came = runs(heard(serve("app.py"), path, key, value))
    assert len(came) == 2 and came[0] == []  # in the run of the widget's own part nothing is drawn
    assert came[1][0] == "bidi_component"
    assert (came[1] == ["bidi_component"]) == (path == "watch")
    assert not (FRAME | {"slider", "selectbox"}) & set(came[1])


@pytest.mark.parametrize(
    ("path", "key", "value"), [("alpha", "setting_task", 5), ("compare", "setting_repetitions", 3)]
)
def test_one_chart_alone_is_drawn_when_what_moved_is_its_own(serve, path, key, value):
    came = runs(heard(serve("app.py"), path, key, value))
    assert len(came) == 2 and came[0] == []
    assert came[1].count("bidi_component") == 1


@pytest.mark.parametrize(("alpha", "other"), [("0.2", False), ("0.5", True)])
def test_buttons_are_drawn_when_what_they_can_do_has_changed(serve, alpha, other):
    """Keep is idle for a schedule that is kept already (end 0.5), and may be pressed for any other."""
    query = f"s=5&k=linear:end%3D0.5&a=linear:end%3D{alpha}"
    came = runs(heard(serve("app.py"), "alpha", "alpha_Linear_end", 0.3, query))
    assert came[1].count("bidi_component") == 5 and ("button" in came[1]) == other


def test_widgets_follow_what_changes_elsewhere(serve):
    """With fewer tasks the slider that chooses one has another end: widgets come after the picture."""
    came = runs(heard(serve("app.py"), "watch", "setting_n_tasks", 20.0))
    assert len(came) == 2 and came[1][0] == "bidi_component" and {"slider", "selectbox"} <= set(came[1][1:])


def test_a_move_that_comes_too_soon_is_answered_next(serve):
    """When the picture of one move has come, and not all that follows it, another is made: it is answered whole."""

    async def visit() -> list[str]:
        visitor = await Visitor.arrive(int(serve("app.py").rsplit(":", 1)[1]), "compare", "s=5")
        visitor.heard = []
        first = asyncio.create_task(visitor.move("alpha_Linear_end", 0.3))
        async with asyncio.timeout(60):
            while "bidi_component" not in visitor.heard:
                await asyncio.sleep(0.001)
            await visitor.send("alpha_Linear_end", 0.4)
            await first
            if "0.4" not in visitor.query:  # the end of the first run is not told where the second has begun already
                await visitor.hear()
        await visitor.leave()
        assert "0.4" in visitor.query
        return visitor.heard

    with ThreadPoolExecutor(1) as thread:
        came = [run for run in runs(thread.submit(asyncio.run, visit()).result()) if run]
    assert len(came) == 2 and came[0][0] == came[1][0] == "bidi_component" and "download_button" in came[1]


def test_a_widget_that_was_not_told_yet_has_not_been_moved_back(serve):
    """The first move away from a preset empties its list; a second one, sent before the browser knows, names it."""

    async def visit() -> str:
        visitor = await Visitor.arrive(int(serve("app.py").rsplit(":", 1)[1]), "watch", "")
        visitor.values[visitor.widgets["preset"].id] = ("selectbox", "syn1, as printed")
        await visitor.move("alpha_Linear_end", 0.3)
        await visitor.move("alpha_Linear_end", 0.4)
        await visitor.leave()
        return visitor.query

    with ThreadPoolExecutor(1) as thread:
        assert "0.4" in thread.submit(asyncio.run, visit()).result()
