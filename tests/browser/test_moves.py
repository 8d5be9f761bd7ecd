"""Moves that reach the server sooner than its answers reach the browser, as a visitor without a browser makes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from urllib.parse import parse_qs

import pytest

from tests import coroutines
from tests.benchmarks.visitors import Visitor


@pytest.fixture
def visit(serve) -> Callable[..., str]:
    """visit(path, query, move) lets a visitor of a page make a move, and gives the address in the end."""

    def run(path: str, query: str, move: Callable[[Visitor], Coroutine]) -> str:
        async def whole() -> str:
            visitor = await Visitor.arrive(int(serve("app.py").rsplit(":", 1)[1]), path, query)
            await move(visitor)
            await visitor.leave()
            return visitor.query

        return coroutines.run(whole())

    return run


def test_a_move_that_comes_too_soon_is_answered_next(visit):
    """When the picture of one move has come, and not all that follows it, another is made: it is answered whole."""

    async def move(visitor: Visitor) -> None:
        visitor.heard = []
        slider = visitor.widgets["alpha_Linear_end"]
        first = asyncio.create_task(visitor.move("alpha_Linear_end", 0.3))
        async with asyncio.timeout(60):
            while "picture" not in visitor.heard:
                await asyncio.sleep(0.001)
            await visitor.send("alpha_Linear_end", 0.4)
            await first
            if "0.4" not in visitor.query:  # the end of the first run is not told where the second has begun already
                await visitor.hear()
        last = len(visitor.heard) - visitor.heard[::-1].index("new_session")
        assert {"picture", "bidi_component", "download_button"} <= set(visitor.heard[last:])
        now = visitor.widgets["alpha_Linear_end"]
        assert now.proto["revision"] == slider.proto["revision"]  # it is not told a value: never interrupted

    assert "0.4" in visit("compare", "s=5", move)


def test_only_a_control_that_something_else_changed_is_told_its_value(visit):
    """The first move away from a preset empties its list, and leaves the slider that was moved alone."""

    async def move(visitor: Visitor) -> None:
        preset, end = visitor.widgets["preset"].proto, visitor.widgets["alpha_Linear_end"].proto
        await visitor.move("alpha_Linear_end", 0.3)
        now = visitor.widgets["preset"].proto
        assert now["value"] is None and now["revision"] != preset["revision"]
        assert visitor.widgets["alpha_Linear_end"].proto["revision"] == end["revision"]
        await visitor.move("alpha_Linear_end", 0.4)

    assert "0.4" in visit("watch", "", move)


def test_a_move_that_comes_again_after_something_else_has_changed_the_control_is_none(visit):
    async def move(visitor: Visitor) -> None:
        await visitor.move("setting_dataset", "syn2")
        before = visitor.widgets["setting_dataset"].proto
        value = {"control": "setting_dataset", "value": 1}
        again = {"id": visitor.moves, "value": value, "drag": visitor.moves, "done": True}
        assert (before["options"][1], visitor.widgets["setting_dataset"].heard) == ("syn2", visitor.moves)
        await visitor.move("preset", "The rule changes half-way")
        now = visitor.widgets["setting_dataset"].proto
        assert now["options"][now["value"]] == "conflict" and now["revision"] != before["revision"]
        await visitor.report("setting_dataset", "move", [again])
        await visitor.move("setting_task", 13)

    query = parse_qs(visit("watch", "", move))
    assert (query["T"], query["t"], query["d"]) == (["40"], ["13"], ["conflict"])
