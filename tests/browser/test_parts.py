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
        visitor = await Visitor.arrive(int(url.rsplit(":", 1)[1]), path)
        assert set(visitor.heard) >= FRAME
        await visitor.move(key, value)
        await visitor.leave()
        return visitor.heard

    with ThreadPoolExecutor(1) as thread:  # the browser's own loop runs in this one
        return thread.submit(asyncio.run, visit()).result()


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
def test_the_picture_comes_first_and_without_detours(serve, path, key, value):
    came = heard(serve("app.py"), path, key, value)
    assert came[:2] == ["new_session", "bidi_component"]
    assert not FRAME & set(came)
    at_once = came[: came.index("new_session", 1)] if came.count("new_session") > 1 else came
    # Charts wait until the picture is shown: there is it, and what asks for them.
    assert "plotly_chart" not in at_once and at_once.count("bidi_component") <= 2
    if len(at_once) < len(came):
        # What asks for them comes last: before its widgets are told of their new values a browser would send the old
        # ones along, as if the visitor had moved them back.
        assert at_once[-1] == "bidi_component" and {"slider", "selectbox"} <= set(at_once[1:-1])


@pytest.mark.parametrize(
    ("path", "key", "value"), [("alpha", "setting_task", 5), ("compare", "setting_repetitions", 3)]
)
def test_one_chart_alone_is_drawn_when_what_moved_is_its_own(serve, path, key, value):
    came = heard(serve("app.py"), path, key, value)
    assert came.count("bidi_component") == 1 and "plotly_chart" not in came
    assert came.count("new_session") == 1 and "slider" in came  # in one run, with its own settings in the sidebar
