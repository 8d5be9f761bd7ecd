"""By keyboard alone: Tab reaches every control, the focus can always be seen, and each control does its work."""

from __future__ import annotations

import pytest

from tests.browser.steps import arrive, control, settle

PLAYER = "[data-aklo=player]"
MOST = 120  # presses of Tab, before a page counts as a trap

# The element that has the focus, also within a component, and what it is called.
NAMED = """
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body) return null;
  const name = e.getAttribute("aria-label") || e.labels?.[0]?.innerText || e.innerText || e.title;
  const found = {name: (name ?? "").trim(), html: e.outerHTML.slice(0, 200)};
  found.inPlayer = Boolean(e.closest("[data-aklo=player]"));
"""
# Whether the focus can be seen: whether anything about its look, or of what is next to it, comes with the focus.
SEEN = """
  const up = e.parentElement;
  const near = [e, up, up?.parentElement, e.nextElementSibling, ...[...e.querySelectorAll("*")].slice(0, 20)];
  const styles = near.filter(Boolean).flatMap((part) => [null, "::before", "::after"].map((which) => getComputedStyle(part, which)));
  const outline = (s) => (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 ? s.outlineWidth + s.outlineColor : "");
  const look = () => styles.map((s) => [outline(s), s.boxShadow, s.borderColor, s.backgroundColor, s.color, s.fill, s.stroke].join()).join();
  e.blur();
  await new Promise(requestAnimationFrame);
  const unfocused = look();
  e.focus({preventScroll: true, focusVisible: true});
  for (let frame = 0; frame < 20 && !found.seen; frame++) {
    found.seen = look() !== unfocused;
    if (!found.seen) await new Promise(requestAnimationFrame);
  }
"""  # noqa: E501
STILL = "*, *::before, *::after { transition: none !important }"


def focus(page, look: bool = False) -> dict | None:
    """What has the focus; look: also whether that can be seen."""
    return page.evaluate(f"async () => {{ {NAMED} {SEEN if look else ''} return found; }}")


def stops(page, until, look: bool = False) -> list[dict]:
    """Press Tab until a stop is what was looked for; all stops on the way."""
    way = []
    for _ in range(MOST):
        page.keyboard.press("Tab")
        stop = focus(page, look)
        if stop is None:
            continue
        way.append(stop)
        if until(stop):
            return way
    pytest.fail(f"not reached in {MOST} presses of Tab: {[stop['name'] for stop in way]}")


def test_tab_goes_through_the_watch_page_and_the_focus_is_always_seen(visitor, serve):
    page = visitor(reduced_motion="reduce")
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    page.locator(f"{PLAYER}[data-t]").wait_for()
    page.get_by_role("button", name="Reset", exact=True).wait_for()
    settle(page)
    page.add_style_tag(content=STILL)
    way = stops(page, lambda stop: stop["name"].startswith("What is shown: The prediction"), look=True)
    unseen = [stop["html"] for stop in way if not stop["seen"]]
    assert not unseen, "\n".join(unseen)
    unnamed = [stop["html"] for stop in way if not stop["name"]]
    assert not unnamed, "\n".join(unnamed)
    names = [stop["name"] for stop in way]
    assert any("Watch it learn" in name for name in names)  # the menu
    inside = [stop["name"] for stop in way if stop["inPlayer"]]
    for name in (
        "Step forward",
        "Play",
        "Restart",
        "Time",
        "Speed",
        "Guess before the label",
        "Save picture",
        "Full screen",
        "Method",
    ):
        assert name in inside
    assert {"ITOL", "TOL", "AKLO Sum"} <= set(inside)  # the race's legend hides and shows lines
    page.keyboard.press("Shift+Tab")
    assert focus(page)["inPlayer"]  # and back: no trap


def test_the_players_controls_work_by_keyboard(visitor, serve):
    page = visitor(reduced_motion="reduce")
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    root = page.locator(PLAYER)
    page.locator(f"{PLAYER}[data-t='1']").wait_for()
    assert root.get_attribute("data-state") == "paused"

    def reach(name: str) -> None:
        root.focus()
        stops(page, lambda stop: stop["name"] == name)

    def shows(**data: str) -> None:
        page.locator(PLAYER + "".join(f"[data-{name}='{value}']" for name, value in data.items())).wait_for()

    for name, key, then in (
        ("Step forward", "Enter", {"t": "2"}),
        ("Step forward", "Space", {"t": "3"}),
        ("Step back", "Enter", {"t": "2"}),
        ("Time", "ArrowRight", {"t": "3"}),
        ("Time", "End", {"t": "100"}),
        ("Restart", "Enter", {"t": "1"}),
        ("Play", "Enter", {"state": "playing"}),
        ("Pause", "Enter", {"state": "paused"}),
        ("Guess before the label", "Space", {"phase": "ask"}),
        ("Full screen", "Enter", {"full": "true"}),
        ("Full screen", "Enter", {"full": "false"}),
    ):
        reach(name)
        page.keyboard.press(key)
        shows(**then)
    reach("Speed")
    page.keyboard.press("ArrowDown")
    assert root.get_by_label("Speed").input_value() == "2"
    reach("Save picture")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename.endswith(".png")
    reach("ITOL")
    page.keyboard.press("Enter")
    root.locator(".race button[aria-pressed=false]", has_text="ITOL").wait_for()  # the next frame says so
    assert "ITOL" not in root.locator(".race canvas").get_attribute("aria-label").replace("TOL ", "", 1)


def test_no_press_is_lost_while_answers_to_earlier_ones_arrive(page, serve):
    arrive(page, f"{serve('app.py')}/watch", "Watch it learn")
    slider = control(page, "setting_task").locator("input[type=range]")
    slider.focus()
    page.keyboard.press("Home")
    for gap in 60, 100:
        for _ in range(15):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(gap)
    page.wait_for_url("**t=30**")
    settle(page)
    assert slider.input_value() == "30"


def test_pictures_say_what_they_show_and_follow_what_changes(visitor, serve):
    page = visitor(reduced_motion="reduce")
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    root = page.locator(PLAYER)
    pictures = root.get_by_role("img")
    page.locator(f"{PLAYER} .plane canvas[aria-label]").wait_for()
    before = [picture.get_attribute("aria-label") for picture in pictures.all()]
    assert len(before) >= 5 and all(before)
    root.focus()
    page.keyboard.press("End")
    page.locator(f"{PLAYER}[data-t='100']").wait_for()
    page.wait_for_function(
        "e => e.querySelector('.spoken').textContent.startsWith('Step 100 of 100')", arg=root.element_handle()
    )
    after = [picture.get_attribute("aria-label") for picture in pictures.all()]
    assert all(old != new for old, new in zip(before, after, strict=True)), after
    assert "Mistakes after 100 of 100 steps" in " ".join(after)


def test_nothing_is_spoken_while_it_plays(visitor, serve):
    page = visitor()
    arrive(page, f"{serve('app.py')}/watch?t=12", "Watch it learn")
    root = page.locator(PLAYER)
    root.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("e => Number(e.dataset.t) >= 3", arg=root.element_handle())
    spoken = root.locator(".spoken").text_content()
    page.wait_for_function("e => Number(e.dataset.t) >= 8", arg=root.element_handle())
    if root.get_attribute("data-state") == "playing":
        assert root.locator(".spoken").text_content() == spoken
    root.get_by_role("button", name="Pause", exact=True).click()
    page.wait_for_function(
        "e => e.querySelector('.spoken').textContent.startsWith(`Step ${e.dataset.t} of`)", arg=root.element_handle()
    )


def test_the_task_strip_is_read_by_keyboard(visitor, serve):
    page = visitor(reduced_motion="reduce")
    arrive(page, f"{serve('app.py')}/tasks", "Design the tasks")
    strip = page.locator("[data-aklo=overview]").get_by_role("slider", name="Task")
    strip.focus()
    first = strip.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowRight")
    assert strip.get_attribute("aria-valuenow") == "1"
    assert strip.get_attribute("aria-valuetext") != first
    page.keyboard.press("End")
    assert strip.get_attribute("aria-valuenow") == "49"
