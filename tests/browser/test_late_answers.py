"""What a component does with an answer that comes late, or just when the visitor does something else.

The test itself answers in the place of the server, so that the moment is always the same.
"""

from __future__ import annotations

from functools import partial

import pytest

from aklo.lab.components.player import PlayerView
from aklo.lab.components.sandbox import SANDBOX, reply
from aklo.lab.compute import world_story
from aklo.lab.settings.schema import Settings
from tests.browser.javascript import Modules, Mounted

TOLD = [0.5, 0.5, 1, -0.5, 0.2, -1]


@pytest.fixture
def mount(visitor):
    """mount(component) mounts it on an empty page."""
    return lambda component: Mounted(Modules(visitor(fresh=True)), component)


@pytest.fixture(scope="module")
def answer():
    """answer(serial=…, now=…) is what Python answers to that story."""
    send = partial(reply, Settings(n_tasks=3, n_examples=6))

    def to(**words) -> bytes:
        story, note = world_story.read({"tasks": [], "now": [], "ask": None} | words)
        return send(story, note, view=PlayerView())

    return to


def test_the_sandbox_goes_on_when_its_finished_task_is_answered_late(mount, answer):
    sandbox = mount(SANDBOX)
    page = sandbox.modules.page
    page.evaluate("now => sessionStorage.setItem('aklo-world', JSON.stringify({ serial: 4, tasks: [], now }))", TOLD)
    sandbox.run(
        """
        send(given.first);  // of another session, which is told the story that the tab kept
        send(given.now);
        await until(() => says("told") === "2");
        press("Finish the task");
        await until(() => says("state") === "joining");
        await new Promise((done) => setTimeout(done, 1200));  // longer than the learner takes to become an expert
        send(given.next);
        """,
        first=answer(serial=0), now=answer(serial=4, now=TOLD), next=answer(serial=5, tasks=[TOLD]),
    )  # fmt: skip
    page.locator("[data-aklo=world][data-finished='1'][data-state=ready]").wait_for(timeout=5_000)


def test_the_sandbox_sends_one_story_at_a_time_and_again_what_was_not_answered(mount, answer):
    sandbox = mount(SANDBOX)
    told = sandbox.run(
        """
        send(given.first);
        await until(() => says("state") === "ready");
        press("Play on with D1");
        await until(() => says("pending") === "true");
        press("Undo");  // before the question is answered
        const before = told.length;
        send(given.first);
        send(given.first);  // neither story is answered: the last may have been lost
        return [before, told.map(([name, { serial }]) => [name, serial])];
        """,
        first=answer(serial=0),
    )  # fmt: skip
    assert told == [1, [["story", 1], ["story", 2], ["story", 2]]]
