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
from streamlit.delta_generator import DeltaGenerator

from aklo.lab.components.slider import slider
from aklo.lab.session import control_keys, state, uploads, visible_controls
from aklo.lab.session.state import Drag
from aklo.lab.settings.presets import READINGS, reading_of
from aklo.lab.settings.schema import FIELDS, OWN, Field, Settings, challengers, in_order, waiting_sentence
from aklo.lab.settings.text import parameter_name
from aklo.schedules import SCHEDULES, Schedule

# A value -> its name for a person, where it would say nothing itself.
NAMES = {
    "sum": "after the sum", "advice": "each expert", OWN: "your own tasks",
    1: "+1", -1: "−1",
}  # fmt: skip
# Settings that choose a part of a page are drawn as its headings are, without a label.
HEADINGS = ("Look closer", "What it does", "Part of the page")
ROOM, PADDING = 30, 3  # letters that fit into one row of the sidebar, and those that a segment's margins take


def _as_it_is(value: Any) -> Any:
    return value


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
    value = getattr(settings, name)
    if name != "seed" and (field.kind in ("whole", "real") or isinstance(value, float)):
        _number(name, field, settings)
        return
    draw, read = _widget(name, field, settings), in_order if field.kind == "challengers" else _as_it_is
    keep_true(f"setting_{name}", value, draw, partial(_change_setting, name), read=read)


def knobs() -> DeltaGenerator:
    """A row for the controls that a page is about. On a phone it stands below the picture (assets/lab.css)."""
    return st.container(key="knobs", horizontal=True, vertical_alignment="top", gap="medium")


def controls(*names: str) -> None:
    """Draw the controls of some settings side by side."""
    with knobs():
        for name in names:
            control(name)


def keep_true(
    control: str,
    value: Any,
    draw: Callable[..., Any],
    report: Callable[[Any], None],
    *,
    derived: bool = False,
    read: Callable[[Any], Any] = _as_it_is,
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
    read
        Turns what the widget holds into a value.
    """
    key = control_keys.key(control, value)

    def moved() -> None:
        held = read(st.session_state[key])
        if control_keys.reported(key, held):
            report(held)

    shown = read(draw(key=key, value=value, on_change=moved))
    if shown != value:
        # The visitor has set it while the server was away: a new session has not heard of that by a callback.
        control_keys.reported(key, shown)
        if not derived:
            report(shown)
        st.rerun()


def _change_setting(name: str, value: Any) -> None:
    state.change(**{name: value})


def _number(name: str, field: Field, settings: Settings) -> None:
    """A slider for a setting that is a number; none where there is nothing to choose."""
    value = getattr(settings, name)
    if field.kind == "choice":
        choices = list(field.choices)
        slider(
            field.label, choices.index(value), key=f"setting_{name}", low=0, high=len(choices) - 1,
            words=[f"{number:g}" for number in choices], help=field.help,
            on_move=lambda at, drag: state.change(drag, **{name: choices[int(at)]}),
        )  # fmt: skip
        return
    high = field.highs.get(settings.dataset, field.high)
    high = settings.n_tasks - 1 if name == "task" else uploads.high(name, settings, high)
    if high > field.low:
        _slider(
            f"setting_{name}", field.label, value, field.low, high, field.step, whole=field.kind == "whole",
            help=field.help, on_move=lambda value, drag: state.change(drag, **{name: value}),
        )  # fmt: skip


def _widget(name: str, field: Field, settings: Settings) -> Callable[..., Any]:
    """A function that draws the widget of a setting."""
    words: dict[str, Any] = {"label": field.label, "help": field.help}
    if field.kind == "flag":
        return partial(st.toggle, **words)
    if field.kind == "challengers":
        return partial(_pills, list(challengers()), **words)
    if field.kind in ("choice", "method"):
        choices = [word for word in field.choices or settings.methods if word != OWN or uploads.own()]
        if field.label in HEADINGS:
            return partial(_segments, choices, label_visibility="collapsed", **words)
        if sum(len(_name(word)) + PADDING for word in choices) <= ROOM:
            return partial(_segments, choices, wrap=False, **words)
        return partial(_selectbox, choices, _name, **words)
    return partial(st.number_input, min_value=int(field.low), max_value=int(field.high), step=1, **words)  # the seed


def _slider(
    key: str, label: str, value: float, low: float, high: float, step: float, *, whole: bool, help: str,
    on_move: Callable[[float, Drag], None],
) -> None:  # fmt: skip
    """A slider whose range and decimals are such that it shows the value as it is."""
    decimals = 0 if whole else max(_decimals(step), _decimals(value))
    low, high = min(low, value), max(high, value)
    between = abs((value - low) / step - round((value - low) / step)) > 1e-9
    slider(
        label, value, key=key, low=low, high=high, step=10.0**-decimals if between else step, decimals=decimals,
        help=help, on_move=on_move,
    )  # fmt: skip


def _segments(choices: list, *, value: Any, **words: Any) -> Any:
    return st.segmented_control(options=choices, default=value, required=True, format_func=_name, **words)


def _optional_segments(choices: list, *, value: Any, **words: Any) -> Any:
    return st.segmented_control(options=choices, default=value, **words)


def _pills(choices: list, *, value: tuple, **words: Any) -> Any:
    return st.pills(options=choices, default=list(value), selection_mode="multi", **words)


def _selectbox(choices: list, name: Callable[[Any], str], *, value: Any, **words: Any) -> Any:
    return st.selectbox(options=choices, index=choices.index(value), format_func=name, **words)


def _name(choice: Any) -> str:
    return NAMES.get(choice, str(choice))


def _decimals(number: float) -> int:
    """How many decimals a number needs, four at most: 2 for 0.05."""
    return len(f"{number:.4f}".rstrip("0").partition(".")[2])


# --------------------------------------------------------------------------------------- readings and schedules


def reading() -> None:
    """Draw the switch between the two readings of the paper. With another schedule or clip neither is chosen."""
    if not all(map(visible_controls.is_shown, ("alpha", "clip"))):
        return

    def choose(name: str | None) -> None:
        if name is not None:
            state.change(**READINGS[name], horizon="known")  # which both need for their schedule

    draw = partial(
        _optional_segments, list(READINGS)[::-1], label="Reading", wrap=False,
        help="The paper's equations and its table do not agree, so there are two readings. **As tabulated**: each "
        "expert is clipped and α falls to ½, which comes near the paper's table. **As printed**: the sum is clipped "
        "and α falls to 0, which is what the equations say. Both know the number of examples N.",
    )  # fmt: skip
    keep_true("reading", reading_of(state.settings()), draw, choose, derived=True)


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
    label = parameter_name(field.name)
    label = label[0].upper() + label[1:]

    def report(value: float, drag: Drag) -> None:
        now = state.settings().schedule  # another of its parameters may have been set in the same moment
        changed = replace(now if type(now) is type(schedule) else schedule, **{field.name: value})
        state.change(drag, alpha=changed.spec)

    key = f"alpha_{type(schedule).__name__}_{field.name}"
    _slider(key, label, value, about["low"], about["high"], step, whole=whole, help=about["help"], on_move=report)
