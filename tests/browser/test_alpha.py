"""The page "Shape alpha" in a browser: everything follows a drag at once, by mouse, keyboard and finger."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest

import aklo
from aklo.lab.compute import mix_data
from aklo.lab.settings.schema import Settings
from aklo.schedules import SCHEDULES, Schedule
from tests.browser.observe import observe
from tests.browser.steps import arrive, chart, control, look, press, settle, until_query

SMALL = {"v": 2, "d": "syn1", "s": 0, "T": 8, "N": 41, "t": 5}
PICTURE = "[data-aklo=alpha]"
SEEN = """(root) => {
  const text = (selector) => root.querySelector(selector).textContent;
  return {
    alpha: root.dataset.alpha, errors: JSON.parse(root.dataset.errors ?? 'null'), task: root.dataset.task,
    state: root.dataset.state, title: text('h2'), formula: text('.formula-text'), votes: text('.votes'),
    preset: root.querySelector('[aria-label=Preset]').selectedOptions[0]?.text,
    ends: [...root.querySelectorAll('.end')].map((e) => e.textContent),
    ace: [...root.querySelectorAll('.values b')].map((e) => e.textContent),
    clip: root.querySelector('[aria-label=Clip]').value, horizon: root.querySelector('[aria-label=Horizon]').value,
  };
}"""


@pytest.fixture
def open_alpha(serve: Callable[..., str]) -> Callable:
    """open_alpha(page, **query) opens the page by its own address, and gives the picture."""

    def open_it(page, **query):
        arrive(page, f"{serve('app.py')}/alpha?{urlencode(SMALL | query)}")
        root = page.locator(PICTURE)
        root.wait_for()
        page.wait_for_function("e => e.dataset.errors", arg=root.element_handle())
        return root

    return open_it


def seen(root) -> dict:
    """What the picture shows in one frame."""
    return root.evaluate(SEEN)


def next_frame(page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def heights(root) -> list[float]:
    return [float(p) for p in root.get_attribute("data-points").split("/")]


def falls(values: list[float]) -> bool:
    return all(a >= b for a, b in pairwise(values)) and 0 <= values[-1] <= values[0] <= 1


def in_address(page) -> Schedule:
    """The schedule that the address holds."""
    return Schedule.parse(parse_qs(urlsplit(page.url).query).get("a", ["linear:end=0.5"])[0])


def wait_for_address(page, root) -> None:
    """Until the address holds what the picture shows."""
    page.wait_for_function(
        """e => (new URLSearchParams(location.search).get("a") ?? "linear:end=0.5") === e.dataset.alpha""",
        arg=root.element_handle(),
    )
    settle(page)


def grip(root, kind: str, i: int = 0):
    return root.locator(f".grip.{kind}").nth(i)


def centre(one) -> tuple[float, float]:
    box = one.locator(".dot").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def mistakes(spec: str, clip: str = "advice", horizon: str = "known", n_tasks: int = 8, n: int = 41) -> list[float]:
    """What `aklo.mix` says of a schedule on the page's stream: mistakes, those of the samplers as expected."""
    run = aklo.run(
        aklo.syn1(n_tasks=n_tasks, n_examples=n, seed=0), lam=1e-3, alpha=Schedule.parse(spec), clip=clip,
        horizon=horizon, seed=0,
    )  # fmt: skip
    counts = run.errors | run.expected
    return [float(sum(errors.sum() for errors in counts[name])) for name in aklo.METHODS]


def assert_true(found: dict, **reading) -> None:
    """The numbers of a frame are the library's for the schedule that is shown in the same frame."""
    reading = {"clip": found["clip"], "horizon": found["horizon"]} | reading
    assert found["errors"] == pytest.approx(mistakes(found["alpha"], **reading), rel=1e-9)


def test_an_expert_in_the_list_keeps_the_focus_and_can_be_pinned(page, open_alpha):
    """The list of experts is made anew with other names only, not with every drawing of the weights."""
    root = open_alpha(page)
    row = root.locator("[data-expert]").nth(1)
    row.evaluate("e => { e.focus(); window.akloRow = e; }")
    next_frame(page)
    assert root.evaluate("e => e.getRootNode().activeElement === window.akloRow && window.akloRow.isConnected")
    row.hover()
    page.mouse.down()
    next_frame(page)
    page.mouse.up()
    next_frame(page)
    assert row.get_attribute("aria-pressed") == "true"


def test_mistakes_follow_a_drag_in_every_frame_and_are_those_of_the_library(page, open_alpha):
    root = open_alpha(page)
    address, before = page.url, seen(root)
    assert_true(before)
    assert before["preset"] == "Your own mix" and before["title"] == "Linear, final α 0.5"
    x, y = centre(grip(root, "point", 4))
    page.mouse.move(x, y)
    page.mouse.down()
    frames = []
    for distance in (-14, 20, 45, 70, 95):
        page.mouse.move(x, y + distance, steps=2)
        next_frame(page)
        frames.append(seen(root))
        assert frames[-1]["state"] == "dragging"
        assert_true(frames[-1])
        assert falls(heights(root))
    assert len({frame["alpha"] for frame in frames}) == len(frames)
    assert len({tuple(frame["errors"]) for frame in frames}) >= 3
    for what in ("votes", "ace", "ends"):
        assert len({str(frame[what]) for frame in frames}) >= 3, what
    assert {frame["title"] for frame in frames} == {"Custom, 9 points"}
    share = 100 * Schedule.parse(frames[-1]["alpha"]).values(41).mean()
    assert frames[-1]["votes"] == f"In task 5 knowledge has {share:.1f} % of all votes."
    assert page.url == address  # Python hears of it on release only
    page.mouse.up()
    wait_for_address(page, root)
    assert in_address(page).spec == root.get_attribute("data-alpha") == seen(root)["alpha"]
    drawn = heights(root)
    press(page, "Undo")  # one step of the history for the whole drag
    page.locator(f"{PICTURE}[data-alpha='linear:end=0.5']").wait_for()
    assert seen(root)["errors"] == before["errors"]
    assert page.get_by_role("button", name="Undo", exact=True).is_disabled()
    press(page, "Redo")
    page.wait_for_function("e => e.dataset.alpha.startsWith('custom')", arg=root.element_handle())
    page.reload()
    root.wait_for()
    page.wait_for_function("e => e.dataset.points", arg=root.element_handle())
    assert heights(root) == drawn


def test_this_tasks_numbers_and_the_ace_are_those_of_the_library(page, open_alpha):
    root = open_alpha(page, a="exponential:half_life=9", c="sum")
    run = aklo.run(aklo.syn1(n_tasks=8, n_examples=41, seed=0), lam=1e-3, alpha=aklo.Exponential(9), clip="sum", seed=0)
    found = seen(root)
    assert found["ends"] == [str(int(run.errors[name][5].sum())) for name in aklo.METHODS]
    aces = [np.mean([errors.mean() for errors in (run.errors | run.expected)[name]]) for name in aklo.METHODS]
    assert found["ace"] == [f"{100 * ace:.1f} %" for ace in aces]


def test_a_point_takes_its_neighbours_along(page, open_alpha):
    root = open_alpha(page)
    start = heights(root)
    assert len(start) == 9 and falls(start)
    x, y = centre(grip(root, "point", 4))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20, steps=3)  # up: those before it are lifted, while the mouse is still down
    next_frame(page)
    lifted = heights(root)
    assert falls(lifted) and lifted[4] > start[4] and lifted[5:] == start[5:]
    page.mouse.move(x, y + 400)  # far below: all after it are pressed down to 0, and those before it come back
    next_frame(page)
    assert heights(root) == [*start[:4], 0, 0, 0, 0, 0]
    page.keyboard.press("Escape")
    next_frame(page)
    assert heights(root) == start and root.get_attribute("data-alpha") == "linear:end=0.5"
    page.mouse.up()


# Kind -> how far its first handle is dragged, in pixels.
DRAGS = {"linear": (0, -40), "constant": (0, 60), "exponential": (60, 0), "power": (0, 30), "step": (-60, 0),
         "ramp": (-50, 25), "logistic": (-60, 0)}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("kind", DRAGS)
def test_the_parameters_of_every_schedule_are_handles_on_the_curve(page, open_alpha, kind):
    start = SCHEDULES[kind]().spec if kind != "logistic" else "logistic:middle=20,width=5"
    start = {"step": "step:at=30", "ramp": "ramp:end=0.5,steps=30"}.get(kind, start)
    root = open_alpha(page, a=start)
    x, y = centre(grip(root, "handle"))
    dx, dy = DRAGS[kind]
    page.mouse.move(x, y)
    page.mouse.down()
    specs = []
    for share in (0.5, 1):
        page.mouse.move(x + share * dx, y + share * dy, steps=2)
        next_frame(page)
        specs.append(seen(root)["alpha"])
        assert_true(seen(root))
    assert len({start, *specs}) == 3 and {spec.split(":")[0] for spec in specs} == {kind}
    page.mouse.up()
    wait_for_address(page, root)
    assert in_address(page).spec == specs[-1]


def test_keyboard(page, open_alpha):
    root = open_alpha(page)
    slider = root.get_by_role("slider", name="Alpha at step 21", exact=True)
    slider.focus()
    before = heights(root)
    for key in ("ArrowUp", "ArrowUp", "Shift+ArrowUp", "PageUp", "ArrowDown"):
        page.keyboard.press(key)
    next_frame(page)
    assert heights(root)[4] == pytest.approx(min(1, before[4] + 0.21), abs=1e-9)
    assert float(slider.get_attribute("aria-valuenow")) == heights(root)[4]
    assert_true(seen(root))
    wait_for_address(page, root)
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    final = "custom:points=1/1/1/1/1/0/0/0/0"
    page.wait_for_function("spec => new URLSearchParams(location.search).get('a') === spec", arg=final)
    root.get_by_role("button", name="Fewer points").click()
    wait_for_address(page, root)
    assert heights(root) == [1, 1, 1, 0, 0]
    root.get_by_role("button", name="More points").click()
    wait_for_address(page, root)
    assert heights(root) == [1, 1, 1, 1, 1, 0.5, 0, 0, 0]
    labels = root.locator(".grip").evaluate_all("all => all.map((e) => e.getAttribute('aria-label'))")
    assert labels == [f"Alpha at step {1 + 5 * k}" for k in range(9)]  # Tab goes from the left to the right
    root.get_by_role("button", name="Start over").click()
    wait_for_address(page, root)
    assert root.get_attribute("data-alpha") == "linear:end=0.5"
    assert root.get_by_role("button", name="Start over").evaluate("e => e.matches(':focus')")  # it does nothing now
    assert root.get_by_role("button", name="Start over").is_disabled()
    handle = root.get_by_role("slider", name="Final α", exact=True)
    handle.focus()
    page.keyboard.press("ArrowDown")
    until_query(page, a="linear:end=0.49")
    assert_true(seen(root))


def test_finger(visitor, open_alpha):
    """At phone width a finger can drag, and nothing is wider than the screen."""
    page = visitor(width=390, height=844, has_touch=True, is_mobile=True, color_scheme="dark")
    root = open_alpha(page)
    grip(root, "point", 2).scroll_into_view_if_needed()
    x, y = centre(grip(root, "point", 2))
    client = page.context.new_cdp_session(page)
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    during = []
    for step in (15, 30, 45):
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + step}]})
        next_frame(page)
        during.append(seen(root))
        assert_true(during[-1])
    assert len({frame["alpha"] for frame in during}) == 3
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_for_address(page, root)
    assert in_address(page).spec == during[-1]["alpha"] and falls(heights(root))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_task_clip_horizon_and_method_are_followed_and_reported(page, open_alpha):
    root = open_alpha(page, a="power:k=0.5", k="none")
    before = seen(root)
    slider = root.get_by_role("slider", name="Task", exact=True)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    next_frame(page)
    assert seen(root)["task"] == "4" and seen(root)["ends"] != before["ends"]
    until_query(page, t="4")
    root.get_by_label("Clip", exact=True).select_option("sum")
    next_frame(page)
    assert_true(seen(root), clip="sum")
    until_query(page, c="sum")
    root.get_by_label("Horizon", exact=True).select_option("unknown")
    next_frame(page)
    assert_true(seen(root), clip="sum", horizon="unknown")
    assert seen(root)["errors"] != before["errors"]
    until_query(page, h="unknown")
    root.get_by_label("Method", exact=True).select_option("Unif Sum")
    until_query(page, m="Unif Sum")
    page.get_by_text("counts Unif Sum's wrong predictions").wait_for()
    for _ in range(4):
        press(page, "Undo")
    page.wait_for_function("e => e.dataset.task === '5'", arg=root.element_handle())
    assert seen(root)["errors"] == before["errors"]


def test_a_schedule_that_needs_the_horizon_waits_for_it(page, open_alpha):
    root = open_alpha(page, a="custom:points=1/0.6/0")
    root.get_by_label("Horizon", exact=True).select_option("unknown")
    root.get_by_text("Custom, 3 points needs the number of examples").wait_for()
    found = seen(root)
    assert found["alpha"] == "power:k=0.5" and grip(root, "point").count() == 0
    assert_true(found)
    until_query(page, h="unknown", a="custom:points=1/0.6/0")
    root.get_by_label("Horizon", exact=True).select_option("known")
    page.locator(f"{PICTURE}[data-alpha='custom:points=1/0.6/0']").wait_for()
    assert not root.get_by_text("needs the number of examples").is_visible()


def test_another_control_is_followed(page, open_alpha):
    """The stream is made anew by the server, and mixed by the browser."""
    root = open_alpha(page)
    control(page, "setting_n_tasks").locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    until_query(page, T="9")
    page.wait_for_function(
        "([e, old]) => e.dataset.errors && e.dataset.errors !== old",
        arg=[root.element_handle(), json.dumps(mistakes("linear:end=0.5"))],
    )
    settle(page)
    assert_true(seen(root), n_tasks=9)


def test_the_preset_is_the_one_in_force(page, serve):
    arrive(page, f"{serve('app.py')}/alpha")
    root = page.locator(PICTURE)
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle())
    assert seen(root)["preset"] == "syn1, as tabulated"
    x, y = centre(grip(root, "handle"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 30, steps=3)
    next_frame(page)
    assert seen(root)["preset"] == "Your own mix"
    page.mouse.move(x, y, steps=3)
    next_frame(page)
    assert seen(root)["preset"] == "syn1, as tabulated"
    page.mouse.up()
    root.get_by_label("Preset", exact=True).select_option("syn1, as printed")
    until_query(page, a="linear:end=0", c="sum")
    assert seen(root)["title"] == "Linear, final α 0" and seen(root)["clip"] == "sum"


def test_kept_schedules_are_compared(page, open_alpha):
    root = open_alpha(page, a="linear:end=0.25")
    keep = root.get_by_role("button", name="+ Keep this one")
    assert keep.is_disabled()  # four are kept
    root.get_by_role("button", name="Remove D · Step, last step 30").click()
    keep.press("Enter")
    root.get_by_role("button", name="D · Linear, final α 0.25", exact=True).wait_for()
    assert keep.is_disabled() and keep.evaluate("e => e.matches(':focus')")
    page.wait_for_function("new URLSearchParams(location.search).get('k')?.endsWith(';linear:end=0.25')")
    page.reload()
    root.get_by_role("button", name="D · Linear, final α 0.25", exact=True).wait_for()
    root.get_by_role("button", name="A · Linear, final α 0", exact=True).click()
    until_query(page, a="linear:end=0")
    label = root.locator(".ace canvas").get_attribute("aria-label")
    run = aklo.run(aklo.syn1(n_tasks=8, n_examples=41, seed=0), lam=1e-3, alpha=aklo.Linear(0.25), clip="advice")
    assert f"D {100 * run.ace['AKLO Sum']:.1f} %" in label


@pytest.mark.parametrize(("width", "height"), [(1366, 650), (1920, 950)])
def test_the_whole_picture_is_on_the_first_screen(visitor, serve, width, height):
    page = visitor(width=width, height=height)
    arrive(page, f"{serve('app.py')}/alpha")
    root = page.locator(PICTURE)
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle())
    box = root.bounding_box()
    assert box["y"] + box["height"] <= height
    assert root.locator(".panel").count() == 4
    for panel in root.locator(".panel .plot").all():
        assert panel.bounding_box()["height"] > 80


def test_a_stream_too_large_to_send_is_computed_by_the_server_and_says_so(page, serve):
    """200 tasks of 300 examples: the task follows at once, the whole stream when the visitor lets go."""
    settings = Settings().change(n_tasks=200, n_examples=300)
    assert mix_data.MOST_PAIRS < 300 * 200 * 199 / 2
    arrive(page, f"{serve('app.py')}/alpha?{urlencode(settings.address())}")
    root = page.locator(PICTURE)
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle(), timeout=120_000)
    root.get_by_text("the whole stream when you let go").first.wait_for()
    ends = seen(root)["ends"]
    x, y = centre(grip(root, "handle"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 60, steps=3)
    next_frame(page)
    found = seen(root)
    assert found["errors"] is None and found["ends"] != ends and found["ace"][5] == "…"
    page.mouse.up()
    page.wait_for_function("e => e.dataset.errors", arg=root.element_handle(), timeout=120_000)
    found = seen(root)
    assert found["alpha"] == in_address(page).spec
    assert_true(found, n_tasks=200, n=300)


def test_the_map_offers_the_best(page, open_alpha):
    root = open_alpha(page)
    look(page, "How low, how fast?")
    chart(page, "alpha_map")
    page.get_by_role("button", name="Use the best").click()
    page.wait_for_function("e => e.dataset.alpha.startsWith('ramp')", arg=root.element_handle())
    page.wait_for_url("**a=ramp**")


def test_charts_follow_the_theme(page, serve):
    """A theme that is changed while the page is open reaches the charts, whose colours come from Python."""
    arrive(page, f"{serve('app.py')}/alpha?{urlencode(SMALL | {'pa': 'How low, how fast?'})}")
    chart(page, "alpha_map")
    ink = "() => getComputedStyle(document.querySelector('.js-plotly-plot .cbtitle text')).fill"
    page.wait_for_function(f"({ink})() === 'rgb(28, 36, 48)'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"({ink})() === 'rgb(232, 236, 242)'")


def test_a_click_on_the_map_takes_a_cell(page, serve):
    arrive(page, f"{serve('app.py')}/alpha?T=6&N=20&s=3&R=2&pa=How low, how fast?")
    observe(page)  # until nothing moves any more
    plot = chart(page, "alpha_map").locator(".nsewdrag").first
    plot.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # what was off the screen is laid out
    box = plot.bounding_box()
    # The middle of the map, from -5 to 105 % and from -0.05 to 1.05: half of the task, down to one half.
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.locator(".st-key-alpha_map .hovertext").wait_for()  # a person sees what it is before the click
    page.mouse.click(x, y)
    until_query(page, a="ramp:end=0.5,steps=10")
    assert page.locator("[data-aklo=alpha]").get_attribute("data-alpha") == "ramp:end=0.5,steps=10"
