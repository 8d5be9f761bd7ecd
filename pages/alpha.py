"""Shape alpha: one schedule or several, drawn by hand or by formula, and what each does on this stream."""

import streamlit as st

from aklo.lab.charts import alpha as figures
from aklo.lab.components.alpha_editor import sketch
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import alpha_map, runs, schedule_comparison
from aklo.lab.frame import page
from aklo.lab.settings.text import count, percent, schedule_title
from aklo.methods import KNOWING
from aklo.schedules import Schedule

SIDE_BY_SIDE = "Side by side"
STREAM = ("Stream", "Generator", "Learner", "Knowledge")  # what decides all that is computed here


@page.first("alpha", "n_examples", "horizon")
def the_curve() -> None:
    """The current schedule, large, to look at and to draw on."""
    settings = page.settings()
    schedule, n, unknown = settings.schedule, settings.n_examples, settings.horizon == "unknown"
    alpha = schedule.values(n)
    sketch(
        schedule, n, horizon=settings.horizon, name=schedule_title(schedule), key="sketch",
        alt=f"Alpha of {schedule_title(schedule)} over {n} steps, from {alpha[0]:.2f} to {alpha[-1]:.2f}: knowledge "
        f"has {percent(alpha.mean())}." + (" The weights start anew at t = 1, 2, 4, 8 and so on." if unknown else ""),
        on_change=lambda spec: page.change(alpha=spec),
    )  # fmt: skip


@page.later("alpha", "n_examples", "horizon")
def its_words() -> None:
    """The current schedule's name, formula and meaning."""
    settings = page.settings()
    schedule = settings.schedule
    st.subheader(schedule_title(schedule), anchor=False)
    with st.container(height=90, border=False, vertical_alignment="center"):  # formulas differ in height
        st.latex(schedule.formula)
    if settings.horizon == "unknown":
        st.caption(
            "Nobody knows when the task will end, so the experts' weights start anew at every dotted line "
            "(t = 1, 2, 4, 8, …), each time for a stretch twice as long: the doubling trick. A drawn curve "
            "stretches from the first step to the last: choose a known horizon under Knowledge to draw."
        )
    else:
        st.caption(
            f"**Draw your own**: drag a point; its neighbours come along, since alpha may only fall, for the learner "
            f"only gets better. The vote at each step: blue is knowledge's share, grey the learner's. Over this task "
            f"knowledge has {percent(schedule.values(settings.n_examples).mean())} of all votes."
        )


@page.later()
def what_it_does() -> None:
    """Which schedules, and one table or map of them; or the parts below."""
    page.setting("alpha_part")
    {SIDE_BY_SIDE: side_by_side, "In numbers": in_numbers, "How low, how fast?": the_map}[page.settings().alpha_part]()


def side_by_side() -> None:
    """What each schedule does to this task, to the whole stream and to trust: each chart a part of its own."""
    page.needs("alpha_part", "kept", "horizon", schedule_comparison.can_keep)
    the_kept()


def the_kept() -> None:
    """The list of schedules to compare: keep the current one, or let one go."""
    settings = page.settings()
    kept = settings.kept_schedules
    with st.container(horizontal=True):
        for letter, spec in zip(schedule_comparison.LETTERS, kept, strict=False):
            name = f"{letter} · {schedule_title(Schedule.parse(spec))}"
            waits = (
                "" if schedule_comparison.fits(spec, settings) else " It needs a known horizon, so it waits for now."
            )
            st.button(
                name, key=f"drop_{spec}", icon=":material/close:", on_click=schedule_comparison.drop, args=(spec,),
                help=f"Remove {schedule_title(Schedule.parse(spec))} from the comparison.{waits}",
            )  # fmt: skip
        idle = not schedule_comparison.can_keep(settings)
        st.button(
            "Keep this one for comparison", key="keep", icon=":material/add:", disabled=idle,
            type="secondary" if idle else "primary",  # in the dark a disabled primary button cannot be read
            on_click=schedule_comparison.keep,
            help="Add the current schedule to the list. It holds four: remove one to make room.",
        )  # fmt: skip
    st.caption(
        "Up to four; press one to remove it. The current schedule is always there too, as “Now” if it is not kept."
    )


def in_numbers() -> None:
    """The comparison as a table."""
    page.needs("alpha_part", "kept", *STREAM, "View")
    settings = page.settings()
    the_kept()
    entries = schedule_comparison.compare(settings)
    table = schedule_comparison.table(entries, settings)
    formats = {name: "%.1f" for name in table.columns if "%" in name} | {"Mean alpha": "%.2f"}
    columns = {name: st.column_config.NumberColumn(format=formats.get(name)) for name in table.columns}
    columns["_index"] = st.column_config.Column(width=265)
    st.dataframe(table, column_config=columns, key="alpha_table", height=35 * (len(table) + 1) + 3)
    st.caption(
        f"Mean alpha is knowledge's share of the votes; “wrong” counts {settings.method}'s wrong predictions; the rest "
        f"is ACE in percent. ITOL has {percent(entries[0].ace['ITOL'])} and TOL {percent(entries[0].ace['TOL'])} "
        "throughout."
    )


def the_map() -> None:
    """ACE over how low and how fast alpha falls."""
    page.needs("alpha_part", *STREAM, "method")
    settings = page.settings()
    schedule, method, n = settings.schedule, settings.method, settings.n_examples
    if method not in KNOWING or settings.n_tasks < 2:
        why = "With one task there are no experts" if method in KNOWING else f"{method} never asks the knowledge base"
        st.info(f"{why}: alpha does nothing here, and the map would be one flat colour.", icon=":material/grid_off:")
        return
    picture, words = st.columns([3, 1], gap="medium")
    place = picture.container(height=460, border=False).empty()  # keeps its height while the map is not there
    with words:
        st.caption(
            "Each cell is a schedule that falls from 1 straight down to an end value, and stays there. The paper's, "
            "linear to 0, is the corner at the bottom right. Above ½ knowledge outweighs the learner to the very end."
        )
    found = alpha_map.ask(settings, place)
    if found is None:
        return
    best, here = found.best_schedule, alpha_map.place(schedule, n)
    least, now = found.ace.min(), runs.run(settings).ace[method]
    with place:
        show(
            figures.heat(found, here, method, height=440),
            "alpha_map",
            f"ACE of {method} over end value and speed of decay, up to {percent(found.ace.max())}. Best: "
            f"{schedule_title(best)} with {percent(least)}. Current: {schedule_title(schedule)}, {percent(now)}. "
            f"Worse than ITOL: {found.hurts} cells.",
        )
    with words:
        st.markdown(f"**Best:** {schedule_title(best)}, with {percent(least)}.")
        near = "" if here else f" Not of this family; nearest is {schedule_title(alpha_map.nearest(schedule, n))}."
        st.markdown(f"**Current:** {schedule_title(schedule)}, with {percent(now)}.{near}")
        st.markdown(f"**ITOL**, without knowledge: {percent(found.itol)}.")
        st.button(
            "Use the best", key="use_best", icon=":material/star:", on_click=page.change, kwargs={"alpha": best.spec},
            disabled=best.spec == settings.alpha, help="Make the best schedule of the map the current one.",
        )  # fmt: skip


@page.later("alpha_part", "kept", *STREAM, "View")
def in_one_task() -> None:
    """What each schedule does to one task."""
    settings = page.settings()
    if settings.alpha_part != SIDE_BY_SIDE:
        return
    n, method, task = settings.n_examples, settings.method, settings.task
    entries, itol = schedule_comparison.compare(settings), schedule_comparison.reference(settings)
    st.markdown(f"**{method} in task {task}**")
    wrong = "; ".join(f"{entry.mark} {entry.errors[-1]}" for entry in entries)
    alt = f"Wrong predictions of {method} in task {task} after {n} steps: {wrong}; ITOL {itol[-1]}."
    show(figures.errors(entries, itol, method, n), "alpha_errors", alt)
    if method not in KNOWING:
        st.caption(f"{method} never asks the knowledge base, so alpha does nothing to it: the lines are one.")
    elif task == 0:
        st.caption("In the first task there are no experts yet, so alpha does nothing: the lines are one.")
    else:
        st.caption("Wrong predictions so far. Below ITOL, the dotted grey line, knowledge has helped.")


@page.later("alpha_part", "kept", *STREAM, "method")
def on_the_stream() -> None:
    """What each schedule does to the whole stream."""
    settings = page.settings()
    if settings.alpha_part != SIDE_BY_SIDE:
        return
    method, entries = settings.method, schedule_comparison.compare(settings)
    st.markdown("**The whole stream**")
    shares = "; ".join(f"{entry.mark} {percent(entry.ace[method])}" for entry in entries)
    tasks, itol = count(settings.n_tasks, "task"), percent(entries[0].ace["ITOL"])
    alt = f"ACE of {method} over {tasks}: {shares}; ITOL {itol}."
    show(figures.ace(entries), "alpha_ace", alt)
    st.caption("ACE: the mean share of wrong predictions over all tasks. ITOL and TOL do not depend on alpha.")


@page.later("alpha_part", "kept", "alpha", "n_examples", "horizon")
def shapes_and_trust() -> None:
    """What each schedule is."""
    settings = page.settings()
    if settings.alpha_part != SIDE_BY_SIDE:
        return
    n, entries = settings.n_examples, schedule_comparison.compare(settings)
    names = "; ".join(entry.name for entry in entries)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The shapes**")
        show(figures.curves(entries, n), "alpha_curves", f"Alpha over {n} steps for {names}.")
        st.caption("Alpha at each step. The current schedule is the thicker line.")
    with right:
        st.markdown("**Trust**")
        votes = "; ".join(f"{entry.mark} {entry.trust[-1]:.0f}" for entry in entries)
        show(figures.trust(entries, n), "alpha_trust", f"The sum of alpha after {n} steps: {votes}.")
        st.caption(f"How many votes knowledge has had so far. Knowledge alone would climb straight to {n}.")


with page.page(
    "Shape alpha",
    "When should one stop listening to the past?",
    ("Knowledge", "View", "Stream", "Learner"),
) as now:
    if now.alpha_part == "How low, how fast?" and alpha_map.under_way(now):
        page.whole()
    curve, words = st.columns([3, 1], gap="medium")
    with curve:
        the_curve()
    with words:
        its_words()
    what_it_does()
    left, right = st.columns(2, gap="medium")
    with left:
        in_one_task()
    with right:
        on_the_stream()
    shapes_and_trust()
