"""Alpha's curve in the player: it is dragged while the task plays, and everything follows at once."""

from __future__ import annotations

import re

import pytest

import aklo
from aklo.schedules import Schedule
from tests.browser.steps import arrive, control, press, settle, until_query

PLAYER = "[data-aklo=player]"
ADDRESS = "watch?v=2&d=syn1&s=0&T=12&N=60&t=9&i=40"


@pytest.fixture
def player(page, serve):
    """The player at step 40 of task 9."""
    arrive(page, f"{serve('app.py')}/{ADDRESS}", "Watch it learn")
    root = page.locator(f"{PLAYER}[data-t='40']")
    root.wait_for()
    return page.locator(PLAYER)


def next_frame(page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def hold(page, player, kind: str, i: int) -> tuple[float, float]:
    """Press on a grip, and keep it pressed."""
    box = player.locator(f".grip.{kind} .dot").nth(i).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y


def replay_of(spec: str) -> aklo.Replay:
    stream = aklo.syn1(n_tasks=12, n_examples=60, seed=0)
    return aklo.run(stream, lam=1e-3, alpha=Schedule.parse(spec), clip="advice", seed=0).replay(9)


def assert_true(player, t: int) -> str:
    """Race, weights, region and sentence are the library's for the schedule that is shown in the same frame."""
    seen = player.evaluate(
        """(root) => ({
          spec: root.dataset.schedule,
          race: root.querySelector('.race canvas').getAttribute('aria-label'),
          weights: root.querySelector('.weights canvas').getAttribute('aria-label'),
          formula: root.querySelector('.formula').textContent,
          vote: root.querySelector('.knowledge b').textContent,
        })"""
    )
    replay = replay_of(seen["spec"])
    counts = {name: int(replay.errors[name][:t].sum()) for name in aklo.METHODS}
    assert {name: int(re.search(rf"\b{name} (\d+)", seen["race"])[1]) for name in aklo.METHODS} == counts
    best = int(replay.weights[t - 1].argmax())
    assert re.search(r"task (\d+)", seen["weights"])[1] == str(best)
    assert f"{replay.alpha[t - 1]:.3f}" in seen["formula"]
    assert float(seen["vote"].removesuffix(" %")) == pytest.approx(100 * replay.alpha[t - 1], abs=0.51)
    found = player.evaluate("(root, [x, y, t]) => root.akloProbe(x, y, t, 'AKLO Sum')", [*replay.X[t - 1], t])
    assert found == pytest.approx(replay.confidence["AKLO Sum"][t - 1], abs=1e-5)
    return seen["spec"]


def test_everything_follows_while_alpha_is_dragged(page, player):
    assert_true(player, 40)
    address = page.url
    x, y = hold(page, player, "point", 4)
    specs = []
    for distance in (12, 24, 36):
        page.mouse.move(x, y + distance, steps=2)
        next_frame(page)
        specs.append(assert_true(player, 40))
    assert len(set(specs)) == 3 and page.url == address
    page.mouse.up()
    until_query(page, a=specs[-1])
    assert assert_true(player, 40) == specs[-1]
    press(page, "Undo")
    page.locator(f"{PLAYER}[data-schedule='linear:end=0.5']").wait_for()
    assert_true(player, 40)


def test_the_controls_above_follow_while_alpha_is_dragged(page, player):
    """Before the release; the address is written then, and Undo takes the whole drag back."""
    address = page.url
    x, y = hold(page, player, "handle", 0)
    for distance in (10, 20, 30):
        page.mouse.move(x, y + distance, steps=2)
        next_frame(page)
        end = player.get_attribute("data-schedule").removeprefix("linear:end=")
        slider = control(page, "alpha_Linear_end").element_handle()
        page.wait_for_function("([e, end]) => Number(e.dataset.value) === Number(end)", arg=[slider, end])
    reading = control(page, "reading").element_handle()
    page.wait_for_function("e => !e.querySelector(':checked')", arg=reading)
    assert page.url == address
    page.mouse.up()
    until_query(page, a=f"linear:end={end}")
    press(page, "Undo")
    page.locator(f"{PLAYER}[data-schedule='linear:end=0.5']").wait_for()
    until_query(page, a=None)


def test_it_goes_on_playing_while_alpha_is_dragged(page, player):
    player.get_by_label("Time", exact=True).fill("5")  # a busy machine would reach the end from the step of the address
    player.get_by_role("button", name="Play", exact=True).click()
    x, y = hold(page, player, "handle", 0)
    page.mouse.move(x, y + 10, steps=3)
    next_frame(page)
    before = int(player.get_attribute("data-t"))
    page.wait_for_function("([e, t]) => Number(e.dataset.t) > t + 3", arg=[player.element_handle(), before])
    page.mouse.move(x, y + 25, steps=3)
    next_frame(page)
    spec = player.get_attribute("data-schedule")
    assert spec.startswith("linear:end=0.") and spec != "linear:end=0.5"
    assert player.get_attribute("data-state") == "playing"
    page.mouse.up()
    until_query(page, a=spec)


def test_keys_move_alpha_and_not_the_time(page, player):
    player.get_by_role("slider", name="Final α", exact=True).focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    next_frame(page)
    assert assert_true(player, 40) == "linear:end=0.47"
    until_query(page, a="linear:end=0.47")
    assert player.get_attribute("data-t") == "40"


def test_quick_drags_are_not_taken_back_by_older_answers(page, player):
    for i, distance in ((2, 8), (5, 10), (7, 6)):
        x, y = hold(page, player, "point", i)
        page.mouse.move(x, y + distance, steps=2)
        page.mouse.up()
    last = player.get_attribute("data-schedule")
    until_query(page, a=last)
    settle(page)
    assert player.get_attribute("data-schedule") == last
    assert_true(player, 40)
