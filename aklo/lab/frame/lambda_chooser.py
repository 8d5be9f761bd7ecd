"""The choice of lambda for a visitor's own tasks: the errors of the candidates, and a button that takes the best."""

from __future__ import annotations

import streamlit as st

from aklo.lab.charts.reproduce import lambda_curves
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import lambda_choice
from aklo.lab.frame import progress
from aklo.lab.frame.progress import Work
from aklo.lab.session import state
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import percent


def lambda_chooser(settings: Settings) -> None:
    """Draw ITOL's error for each lambda of the paper's grid, and a button that takes the best.

    Where trying them takes a while, it is offered first, and can be stopped.
    """
    st.markdown(
        "**Which λ suits these tasks?** The paper takes the one with the least error of ITOL, the learner alone."
    )
    slot, errors = st.empty(), lambda_choice.results(settings)
    work = Work(
        name="lambda",
        wanted=lambda_choice.key(settings),
        done=errors.share_done,
        unasked=errors.is_cheap,
        price=progress.price("This", errors.seconds),
        start="Try the values of λ",
        help="Runs ITOL with each value of λ. You can stop at any time; what is done is kept.",
        doing="Trying values of λ",
    )
    found = progress.run(work, slot, lambda tell: lambda_choice.compute(settings, tell))
    if found is None:
        return
    slot.empty()
    best, now = percent(found.errors[found.lam]), percent(found.errors[settings.lam])
    show(
        lambda_curves({"your tasks": found}),
        "lambda",
        f"ITOL's error against lambda on your tasks. The least: {best}, at {found.lam:g}.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Use λ = {found.lam:g}", key="use_lambda", icon=":material/tune:", on_click=state.change,
            kwargs={"lam": found.lam}, disabled=settings.lam == found.lam,
            help="Makes it the λ of all pages. Undo takes it back.",
        )  # fmt: skip
        st.caption(
            f"λ = {found.lam:g} is in force: {best}."
            if settings.lam == found.lam
            else f"λ = {found.lam:g} has {best}; λ = {settings.lam:g}, which is in force, has {now}."
        )
