"""What a component does with an answer that comes late, or just when the visitor does something else.

The test itself answers in the place of the server, so that the moment is always the same.
"""

from __future__ import annotations

from functools import partial

import pytest

import aklo
from aklo.lab.components.alpha_picture import ALPHA_PICTURE, describe
from aklo.lab.components.alpha_picture.view import AlphaView
from aklo.lab.components.player import PLAYER, PlayerOptions, PlayerView, TaskContext
from aklo.lab.components.player.payload import pack
from aklo.lab.components.registry import to_bytes
from aklo.lab.components.room_client import _CLIENT as ROOM
from aklo.lab.components.sandbox import SANDBOX, reply
from aklo.lab.components.stream_overview import OVERVIEW
from aklo.lab.components.stream_overview import pack as pack_stream
from aklo.lab.compute import mix_data
from aklo.lab.compute.block import read_header, write_block
from aklo.lab.session import sandbox_story
from aklo.lab.settings.schema import Settings
from tests.browser.javascript import Modules, Mounted

pytestmark = pytest.mark.thorough

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
        story, note = sandbox_story.read({"tasks": [], "now": [], "ask": None} | words)
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


@pytest.fixture(scope="module")
def task():
    """task(k, view=…, revision=…) is task k of a stream that the player goes through, as Python sends it."""
    run = aklo.run(aklo.syn1(n_tasks=4, n_examples=3, seed=0), lam=1e-3)
    follow = PlayerOptions(follow=True)
    return lambda k, **more: pack(run.replay(k), task=TaskContext(number=k, n_tasks=4), options=follow, **more)


ASK = """
  send(given.first);
  await until(() => says("t") === "1");
  for (let t = 1; t < 3; t++) press("Step forward");
  press("Play");  // at the end it goes on to the next task
"""


def test_restart_shows_the_next_task_if_it_has_come(mount, task):
    player = mount(PLAYER)
    shown = """
      await until(() => says("state") === "paused");
      return [told[0][1][0].value, says("task"), says("t")];
    """
    came = player.run(ASK + "send(given.next); press('Restart');" + shown, first=task(0), next=task(1))
    assert came == [{"task": 1}, "1", "1"]


@pytest.mark.parametrize(("button", "step"), [("Restart", "1"), ("Step back", "2")])
def test_another_step_before_the_next_task_has_come_ends_the_wait_for_it(mount, task, button, step):
    player = mount(PLAYER)
    learner = "place.querySelector('.tag.learner').textContent"
    before = player.run(
        ASK
        + f"""
        await until(() => {learner} === "becomes an expert");
        press("{button}");
        await until(() => says("t") === "{step}" && {learner} !== "becomes an expert");
        const before = [says("task"), says("state")];
        send(given.next);
        await until(() => says("task") === "1");
        return [...before, says("t"), says("state")];
        """,
        first=task(0), next=task(1),
    )  # fmt: skip
    assert before == ["0", "paused", "1", "paused"]


def test_the_player_waits_for_the_next_task_as_long_as_the_server_can_be_reached(mount, task):
    player = mount(PLAYER)
    states = player.run(
        ASK
        + """
        const pause = () => new Promise((done) => setTimeout(done, 1000));
        await pause();
        const waiting = says("state");
        document.body.dataset.testConnectionState = "PINGING_SERVER";
        await pause();
        return [waiting, says("state"), says("task"), place.querySelector(".tag.learner").textContent];
        """,
        first=task(0),
    )
    assert states[:3] == ["playing", "paused", "0"] and states[3] != "becomes an expert"


def test_a_view_that_comes_with_the_next_task_is_taken(mount, task):
    player = mount(PLAYER)
    method = player.run(
        ASK + """
        send(given.next);
        send(given.other);  // the method was changed while the learner becomes an expert
        await until(() => says("task") === "1");
        return place.querySelector("select[aria-label=Method]").value;
        """,
        first=task(0), next=task(1), other=task(1, view=PlayerView(method="TOL"), revision=1),
    )  # fmt: skip
    assert method == "TOL"


@pytest.fixture(scope="module")
def alpha():
    """alpha(revision, heard, clip=…) is what Python sends to the live picture of alpha."""
    base = Settings().change(n_tasks=3, n_examples=6)
    stream = mix_data.whole_stream(base)
    about = describe(base) | {"stream": read_header(stream)["digest"], "only": None, "tooLarge": "", "answers": {}}

    def sent(revision: int, heard: int | None, **changed) -> bytes:
        view = AlphaView.of(base.change(**changed)).for_browser()
        return write_block(about, {}, beside={"view": view, "revision": revision, "heard": heard}) + stream

    return sent


def test_a_choice_outlasts_a_change_that_was_drawn_before_it_was_heard(mount, alpha):
    """Python has changed alpha, and then hears of the clip that the visitor has chosen meanwhile."""
    code = """
      const look = () => [says("alpha"), place.querySelector("select[aria-label=Clip]").value];
      send(given.first);
      const clip = place.querySelector("select[aria-label=Clip]");
      clip.value = "sum";
      clip.dispatchEvent(new Event("change"));
      const [[, [{ id, value }]]] = told;
      send(given.changed);  // drawn before the clip was heard
      const before = look();
      return [id, value, before];
    """
    picture = mount(ALPHA_PICTURE)
    start, power = alpha(1, None), {"alpha": "power:k=0.5"}
    id_, value, before = picture.run(code, first=start, changed=alpha(2, None, **power))
    assert value == {"view": {"clip": "sum"}}
    assert before == ["linear:end=0.5", "sum"]  # the visitor's own picture, until all is heard
    after = picture.run(
        "send(given.heard); return [says('alpha'), place.querySelector('select[aria-label=Clip]').value];",
        heard=alpha(2, id_, clip="sum", **power),  # the same revision, since Python knows what is shown
    )
    assert after == ["power:k=0.5", "sum"]


def test_the_strip_of_tasks_stays_where_it_is_read_when_an_answer_comes(mount):
    stream = aklo.syn1(n_tasks=5, n_examples=4, seed=0)
    data = pack_stream(stream, ("D1", "D2")) | {"alt": "", "onlyAngle": False}
    read = mount(OVERVIEW).run(
        """
        send(given.stream);
        const strip = place.querySelector(".cells");
        strip.focus();
        for (const key of ["End", "ArrowLeft"]) strip.dispatchEvent(new KeyboardEvent("keydown", { key }));
        const now = () => [strip.getAttribute("aria-valuenow"), place.querySelector(".said").textContent];
        send(given.stream);
        const same = now();
        send(given.shorter);
        return [same, now()];
        """,
        stream=to_bytes(data),
        shorter=to_bytes(data | {"order": data["order"][:2], "names": data["names"][:2]}),
    )
    assert read == [["3", stream[3].name], ["1", stream[1].name]]


def test_a_room_that_was_left_is_heard_no_more(mount):
    data = {
        "state": "waiting", "revision": 1, "asks": False, "secret": "", "size": "none", "counts": None, "link": "",
        "qr": None, "local": False,
    }  # fmt: skip
    told = mount(ROOM).run(
        """
        const asked = [];
        window.fetch = () => new Promise((done) => { asked.push(done); });
        send(given.first);
        send(given.other);
        asked[0](Response.json({ revision: 7, fault: "There is no such room.", joined: 5, answered: 2 }));
        await new Promise((done) => setTimeout(done, 50));
        return [told, place.querySelector(".count").textContent];
        """,
        first=to_bytes(data | {"code": "AAAAA"}),
        other=to_bytes(data | {"code": "BBBBB"}),
    )
    assert told == [[], ""]
