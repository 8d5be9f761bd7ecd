"""Shape alpha: one schedule or several, drawn by hand or by formula, and what each does on this stream."""

import streamlit as st

from aklo.lab.charts import alpha as charts
from aklo.lab.components.alpha_editor import alpha_editor
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import alpha_map, runs, schedule_comparison
from aklo.lab.frame import progress
from aklo.lab.frame.page import page
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import control
from aklo.lab.session import state
from aklo.lab.settings.schema import Settings, waiting_sentence
from aklo.lab.settings.text import count, percent, schedule_title
from aklo.methods import KNOWING
from aklo.schedules import Schedule


def show_curve(settings: Settings) -> None:
    """The schedule in force, large, to look at and to draw on."""
    schedule, n, unknown = settings.schedule, settings.n_examples, settings.horizon == "unknown"
    alpha, name = schedule.values(n), schedule_title(settings.schedule)
    alpha_editor(
        schedule, n, horizon=settings.horizon, name=name, key="sketch",
        alt=f"Alpha of {name} over {n} steps, from {alpha[0]:.2f} to {alpha[-1]:.2f}: knowledge "
        f"has {percent(alpha.mean())}." + (" The weights start anew at t = 1, 2, 4, 8 and so on." if unknown else ""),
        on_change=lambda spec: state.change(alpha=spec),
        waiting=waiting_sentence(settings) if settings.alpha_waits else "",
    )  # fmt: skip


def explain_curve(settings: Settings) -> None:
    """The schedule's name, formula and meaning."""
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


def list_schedules(settings: Settings) -> None:
    """The schedules to compare: add the current one, or remove one."""
    with st.container(horizontal=True):
        for letter, spec in zip(schedule_comparison.LETTERS, settings.kept_schedules, strict=False):
            name, waits = schedule_title(Schedule.parse(spec)), schedule_comparison.waits(spec, settings)
            st.button(
                f"{letter} · {name}" + (" (waits)" if waits else ""), key=f"drop_{spec}",
                icon=":material/pause_circle:" if waits else ":material/close:",
                on_click=state.replace, args=(schedule_comparison.without(settings, spec),),
                help=f"Remove {name} from the comparison."
                + (" It needs the number of examples, so it waits for a known horizon." if waits else ""),
            )  # fmt: skip
        idle = not schedule_comparison.can_add(settings)
        st.button(
            "Keep this one for comparison", key="keep", icon=":material/add:", disabled=idle,
            type="secondary" if idle else "primary",  # in the dark a disabled primary button cannot be read
            on_click=state.replace, args=(schedule_comparison.with_current(settings),),
            help="Add the current schedule to the list. It holds four: remove one to make room.",
        )  # fmt: skip
    st.caption(
        "Up to four; press one to remove it. The current schedule is always there too, as “Now” if it is not kept."
    )


def side_by_side(settings: Settings) -> None:
    """What each schedule does to one task, to the whole stream and to trust."""
    list_schedules(settings)
    entries = schedule_comparison.compare(settings)
    left, right = st.columns(2, gap="medium")
    with left:
        show_one_task(settings, entries)
    with right:
        show_whole_stream(settings, entries)
    left, right = st.columns(2, gap="medium")
    n, names = settings.n_examples, "; ".join(entry.name for entry in entries)
    with left:
        st.markdown("**The shapes**")
        show(charts.curves(entries, n), "alpha_curves", f"Alpha over {n} steps for {names}.")
        st.caption("Alpha at each step. The current schedule is the thicker line.")
    with right:
        st.markdown("**Trust**")
        votes = "; ".join(f"{entry.mark} {entry.trust[-1]:.0f}" for entry in entries)
        show(charts.trust(entries, n), "alpha_trust", f"The sum of alpha after {n} steps: {votes}.")
        st.caption(f"How many votes knowledge has had so far. Knowledge alone would climb straight to {n}.")


def show_one_task(settings: Settings, entries: list[schedule_comparison.Entry]) -> None:
    n, method, task = settings.n_examples, settings.method, settings.task
    itol = schedule_comparison.reference(settings)
    st.markdown(f"**{method} in task {task}**")
    wrong = "; ".join(f"{entry.mark} {entry.errors[-1]}" for entry in entries)
    alt = f"Wrong predictions of {method} in task {task} after {n} steps: {wrong}; ITOL {itol[-1]}."
    show(charts.errors(entries, itol, method, n), "alpha_errors", alt)
    if method not in KNOWING:
        st.caption(f"{method} never asks the knowledge base, so alpha does nothing to it: the lines are one.")
    elif task == 0:
        st.caption("In the first task there are no experts yet, so alpha does nothing: the lines are one.")
    else:
        st.caption("Wrong predictions so far. Below ITOL, the dotted grey line, knowledge has helped.")


def show_whole_stream(settings: Settings, entries: list[schedule_comparison.Entry]) -> None:
    st.markdown("**The whole stream**")
    method = settings.method
    shares = "; ".join(f"{entry.mark} {percent(entry.ace[method])}" for entry in entries)
    itol = percent(entries[0].ace["ITOL"])
    show(
        charts.ace(entries),
        "alpha_ace",
        f"ACE of {method} over {count(settings.n_tasks, 'task')}: {shares}; ITOL {itol}.",
    )
    st.caption("ACE: the mean share of wrong predictions over all tasks. ITOL and TOL do not depend on alpha.")


def in_numbers(settings: Settings) -> None:
    """The comparison as a table."""
    list_schedules(settings)
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


def show_map(settings: Settings) -> None:
    """ACE over how low and how fast alpha falls."""
    method = settings.method
    if method not in KNOWING or settings.n_tasks < 2:
        why = "With one task there are no experts" if method in KNOWING else f"{method} never asks the knowledge base"
        st.info(f"{why}: alpha does nothing here, and the map would be one flat colour.", icon=":material/grid_off:")
        return
    picture, text = st.columns([3, 1], gap="medium")
    place = picture.container(height=460, border=False).empty()  # keeps its height while the map is not there
    with text:
        st.caption(
            "Each cell is a schedule that falls from 1 straight down to an end value, and stays there. The paper's, "
            "linear to 0, is the corner at the bottom right. Above ½ knowledge outweighs the learner to the very end."
        )
    work = Work(
        name="map",
        wanted=alpha_map.key(settings),
        done=alpha_map.share_done(settings),
        unasked=alpha_map.is_cheap(settings),
        price=f"With {count(settings.n_tasks, 'task')} of {settings.n_examples} examples this map takes about "
        f"{max(alpha_map.seconds(settings), 1):.0f} s, so it waits until you ask.",
        start="Compute the map",
        help="Tries every schedule of the map on this stream. You can stop at any time; what is done is kept.",
        doing="Trying schedules",
    )
    found = progress.run(work, place, lambda tell: alpha_map.compute(settings, tell))
    if found is not None:
        show_cells(settings, found, place, text)


def show_cells(settings: Settings, found: alpha_map.AlphaMap, place, text) -> None:
    """The map, and where on it the best and the current schedule are."""
    schedule, method, n = settings.schedule, settings.method, settings.n_examples
    best, here = found.best_schedule, alpha_map.place(schedule, n)
    least, now = found.ace.min(), runs.run(settings).ace[method]
    with place:
        show(
            charts.heat(found, here, method, height=440),
            "alpha_map",
            f"ACE of {method} over end value and speed of decay, up to {percent(found.ace.max())}. Best: "
            f"{schedule_title(best)} with {percent(least)}. Current: {schedule_title(schedule)}, {percent(now)}. "
            f"Worse than ITOL: {found.hurts} cells.",
        )
    with text:
        st.markdown(f"**Best:** {schedule_title(best)}, with {percent(least)}.")
        near = "" if here else f" Not of this family; nearest is {schedule_title(alpha_map.nearest(schedule, n))}."
        st.markdown(f"**Current:** {schedule_title(schedule)}, with {percent(now)}.{near}")
        st.markdown(f"**ITOL**, without knowledge: {percent(found.itol)}.")
        st.button(
            "Use the best", key="use_best", icon=":material/star:", on_click=state.change, kwargs={"alpha": best.spec},
            disabled=best.spec == settings.alpha, help="Make the best schedule of the map the current one.",
        )  # fmt: skip


PARTS = {"Side by side": side_by_side, "In numbers": in_numbers, "How low, how fast?": show_map}

with page("alpha", ("Knowledge", "View", "Stream", "Learner")) as settings:
    progress.learn(settings)
    curve, text = st.columns([3, 1], gap="medium")
    with curve:
        show_curve(settings)
    with text:
        explain_curve(settings)
    control("alpha_part")
    PARTS[settings.alpha_part](settings)
