"""What a server sends when a setting moves: the picture first, in one run, and nothing that has not changed."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.benchmarks.visitors import Visitor

FRAME = {"page_link"}  # the menu, which only a whole page draws


def heard(url: str, path: str, key: str, value: object) -> list[str]:
    """The kinds of what came when a visitor of the page had moved a widget, a run's begin being new_session."""

    async def visit() -> list[str]:
        # Of a seed that belongs to no preset: the first move away from one changes what the sidebar says, too.
        visitor = await Visitor.arrive(int(url.rsplit(":", 1)[1]), path, "s=5")
        assert set(visitor.heard) >= FRAME
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
def test_the_picture_comes_first_and_alone(serve, path, key, value):
    came = runs(heard(serve("app.py"), path, key, value))
    assert came[0] == []  # the run of the widget's own part, in which nothing is drawn
    # Charts wait until the picture is shown: there is it, and what asks for them. The widgets stay as they are.
    waits = path != "watch"
    assert [kind for kind in came[1] if kind != "markdown"] == ["bidi_component"] * (2 if waits else 1)
    assert len(came) == (4 if waits else 2)
    assert not (FRAME | {"slider", "selectbox"}) & {kind for run in came for kind in run}


@pytest.mark.parametrize(
    ("path", "key", "value"), [("alpha", "setting_task", 5), ("compare", "setting_repetitions", 3)]
)
def test_one_chart_alone_is_drawn_when_what_moved_is_its_own(serve, path, key, value):
    came = runs(heard(serve("app.py"), path, key, value))
    assert len(came) == 2 and came[0] == []
    assert came[1].count("bidi_component") == 1 and "plotly_chart" not in came[1]


def test_widgets_follow_what_changes_elsewhere(serve):
    """With fewer tasks the slider that chooses one has another end: widgets come when the picture is there."""
    came = runs(heard(serve("app.py"), "watch", "setting_n_tasks", 20.0))
    assert came[1] == ["bidi_component", "bidi_component"]
    assert {"slider", "selectbox"} <= set(came[-1])
