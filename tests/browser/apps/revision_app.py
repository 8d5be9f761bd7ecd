"""The race, the picture of alpha and the sandbox around values that the script keeps, and changes when asked to."""

from __future__ import annotations

import time

import numpy as np
import streamlit as st

import aklo
from aklo.lab.components.alpha_picture import alpha_picture
from aklo.lab.components.sandbox import sandbox
from aklo.lab.components.stream_race import stream_race
from aklo.lab.settings.schema import Settings

state, scene = st.session_state, st.query_params["scene"]


def keep(value: int | str) -> None:
    state.value = value
    state.reports = state.get("reports", 0) + 1


if scene == "race":
    run = aklo.run(aklo.syn1(n_tasks=9, n_examples=20, seed=0), lam=1e-3, seed=0)
    state.setdefault("value", 4)
    if st.button("Change"):
        state.value = 2
    wrong = [[float(e) for errors in run.errors[name] for e in errors] for name in aklo.METHODS]
    stream_race(
        np.array(wrong), np.arange(0, 181, 20), methods=aklo.METHODS, after=state.value, key="race", alt="Errors.",
        on_stop=keep,
    )  # fmt: skip
elif scene == "alpha":
    state.setdefault("value", "linear:end=0.5")
    if st.button("Change"):
        state.value = "power:k=0.5"
    time.sleep(0.3)  # an answer that takes its time
    small = Settings(n_tasks=4, n_examples=40, task=3, alpha=state.value)
    alpha_picture(small, key="alpha", on_change=lambda changes: keep(changes["alpha"]), on_preset=keep)
else:
    state.setdefault("value", "AKLO Sum")
    if st.button("Change"):
        state.value = "ITOL"
    small = Settings(n_tasks=4, n_examples=20, horizon="unknown", alpha="power:k=0.5")
    sandbox(small, key="sandbox", method=state.value, on_method=keep)
st.text(f"reports: {state.get('reports', 0)}, value: {state.value}")
