"""A setting's widget, made from its row in the table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import fields, replace

import streamlit as st

from aklo.lab.session import uploads, url, visible_controls
from aklo.lab.settings.schema import FIELDS, OWN, Settings
from aklo.schedules import SCHEDULES, Schedule

NAMES = {"advice": "each expert", OWN: "your own tasks"}  # where the value itself would not speak to a person
# Settings that choose a part of a page stand in its place like headings.
HEADLINES = ("Look closer", "What it does", "The promise")
ON_ITS_WAY = 1.0  # seconds in which a value that was told has arrived in the browser
ROOM = 14  # letters that fit into one row of the sidebar


def tell(key: str, value: object) -> None:
    """Give the widget its value, unless the server knows it to have that already.

    A widget that is told its value takes it at once: one being dragged, or pressed on, would jump back to where it was
    when the answer that is now arriving set out.
    """
    known = key in st.session_state
    if not known or st.session_state[key] != value:
        if known:
            st.session_state.setdefault("told", {})[key] = (st.session_state[key], time.monotonic())
        st.session_state[key] = value


def stale(key: str) -> bool:
    """Whether what a widget reports is what it was before it was told another value: the visitor has moved something
    else before that had arrived, and has not moved this one back."""
    before, when = st.session_state.get("told", {}).get(key, (None, -math.inf))
    return st.session_state[key] == before and time.monotonic() - when < ON_ITS_WAY


def widget(name: str, settings: Settings, change: Callable[..., None]) -> None:
    """Draw the widget of one setting; `change(name=value)` is called when it moves. A link may have hidden it."""
    if not visible_controls.is_shown(name):
        return
    f = FIELDS[name]
    if f.kind == "schedule":
        _schedule(settings, change)
        return
    key = f"setting_{name}"
    value = getattr(settings, name)
    tell(key, value)

    def moved() -> None:
        if not stale(key):
            change(**{name: st.session_state[key]})

    common = {"key": key, "help": f.help, "on_change": moved}
    if f.kind == "choice" and isinstance(value, float):
        st.select_slider(f.label, f.choices, format_func=lambda number: f"{number:g}", **common)
    elif f.kind == "choice" and sum(len(NAMES.get(word, word)) for word in f.choices) <= ROOM:
        names = {"format_func": lambda word: NAMES.get(word, word)}
        st.segmented_control(f.label, f.choices, required=True, wrap=False, width="stretch", **names, **common)
    elif f.kind == "flag":
        st.toggle(f.label, **common)
    elif f.kind == "choice" and f.label in HEADLINES:
        st.segmented_control(f.label, f.choices, required=True, label_visibility="collapsed", **common)
    elif f.kind == "choice":
        choices = [word for word in f.choices if word != OWN or uploads.own()]
        st.selectbox(f.label, choices, format_func=lambda word: NAMES.get(word, word), **common)
    elif name == "seed":
        st.number_input(f.label, int(f.low), int(f.high), step=1, **common)
    else:
        high = f.highs.get(settings.dataset, f.high)
        high = settings.n_tasks - 1 if name == "task" else uploads.high(name, settings, high)
        kind = int if f.kind == "whole" else float
        if high > f.low:
            decimals = max(0, -_exponent(f.step))
            st.slider(
                f.label,
                kind(f.low),
                kind(high),
                step=kind(f.step),
                format=f"%.{decimals}f" if kind is float else None,
                **common,
            )


def _exponent(step: float) -> int:
    """-2 for 0.05: how many decimals a step needs."""
    return -len(f"{step:.10f}".rstrip("0").partition(".")[2])


def _schedule(settings: Settings, change: Callable[..., None]) -> None:
    """The kind of alpha's schedule, and a slider for each of its parameters."""
    schedule = settings.schedule
    kinds = [kind for kind in SCHEDULES.values() if settings.horizon == "known" or not kind.needs_horizon]
    tell("setting_alpha", type(schedule))

    def chosen() -> None:
        if not stale("setting_alpha"):
            change(alpha=st.session_state["setting_alpha"]().spec)

    st.selectbox(
        FIELDS["alpha"].label, kinds, format_func=lambda kind: kind.__name__, key="setting_alpha", on_change=chosen,
        help=FIELDS["alpha"].help,
    )  # fmt: skip
    for field in fields(schedule):
        if field.metadata and not isinstance(field.default, tuple):
            _parameter(schedule, field.name, change)


def _parameter(schedule: Schedule, name: str, change: Callable[..., None]) -> None:
    field = next(f for f in fields(schedule) if f.name == name)
    about, key = field.metadata, f"alpha_{type(schedule).__name__}_{name}"
    kind = type(field.default)
    low, high = kind(about["low"]), kind(about["high"])
    tell(key, min(max(kind(getattr(schedule, name)), low), high))

    def moved() -> None:
        if stale(key):
            return
        now = url.settings().schedule  # its neighbour may have moved since it was drawn
        change(alpha=replace(now if type(now) is type(schedule) else schedule, **{name: st.session_state[key]}).spec)

    label = name.replace("_", " ")
    step = 1 if kind is int else (0.01 if high <= 1 else 0.05 if high <= 5 else 0.5)
    st.slider(label[0].upper() + label[1:], low, high, step=step, key=key, on_change=moved, help=about["help"])
