"""Sandbox: place an example, see what is predicted, then say what it is."""

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.components.sandbox import sandbox
from aklo.lab.compute import runs
from aklo.lab.compute.sandbox_history import honest
from aklo.lab.content import findings
from aklo.lab.frame import progress
from aklo.lab.frame.page import finding, page, picture
from aklo.lab.frame.widgets import controls
from aklo.lab.session import state
from aklo.lab.settings.field import OWN
from aklo.wording import count

with page("world", ("Stream", "Methods", "Learner")) as settings:
    stream = runs.stream(settings)
    if stream.d == 2 and stream.vectors is not None and settings.dataset != OWN:
        progress.learn(settings)
        finding(findings.of_experts(stream, runs.group_names(settings)))
        with picture():
            sandbox(honest(settings), key="world", on_method=lambda method: state.change(method=method))
        controls("alpha", "clip", settings=honest(settings))
        st.caption(
            "**The horizon is unknown here.** You decide when the task ends, so its number of examples N is not "
            "known while it runs, and no method may use it. So this page always has the unknown horizon, whatever "
            "the other pages are set to: the weights start anew at t = 1, 2, 4, 8, … (the doubling trick), and only "
            "schedules that run without N are offered. TOL is one learner over all tasks joined, those of the "
            "knowledge base first, then yours. The labels that you give stay in this browser tab: a reload keeps "
            "them, and another setting plays the same examples against other experts. The adversary waits for the "
            "prediction of the method shown and gives the opposite label, so that this method is wrong every time."
        )
    else:
        st.info(
            "The sandbox needs synthetic tasks in the plane: two features for each example, and groups that can supply "
            "further examples. "
            + (
                "Your own tasks cannot supply any. "
                if settings.dataset == OWN
                else f"The {settings.dataset} have {count(stream.d, 'feature')}. "
                if stream.d != 2
                else f"The dataset {settings.dataset} has no labelling vector to label them with. "
            )
            + "Choose a stream in the plane, and its tasks become the knowledge base.",
            icon=":material/scatter_plot:",
        )
        st.button(
            "Play in the plane, with syn1",
            type="primary",
            on_click=state.change,
            kwargs={"dataset": "syn1"},
            help="Changes the dataset to syn1, the paper's first stream. Everything else stays, or takes its default.",
        )
