"""The player with a few widgets around it; the address chooses the scene, for tests and the benchmark."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import aklo
from aklo.lab.components.player import PlayerOptions, PlayerView, TaskContext, player
from aklo.lab.components.share_dialog import share_dialog
from aklo.lab.components.window_watch import window_watch

st.set_page_config(layout="wide")
st.html("<style>.block-container{padding:3rem 1rem 1rem}</style>")


@st.cache_resource
def stream(name: str, n_tasks: int, n_examples: int) -> aklo.TaskStream:
    return getattr(aklo, name)(n_tasks=n_tasks, n_examples=n_examples, seed=0)


@st.cache_resource
def learned(name: str, n_tasks: int, n_examples: int) -> aklo.LearnedStream:
    return aklo.learn(stream(name, n_tasks, n_examples), lam=1e-3 if name != "digits" else 0.1)


@st.cache_resource(max_entries=20)
def run(name: str, n_tasks: int, n_examples: int, end: float, clip: str) -> aklo.Run:
    return aklo.mix(learned(name, n_tasks, n_examples), alpha=aklo.Linear(end=end), clip=clip, horizon="known", seed=0)


def show(key: str, task: int, **more) -> None:
    """One player under the scene's settings."""
    data = stream(name, n_tasks, n_examples)
    labels = [f"task {k}" if data.names is None else data.names[k] for k in range(len(data))]
    replay = run(name, n_tasks, n_examples, end, clip).replay(task)
    groups = data.groups
    player(
        replay,
        key=key,
        task=TaskContext(
            number=task,
            n_tasks=len(data),
            title=st.query_params.get("title", labels[task].replace("task", "Task")),
            group=None if groups is None else groups[task],
            names=labels[:task],
            groups=None if groups is None else groups[:task],
            group_names=("D1", "D2") if name != "digits" else [f"+1 is {digit}" for digit in range(10)],
        ),
        **more,
    )


asked = st.query_params
name = asked.get("data", "syn1")
n_tasks, n_examples = int(asked.get("tasks", 12)), int(asked.get("n", 40))
first, method = int(asked.get("task", 7)), asked.get("method", "AKLO Sum")
columns = st.columns(3)
end = columns[0].number_input("End", 0.0, 1.0, float(asked.get("end", 0.0)), 0.1)
clip = columns[1].selectbox("Clip", ["sum", "advice"], index=["sum", "advice"].index(asked.get("clip", "sum")))
scene = asked.get("scene", "one")
if scene == "follow":
    st.session_state.setdefault("task", first)
    follow = PlayerOptions(follow=True)
    show("follow", st.session_state.task, options=follow, on_next=lambda task: st.session_state.update(task=task))
elif scene == "view":  # a program that keeps the view, and changes it by itself where it is asked to
    state = st.session_state
    state.setdefault("view", PlayerView(int(asked.get("step", 1)), method=method))
    state.setdefault("told", [])
    if st.button("Go to 9 with TOL"):
        state.view = PlayerView(9, method="TOL", wide=True)
    if st.button("ITOL"):
        state.view = replace(state.view, method="ITOL")

    def seen(view: PlayerView) -> None:
        state.view = view
        state.told.append(view)

    task = columns[2].number_input("Task", 0, n_tasks - 1, first)
    keys = {"step": "i", "told": "to", "method": "m", "wide": "w", "guess": "g"}
    share_dialog("Player", {}, None)
    options = PlayerOptions(choose_method="hide" not in asked, link_keys=keys)
    show("player", task, view=state.view, on_view=seen, options=options)
    st.text(f"reports: {len(state.told)}, {state.view}")
elif scene == "two":
    show("left", first, view=PlayerView(method=method))
    show("right", first + 1, view=PlayerView(method=method))
else:
    if scene == "notice":
        window_watch()
    task = columns[2].number_input("Task", 0, n_tasks - 1, first)
    if not st.checkbox("Away"):
        options = PlayerOptions(small=scene == "small", autoplay=scene == "auto")
        show("one", task, view=PlayerView(method=method), options=options)
