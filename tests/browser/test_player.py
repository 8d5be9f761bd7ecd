"""The player, used as people use it: alone in a file, which is quicker to open, or on a page where that matters."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pytest

import aklo
from aklo.lab.charts.palette import LIGHT
from aklo.lab.components.player import PLAYER as COMPONENT
from aklo.lab.components.player import PlayerOptions, PlayerView, TaskContext
from aklo.lab.components.player.payload import pack
from aklo.lab.export import standalone_html
from aklo.lab.session.exports import Exports, Picture
from aklo.lab.settings.field import challengers
from tests.browser import steps

APP = "tests/browser/apps/player_server.py"
PLAYER = "[data-aklo=player]"
N = 40
ALL = (*aklo.METHODS, *challengers())


@pytest.fixture
def open_player(serve: Callable[..., str]) -> Callable:
    """open_player(page, **scene) shows the scene and gives the (first) player."""

    def open_it(page, **scene):
        page.goto(f"{serve(APP)}/?{urlencode(scene)}")
        root = page.locator(PLAYER).first
        root.wait_for()
        page.wait_for_function("e => e.dataset.t", arg=root.element_handle())
        return root

    return open_it


@pytest.fixture
def open_alone(tmp_path: Path) -> Callable:
    """open_alone(page, **scene) shows a task without a server, and gives the player."""

    def open_it(
        page, *, data="syn1", n=N, task=7, clip="sum", end=0.0, title="", method="AKLO Sum", methods=aklo.METHODS,
        **options,
    ):  # fmt: skip
        stream = getattr(aklo, data)(n_tasks=12, n_examples=n, seed=0)
        lam = 0.1 if data == "digits" else 1e-3
        replay = aklo.run(stream, lam=lam, alpha=aklo.Linear(end=end), clip=clip, methods=methods).replay(task)
        names = [stream[k].name for k in range(len(stream))]
        about = TaskContext(
            number=task, n_tasks=12, title=title or names[task], group=stream.groups[task], names=names[:task],
            groups=stream.groups[:task], group_names=[f"group {g}" for g in range(10)],
        )  # fmt: skip
        block = pack(replay, task=about, options=PlayerOptions(**options), view=PlayerView(method=method))
        shown = Exports(things={"player": Picture(COMPONENT.style_sheet, COMPONENT.script, block)})
        file = tmp_path / "player.html"
        # Playwright waits by scripts that the file's own policy would forbid; tests of taking away keep it.
        file.write_text(
            standalone_html.page("Player", shown, LIGHT).replace(standalone_html.POLICY, ""), encoding="utf-8"
        )
        page.goto(file.as_uri())
        root = page.locator(PLAYER)
        page.wait_for_function("e => e.dataset.t", arg=root.element_handle())
        return root

    return open_it


def wait(root, condition: str, timeout: float = 20_000) -> None:
    """Until a condition on the root element `e` holds in the browser."""
    root.page.wait_for_function(f"e => {condition}", arg=root.element_handle(), timeout=timeout, polling="raf")


def value(root, name: str) -> str:
    return root.get_attribute(f"data-{name}")


def scrub(root, t: int) -> None:
    root.get_by_label("Time", exact=True).evaluate(
        "(e, t) => { e.value = t; e.dispatchEvent(new Event('input', { bubbles: true })); }", str(t)
    )
    wait(root, f"e.dataset.t === '{t}'")


def painted(root, panel: str) -> str:
    """The pixels of a panel, as text."""
    return root.locator(f".{panel} canvas").evaluate("c => c.toDataURL()")


def press(root, name: str) -> None:
    root.get_by_role("button", name=name, exact=True).click()


def test_plays_and_stops_at_the_end(page, open_alone):
    root = open_alone(page)
    assert (value(root, "t"), value(root, "state"), value(root, "phase")) == ("1", "paused", "tell")
    root.get_by_label("Speed", exact=True).select_option("4")
    press(root, "Play")
    root.get_by_role("button", name="Pause", exact=True).wait_for()
    wait(root, "e.dataset.t > 2")
    seen = [int(value(root, "t")) for _ in range(5)]
    assert seen == sorted(seen)
    wait(root, f"e.dataset.state === 'paused' && e.dataset.t === '{N}'")
    press(root, "Play")  # at the end it starts again
    wait(root, f"e.dataset.state === 'playing' && e.dataset.t < {N}")
    press(root, "Pause")
    wait(root, "e.dataset.state === 'paused'")


def test_speed_changes_the_pace(page, open_alone):
    root = open_alone(page, n=400)
    pace = {}
    for speed in ("0.5", "8"):
        press(root, "Restart")
        root.get_by_label("Speed", exact=True).select_option(speed)
        press(root, "Play")
        page.wait_for_timeout(1000)
        pace[speed] = int(value(root, "t"))
        press(root, "Pause")
    assert pace["8"] > 4 * pace["0.5"]


def test_scrubs_steps_and_restarts(page, open_alone):
    root = open_alone(page)
    scrub(root, 25)
    assert "t = 25 of 40" in root.locator(".count").inner_text()
    press(root, "Step forward")
    wait(root, "e.dataset.t === '26'")
    press(root, "Step back")
    press(root, "Step back")
    wait(root, "e.dataset.t === '24'")
    press(root, "Restart")
    wait(root, "e.dataset.t === '1'")
    back = root.get_by_role("button", name="Step back", exact=True)
    assert back.is_disabled()
    press(root, "Step forward")
    wait(root, "e.dataset.t === '2'")
    back.press("Enter")
    wait(root, "e.dataset.t === '1'")
    page.keyboard.press("Enter")  # it can do no more, and has the focus still
    page.keyboard.press("ArrowRight")
    wait(root, "e.dataset.t === '2'")


def test_keys(page, open_alone):
    root = open_alone(page)
    root.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    wait(root, "e.dataset.t === '3'")
    page.keyboard.press("ArrowLeft")
    wait(root, "e.dataset.t === '2'")
    page.keyboard.press("End")
    wait(root, f"e.dataset.t === '{N}'")
    page.keyboard.press("Home")
    wait(root, "e.dataset.t === '1'")
    page.keyboard.press("Space")
    wait(root, "e.dataset.state === 'playing' && e.dataset.t > 1")
    page.keyboard.press("Space")
    wait(root, "e.dataset.state === 'paused'")


def test_guessing_asks_before_it_tells(page, open_alone):
    root = open_alone(page)
    root.get_by_label("Guess before the label").check()
    wait(root, "e.dataset.phase === 'ask' && e.dataset.t === '1'")
    assert root.locator(".formula").inner_text().endswith("truth ?")
    seen = []
    for _ in range(4):
        press(root, "Step forward")
        seen.append((value(root, "t"), value(root, "phase")))
    wait(root, "e.dataset.t === '3' && e.dataset.phase === 'ask'")
    press(root, "Step back")
    wait(root, "e.dataset.t === '2' && e.dataset.phase === 'tell'")
    assert re.search(r"truth [+−]1, .*(right|mistake)$", root.locator(".formula").inner_text())
    root.get_by_label("Speed", exact=True).select_option("8")
    root.evaluate(  # at this speed a busy test would look away for longer than a phase takes
        """e => { e.seen = []; new MutationObserver(() => e.seen.push(`${e.dataset.t} ${e.dataset.phase}`))
        .observe(e, { attributes: true, attributeFilter: ['data-t', 'data-phase'] }); }"""
    )
    press(root, "Play")
    wait(root, "Number(e.dataset.t) >= 5")
    assert root.evaluate("e => [...new Set(e.seen)]")[:4] == ["3 ask", "3 tell", "4 ask", "4 tell"]


def test_a_setting_changes_the_picture_in_place(page, open_player):
    root = open_player(page, n=400)
    press(root, "Play")
    wait(root, "e.dataset.t > 5")
    root.evaluate("e => { e.marked = true; }")
    before = int(value(root, "t"))
    box = page.get_by_label("End", exact=True)
    box.fill("0.5")
    box.press("Enter")
    root.page.wait_for_function("e => e.querySelector('.trust .split').title.includes('9')", arg=root.element_handle())
    wait(root, f"e.marked && e.dataset.state === 'playing' && e.dataset.t > {before}")
    press(root, "Pause")
    t = int(value(root, "t"))
    picture = painted(root, "trust")
    box.fill("0.9")
    box.press("Enter")
    page.wait_for_function(
        "([e, was]) => e.querySelector('.trust canvas').toDataURL() !== was", arg=[root.element_handle(), picture]
    )
    assert int(value(root, "t")) == t
    assert value(root, "state") == "paused"


def heard(page, *words: str) -> None:
    """Until the script says what the player has reported."""
    for word in words:
        page.get_by_text(word).wait_for()


def test_the_view_is_reported_at_rest_and_not_while_playing(page, open_player):
    root = open_player(page, scene="view", n=400)
    heard(page, "reports: 0, PlayerView(step=1, told=True, method='AKLO Sum', wide=False, guess=False, regret=False)")
    press(root, "Play")
    wait(root, "e.dataset.t > 8")
    assert "reports: 0" in page.get_by_text("reports:").inner_text()
    press(root, "Pause")
    heard(page, f"reports: 1, PlayerView(step={value(root, 't')}, told=True")
    root.get_by_label("Method", exact=True).select_option("TOL")
    heard(page, "reports: 2, ", "method='TOL'")
    press(root, "Wide view")
    heard(page, "reports: 3, ", "wide=True")
    root.get_by_label("Guess before the label").check()
    heard(page, "reports: 4, ", "told=False", "guess=True")
    press(root, "Step forward")
    heard(page, "reports: 5, ", "told=True")
    root.get_by_label("Time", exact=True).fill("30")  # as a scrub does: input, then change
    heard(page, "reports: 6, PlayerView(step=30")
    press(root, "Restart")
    heard(page, "reports: 7, PlayerView(step=1, told=False")
    assert root.evaluate("e => e.akloView()") == {"i": "1", "to": "0", "m": "TOL", "w": "1", "g": "1"}


def test_the_view_is_taken_when_mounted_and_when_the_program_changes_it(page, open_player):
    root = open_player(page, scene="view", step=25)
    wait(root, "e.dataset.t === '25'")
    page.get_by_role("button", name="Go to 9 with TOL").click()
    wait(root, "e.dataset.t === '9' && e.dataset.state === 'paused'")
    assert root.get_by_label("Method", exact=True).input_value() == "TOL"
    assert root.get_by_role("button", name="Wide view").get_attribute("aria-pressed") == "true"
    press(root, "Play")
    wait(root, "e.dataset.t > 11")
    page.get_by_role("button", name="ITOL", exact=True).first.click()  # a new method: it goes on playing
    page.wait_for_function("e => e.akloView().m === 'ITOL'", arg=root.element_handle())
    assert int(value(root, "t")) > 11
    wait(root, f"e.dataset.t === '{N}' && e.dataset.state === 'paused'")
    heard(page, f"step={N}")


def test_an_answer_under_way_does_not_take_the_view_back(page, open_player):
    root = open_player(page, scene="view")
    press(root, "Step forward")
    box = page.get_by_label("End", exact=True)
    box.fill("0.5")
    box.press("Enter")
    root.focus()
    for t in range(3, 13):  # steps go on while the answers to earlier ones arrive
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(40)
        assert value(root, "t") in (str(t), str(t - 1))
    heard(page, "step=12")
    assert value(root, "t") == "12"


def test_a_link_that_is_copied_while_it_plays_holds_the_current_step(visitor, open_player):
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    root = open_player(page, scene="view", n=400)
    root.get_by_label("Guess before the label").check()
    root.get_by_label("Guess before the label").uncheck()
    press(root, "Play")
    wait(root, "e.dataset.t > 5")
    link = steps.share(page)
    query = dict(parse_qsl(urlsplit(link).query))
    assert query.items() >= {"scene": "view", "n": "400", "m": "AKLO Sum", "to": "1", "w": "0", "g": "0"}.items()
    assert 5 <= int(query["i"]) <= int(value(root, "t"))


def test_another_task_is_reported_as_step_one(page, open_player):
    root = open_player(page, scene="view", step=20, hide=1)
    assert not root.get_by_label("Method", exact=True).is_visible()
    box = page.get_by_test_id("stNumberInput").get_by_label("Task", exact=True)
    box.fill("5")
    box.press("Enter")
    wait(root, "e.dataset.task === '5' && e.dataset.t === '1'")
    heard(page, "reports: 1, PlayerView(step=1")


def test_another_task_starts_at_its_first_step(page, open_player):
    root = open_player(page)
    scrub(root, 20)
    box = page.get_by_test_id("stNumberInput").get_by_label("Task", exact=True)
    box.fill("5")
    box.press("Enter")
    wait(root, "e.dataset.task === '5' && e.dataset.t === '1' && e.dataset.state === 'paused'")
    assert ", 5 experts" in root.inner_text()


def test_pointing_at_an_expert_lights_both_panels(page, open_alone):
    root = open_alone(page, clip="advice", task=11)
    scrub(root, 30)
    dark = {panel: painted(root, panel) for panel in ("plane", "weights")}
    band = root.locator(".weights canvas").bounding_box()
    page.mouse.move(band["x"] + 0.4 * band["width"], band["y"] + 0.7 * band["height"])
    wait(root, "Number(e.dataset.lit) >= 0")
    lit = value(root, "lit")
    wait(root, "e.querySelector('.info').textContent.startsWith('Expert from task ')")
    assert all(painted(root, panel) != before for panel, before in dark.items())
    page.mouse.move(0, 0)
    wait(root, "e.dataset.lit === '-1'")
    # The other way round: sweep over the plane until a line is near.
    plane = root.locator(".plane canvas").bounding_box()
    for share in np.linspace(0.1, 0.8, 60):
        page.mouse.move(plane["x"] + 0.5 * plane["width"], plane["y"] + share * plane["height"])
        if value(root, "lit") not in (None, "-1"):
            break
    wait(root, "Number(e.dataset.lit) >= 0")
    assert painted(root, "weights") != dark["weights"]
    page.mouse.move(0, 0)
    # And by keyboard, through the list.
    root.locator(f"[data-expert='{lit}']").focus()
    wait(root, f"e.dataset.lit === '{lit}'")


@pytest.mark.parametrize("clip", ["sum", "advice"])
def test_the_grid_says_what_the_core_says(page, open_alone, clip):
    root = open_alone(page, clip=clip, task=11, end=0.3, methods=ALL)
    stream = aklo.syn1(n_tasks=12, n_examples=N, seed=0)
    replay = aklo.run(stream, lam=1e-3, alpha=aklo.Linear(end=0.3), clip=clip, methods=ALL).replay(11)
    for method in ALL:
        said = root.evaluate(
            "(e, [X, method]) => X.map(([a, b], k) => e.akloProbe(a, b, k + 1, method))", [replay.X.tolist(), method]
        )
        np.testing.assert_allclose(said, replay.confidence[method], atol=1e-6, err_msg=method)


def test_a_rule_that_learns_alpha_draws_its_own_alpha_weights_and_regret(page, open_alone):
    root = open_alone(page, clip="advice", task=11, methods=ALL, method="One pool")
    stream = aklo.syn1(n_tasks=12, n_examples=N, seed=0)
    run = aklo.run(stream, lam=1e-3, clip="advice", methods=ALL)
    replay = run.replay(11)
    for method in ("One pool", "AdaHedge", "AKLO, rate 1/2", "AKLO Sum"):
        root.get_by_label("Method", exact=True).select_option(method)
        for t in (2, 13, N):
            scrub(root, t)
            alpha, value = replay.method_alpha[method][t - 1], replay.confidence[method][t - 1]
            split = root.locator(".trust .split").get_attribute("aria-label")
            shown = re.search(r"knowledge ([<>]?)(\d+) %", split)
            assert shown[1] or int(shown[2]) == round(100 * alpha), (method, t, split)
            top = replay.method_weights[method][t - 1].max()
            listed = [text.strip("<> %") for text in root.locator(".weights [data-expert] .p").all_inner_texts()]
            assert top < 0.01 or top > 0.99 or str(round(100 * top)) in listed, (method, t, listed)
            if method == "One pool":
                plus = f"{(1 + value) / 2:.3f}"
                assert f"vote for +1 {plus}" in root.locator(".formula").inner_text()
        assert ("learns α" in root.locator(".trust .alone").inner_text()) == (method in ("One pool", "AdaHedge"))
    root.get_by_role("button", name="Regret", exact=True).click()
    root.get_by_role("heading", name="The race: regret so far").wait_for()
    scrub(root, N)
    regret = aklo.regret(run).curve(11).loc[N]
    numbers = filter(None, root.locator(".race :is(.end, .tally):visible").all_inner_texts())
    assert [int(number.replace("−", "-")) for number in numbers] == regret.astype(int).tolist()


def test_the_sentence_and_the_race_say_what_the_core_says(page, open_alone):
    root = open_alone(page, clip="advice", task=11)
    stream = aklo.syn1(n_tasks=12, n_examples=N, seed=0)
    replay = aklo.run(stream, lam=1e-3, clip="advice", seed=0).replay(11)
    for method in aklo.METHODS:
        root.get_by_label("Method", exact=True).select_option(method)
        for t in (1, 13, N):
            scrub(root, t)
            wrong = bool(replay.errors[method][t - 1])
            text = root.locator(".formula").inner_text()
            truth = "+1" if replay.y[t - 1] > 0 else "−1"
            assert f"truth {truth}, {'mistake' if wrong else 'right'}" in text.replace("✓ ", "").replace("✕ ", "")
            if method not in ("ITOL", "TOL"):
                numbers = re.sub(r"α|learner|knowledge", "", text)  # each is named
                assert f"(1 − {replay.alpha[t - 1]:.3f})" in re.sub(r"\s+", " ", numbers)
            count = root.locator(f".end[data-method='{method}']").inner_text()
            assert int(count) == replay.errors[method][:t].sum()


def test_digits_say_that_the_plane_is_a_slice(page, open_alone):
    root = open_alone(page, data="digits", task=6, method="AKLO Sample")
    scrub(root, 20)
    text = root.inner_text()
    assert "first two principal components" in text
    assert "the slice through the mean of the data" in text
    assert "principal component 1" in text
    assert "It asked the expert from" in text


def test_the_first_task_has_no_experts(page, open_alone):
    root = open_alone(page, task=0)
    press(root, "Play")
    wait(root, "e.dataset.t > 3")
    press(root, "Pause")
    text = root.inner_text()
    assert "No experts yet" in text
    assert "The learner alone decides" in text
    assert "knowledge 0 %" in root.locator(".split").get_attribute("aria-label")


def test_help_opens_and_closes(page, open_alone):
    root = open_alone(page)
    ask = root.locator(".race .ask")
    assert ask.get_attribute("aria-expanded") == "false"
    ask.click()
    assert ask.get_attribute("aria-expanded") == "true"
    assert root.get_by_text("lower is better").is_visible()
    page.keyboard.press("Escape")
    assert not root.get_by_text("lower is better").is_visible()


def test_hiding_a_method(page, open_alone):
    root = open_alone(page)
    scrub(root, 30)
    name = root.get_by_role("button", name="TOL", exact=True)
    name.click()
    wait(root, "e.querySelector('.end[data-method=TOL]').hidden")
    assert name.get_attribute("aria-pressed") == "false"


def test_light_and_dark_follow_the_page(page, open_player):
    root = open_player(page)
    wait(root, "e.dataset.theme === 'light'")
    light = painted(root, "plane")
    page.emulate_media(color_scheme="dark")
    wait(root, "e.dataset.theme === 'dark'")
    assert painted(root, "plane") != light


def test_a_phone_shows_all_without_scrolling_sideways(visitor, open_alone):
    page = visitor(width=390, height=844)
    root = open_alone(page)
    box = root.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    over = root.evaluate(
        """e => [...e.querySelectorAll('button, select, input, p, h2, h3, .panel, .legend span')]
        .filter(x => x.offsetParent && (x.getBoundingClientRect().right > e.getBoundingClientRect().right + 1))
        .map(x => x.outerHTML.slice(0, 80))"""
    )
    assert over == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    tops = [root.locator(f".{panel}").bounding_box() for panel in ("plane", "weights", "trust", "race")]
    assert all(a["y"] + a["height"] <= b["y"] for a, b in pairwise(tops))


@pytest.mark.thorough
def test_follow_goes_through_the_stream(page, open_player):
    root = open_player(page, scene="follow", task=0, n=20, tasks=4)
    root.get_by_label("Speed", exact=True).select_option("8")
    root.evaluate(
        """e => { e.stops = []; new MutationObserver(() => e.stops.push(`${e.dataset.task} ${e.dataset.state}`))
        .observe(e, { attributes: true, attributeFilter: ['data-state'] }); }"""
    )
    press(root, "Play")
    for task in (1, 2, 3):
        wait(root, f"e.dataset.task === '{task}' && e.dataset.state === 'playing'")
    wait(root, "e.dataset.task === '3' && e.dataset.t === '20' && e.dataset.state === 'paused'")
    assert ", 3 experts" in root.inner_text()
    assert root.evaluate("e => e.stops") == ["0 playing", "3 paused"]


def test_two_players_do_not_disturb_each_other(page, open_player):
    left = open_player(page, scene="two")
    right = page.locator(PLAYER).nth(1)
    right.wait_for()
    press(left, "Play")
    wait(left, "e.dataset.t > 3")
    assert (value(right, "t"), value(right, "state")) == ("1", "paused")
    scrub(right, 30)
    right.focus()
    page.keyboard.press("ArrowRight")
    wait(right, "e.dataset.t === '31'")
    assert value(left, "state") == "playing"


def test_full_screen(page, open_alone):
    root = open_alone(page)
    small = root.locator(".frame").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    page.set_viewport_size({"width": 1920, "height": 1080})
    press(root, "Full screen")
    wait(root, "e.dataset.full === 'true' && e.getBoundingClientRect().width >= 1900")
    assert root.locator(".frame").evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > 1.3 * small
    page.keyboard.press("Space")  # plays, although the button was pressed last
    wait(root, "e.dataset.state === 'playing' && e.dataset.full === 'true'")
    page.keyboard.press("Space")
    wait(root, "e.dataset.state === 'paused' && e.dataset.full === 'true'")
    assert root.locator(".sentence").bounding_box()["y"] + root.locator(".sentence").bounding_box()["height"] <= 1081
    press(root, "Full screen")
    wait(root, "e.dataset.full === 'false'")


def test_it_leaves_nothing_behind(page, open_player):
    root = open_player(page)
    press(root, "Play")
    wait(root, "e.dataset.t > 2")
    page.get_by_text("Away").click()
    page.locator(PLAYER).wait_for(state="detached")
    page.get_by_text("Away").click()
    again = page.locator(PLAYER)
    again.wait_for()
    wait(again, "e.dataset.t === '1'")


def test_the_small_one_plays_by_itself(page, open_alone):
    root = open_alone(page, small=True)
    assert root.locator(".panel").count() == 2
    root = open_alone(page, autoplay=True)
    wait(root, "e.dataset.state === 'playing' && e.dataset.t > 2")


@pytest.mark.thorough
def test_less_motion_when_asked(visitor, open_player):
    page = visitor(reduced_motion="reduce")
    root = open_player(page, scene="follow", task=0, n=20, tasks=2)
    press(root, "Play")
    wait(root, "e.dataset.task === '1'")


def test_names_are_text_and_nothing_else(page, open_alone):
    """Titles and names may come from uploaded files."""
    root = open_alone(page, title="<img src=x onerror=alert(1)>")
    assert root.locator("img").count() == 0
    assert "<img" in root.inner_text()
