"""Shape alpha: one schedule or several, drawn by hand or by formula, and what each does on this stream."""

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.charts import alpha as charts
from aklo.lab.components.alpha_picture import CONTROLS, alpha_picture
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import alpha_map, runs, schedule_comparison
from aklo.lab.content import ranking, repetition_text, schedule_table
from aklo.lab.frame import progress
from aklo.lab.frame.page import page, picture
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import controls
from aklo.lab.session import exports, state, visible_controls
from aklo.lab.settings.presets import apply_preset
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import percent, schedule_title
from aklo.methods import KNOWING

EQUAL = "The paper's, linear to 0, is the corner at the bottom right."
RAGGED = (
    "Across is the share of {} steps after which it is reached, the same number of steps in every task. These tasks "
    "differ in length, so the paper's schedule, which falls over each task's own length, is not on the map."
)


def show_picture(settings: Settings) -> None:
    """Alpha and what it does, live: the browser mixes, and reports what a visitor has changed."""
    visible_controls.offer(*CONTROLS)
    alpha_picture(
        settings,
        key="alpha",
        on_change=lambda changes: state.change(**changes),
        on_preset=lambda name: state.replace(apply_preset(name, state.settings())),
    )


def in_numbers(settings: Settings) -> None:
    """The comparison as a table."""
    entries = schedule_comparison.compare(settings)
    table = schedule_comparison.table(entries, settings)
    st.markdown(schedule_table.markdown(table))
    exports.table("schedules", table)
    st.caption(
        f"Mean alpha is knowledge's share of the votes; “wrong” counts {settings.method}'s wrong predictions; the rest "
        f"is ACE in percent. ITOL has {percent(entries[0].ace['ITOL'])} and TOL {percent(entries[0].ace['TOL'])} "
        "throughout."
    )


def show_map(settings: Settings) -> None:
    """ACE over how low and how fast alpha falls."""
    method = settings.method
    if method not in KNOWING or settings.n_tasks < 2:
        why = "With one task there are no experts" if method in KNOWING else f"{method} never asks the knowledge base"
        st.info(f"{why}: alpha does nothing here, and the map would be one flat colour.", icon=":material/grid_off:")
        return
    picture, text = st.columns([3, 1], gap="medium")
    slot = picture.container(height=460, border=False).empty()  # keeps its height while the map is not there
    with text:
        st.caption(
            "Each cell is a schedule that falls from 1 straight down to an end value, and stays there. "
            + (RAGGED.format(settings.n_examples) if runs.is_ragged(settings) else EQUAL)
            + " Above ½ knowledge outweighs the learner to the very end."
        )
    cells = alpha_map.results(settings)
    work = Work(
        name="map",
        wanted=alpha_map.key(settings),
        done=cells.share_done,
        unasked=cells.is_cheap,
        price=progress.price(f"With {runs.size(settings)} this map", cells.seconds),
        start="Compute the map",
        help="Tries every schedule of the map on this stream. You can stop at any time; what is done is kept.",
        doing="Trying schedules",
    )
    found = progress.run(work, slot, lambda tell: alpha_map.compute(settings, tell))
    if found is not None:
        show_cells(settings, found, slot, text)


def show_cells(settings: Settings, found: alpha_map.AlphaMap, slot, text) -> None:
    """The map, and where on it the best and the current schedule are."""
    schedule, method, n = settings.schedule, settings.method, settings.n_examples
    # A linear schedule falls over each task's own length, a cell over the same number of steps in all.
    elsewhere = runs.is_ragged(settings) and schedule.needs_horizon
    here, now = None if elsewhere else alpha_map.position(schedule, n), runs.run(settings).ace[method]
    best, least = alpha_map.refined(settings, found)
    with slot:
        chosen = show(
            charts.heat(found, here, method, height=440),
            "alpha_map",
            f"ACE of {method} over end value and speed of decay, up to {percent(found.ace.max())}. Least: "
            f"{schedule_title(best)} with {percent(least)}. Current: {schedule_title(schedule)}, {percent(now)}. "
            f"Worse than ITOL: {found.hurts} cells.",
            clickable=True,
        )
    if chosen is not None and 0 <= chosen < found.ace.size:
        state.change(alpha=found.schedule_of(chosen).spec)
        st.rerun()
    with text:
        coarse = found.best_schedule
        st.markdown(
            f"**Least error of the cells:** {schedule_title(coarse)}, with {percent(found.ace.min())}."
            + (f" In finer steps around it: {schedule_title(best)}, with {percent(least)}." if best != coarse else "")
            + " Click a cell to take it."
        )
        check = alpha_map.checked(settings, best)
        st.markdown(
            f"{ranking.schedule_check(check)} {repetition_text.what_varies(settings)}"
            if check and best != schedule
            else ranking.ONE_STREAM
        )
        near = "" if here else f" Not of this family; nearest is {schedule_title(alpha_map.nearest(schedule, n))}."
        st.markdown(f"**Current:** {schedule_title(schedule)}, with {percent(now)}.{near}")
        st.markdown(f"**ITOL**, without knowledge: {percent(found.itol)}.")
        st.button(
            "Use the best", key="use_best", icon=":material/star:", on_click=state.change, kwargs={"alpha": best.spec},
            disabled=best.spec == settings.alpha, help="Make the schedule with the least error the current one.",
        )  # fmt: skip


PARTS = {"In numbers": in_numbers, "How low, how fast?": show_map}

with page("alpha", ("Stream", "Learner"), presets=False) as settings:
    progress.learn(settings)
    with picture():
        show_picture(settings)
    controls("alpha_part")
    PARTS[settings.alpha_part](settings)
