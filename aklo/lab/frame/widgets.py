"""The control of a setting, made from the setting's row in the table.

Every control is drawn under a key of `control_keys` with the value in force, so it cannot show another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field as DataclassField
from dataclasses import fields, replace
from functools import partial
from typing import Any

import streamlit as st

from aklo.lab.session import control_keys, state, uploads, visible_controls
from aklo.lab.settings.schema import FIELDS, OWN, Field, Settings, waiting_sentence
from aklo.schedules import SCHEDULES, Schedule

NAMES = {"advice": "each expert", OWN: "your own tasks"}  # where the value itself would say nothing to a person
# Settings that choose a part of a page are drawn as its headings are, without a label.
HEADINGS = ("Look closer", "What it does", "The promise")
ROOM = 14  # letters that fit into one row of the sidebar


def control(name: str, settings: Settings | None = None) -> None:
    """Draw the control of a setting, unless a link has hidden it.

    settings: those that the page shows, where they are not the ones in force.
    """
    settings = settings or state.settings()
    if not visible_controls.is_shown(name):
        return
    field = FIELDS[name]
    if field.kind == "schedule":
        _schedule(settings)
        return
    draw = _widget(name, field, settings)
    if draw is not None:
        report = partial(_change_setting, name)
        keep_true(f"setting_{name}", getattr(settings, name), draw, report)


def controls(*names: str) -> None:
    """Draw the controls of some settings side by side."""
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        for name in names:
            control(name)


def keep_true(
    control: str, value: Any, draw: Callable[..., Any], report: Callable[[Any], None], *, derived: bool = False
) -> None:
    """Draw a widget that shows the value in force, and report what a visitor sets it to.

    Parameters
    ----------
    control
        The name of the control, which its key begins with.
    value
        The value in force.
    draw
        Draws the widget, given `key=`, `value=` and `on_change=`, and returns the value that it shows.
    report
        Called with the new value when the visitor has set one, before the page is drawn again.
    derived
        Whether the value follows from the settings of other controls. After a lost session these are obeyed, and not
        this one.
    """
    key = control_keys.key(control, value)

    def moved() -> None:
        if control_keys.reported(key, st.session_state[key]):
            report(st.session_state[key])

    shown = draw(key=key, value=value, on_change=moved)
    if shown != value:
        # The visitor has set it while the server was away: a new session has not heard of that by a callback.
        control_keys.reported(key, shown)
        if not derived:
            report(shown)
        st.rerun()


def _change_setting(name: str, value: Any) -> None:
    state.change(**{name: value})


def _widget(name: str, field: Field, settings: Settings) -> Callable[..., Any] | None:
    """A function that draws the widget of a setting, or None where there is nothing to choose."""
    value = getattr(settings, name)
    words: dict[str, Any] = {"label": field.label, "help": field.help}
    if field.kind == "flag":
        return partial(st.toggle, **words)
    if field.kind == "choice":
        choices = [word for word in field.choices if word != OWN or uploads.own()]
        if isinstance(value, float):
            return partial(st.select_slider, options=choices, format_func=lambda number: f"{number:g}", **words)
        if field.label in HEADINGS:
            return partial(_segments, choices, label_visibility="collapsed", **words)
        if sum(len(_name(word)) for word in choices) <= ROOM:
            return partial(_segments, choices, wrap=False, width="stretch", **words)
        return partial(_selectbox, choices, _name, **words)
    if name == "seed":
        return partial(st.number_input, min_value=int(field.low), max_value=int(field.high), step=1, **words)
    high = field.highs.get(settings.dataset, field.high)
    high = settings.n_tasks - 1 if name == "task" else uploads.high(name, settings, high)
    return (
        _slider(value, field.low, high, field.step, whole=field.kind == "whole", **words) if high > field.low else None
    )


def _slider(value: float, low: float, high: float, step: float, *, whole: bool, **words: Any) -> Callable[..., Any]:
    """A slider whose range and decimals are such that it shows the value as it is."""
    kind: type = int if whole else float
    decimals = 0 if whole else max(_decimals(step), _decimals(value))
    return partial(
        st.slider,
        min_value=kind(min(low, value)),
        max_value=kind(max(high, value)),
        step=kind(step),
        format=None if whole else f"%.{decimals}f",
        **words,
    )


def _segments(choices: list, *, value: Any, **words: Any) -> Any:
    return st.segmented_control(options=choices, default=value, required=True, format_func=_name, **words)


def _selectbox(choices: list, name: Callable[[Any], str], *, value: Any, **words: Any) -> Any:
    return st.selectbox(options=choices, index=choices.index(value), format_func=name, **words)


def _name(choice: Any) -> str:
    return NAMES.get(choice, str(choice))


def _decimals(number: float) -> int:
    """How many decimals a number needs, four at most: 2 for 0.05."""
    return len(f"{number:.4f}".rstrip("0").partition(".")[2])


# ---------------------------------------------------------------------------------------------------------- schedules


def _schedule(settings: Settings) -> None:
    """The kind of alpha's schedule, and a slider for each of its parameters."""
    schedule = settings.schedule
    kinds = [kind for kind in SCHEDULES.values() if settings.horizon == "known" or not kind.needs_horizon]
    draw = partial(
        _selectbox, kinds, lambda kind: kind.__name__, label=FIELDS["alpha"].label, help=FIELDS["alpha"].help
    )
    keep_true("setting_alpha", type(schedule), draw, lambda kind: state.change(alpha=kind().spec))
    if settings.alpha_waits:
        st.caption(f":material/pause_circle: {waiting_sentence(settings)}")
    for field in fields(schedule):
        if field.metadata and not isinstance(field.default, tuple):
            _parameter(schedule, field)


def _parameter(schedule: Schedule, field: DataclassField) -> None:
    value, about = float(getattr(schedule, field.name)), field.metadata
    whole = isinstance(field.default, int) and value.is_integer()
    value = int(value) if whole else value  # a slider takes one kind of number, and a link holds 30 as 30.0
    step = 1 if whole else (0.01 if about["high"] <= 1 else 0.05 if about["high"] <= 5 else 0.5)
    label = field.name.replace("_", " ").capitalize()

    def report(value: Any) -> None:
        now = state.settings().schedule  # another of its parameters may have been set in the same moment
        state.change(alpha=replace(now if type(now) is type(schedule) else schedule, **{field.name: value}).spec)

    draw = _slider(value, about["low"], about["high"], step, whole=whole, label=label, help=about["help"])
    keep_true(f"alpha_{type(schedule).__name__}_{field.name}", value, draw, report)
