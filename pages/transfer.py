"""When does knowledge hurt? Gain and harm by what was learned before, from one family to sworn enemies."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.charts import transfer as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import runs, transfer_map
from aklo.lab.compute.stream_spec import RunSpec
from aklo.lab.content import stories
from aklo.lab.frame import progress
from aklo.lab.frame.page import page
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import controls
from aklo.lab.session import state
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import count, points
from aklo.transfer import Place

TALL, SHORT = 430, 250  # the height of a large chart, and of one that is not finished


def show_stories(settings: Settings) -> None:
    """A button for each story, and the text of the one that is shown."""
    current = stories.story_of(settings)
    with st.container(horizontal=True):
        for i, story in enumerate(stories.STORIES):
            st.button(
                story.label, key=f"story_{i}", icon=story.icon, on_click=state.replace, args=(story.settings,),
                type="primary" if current is story else "secondary",
                help="A story: sets the stream to one that shows it. Undo takes it back.",
            )  # fmt: skip
    if current:
        st.markdown(current.text)


def offer_conflict(settings: Settings) -> None:
    """For a stream without an angle: what is missing here, and the way to it."""
    same = settings.dataset == "syn2"
    st.info(
        "syn2 is the conflict stream at 180°, with its points elsewhere. Take it as such, the very same tasks, to "
        "see what becomes of it at other angles."
        if same
        else f"This stream ({settings.dataset}) has no angle between two groups that could be turned. Task by task and "
        "the weights are shown below for any stream; gain over angle and share needs the conflict stream.",
        icon=":material/call_split:",
    )
    st.button(
        "Take syn2 as a conflict" if same else "Take the conflict stream", key="take_conflict", type="primary",
        icon=":material/call_split:", on_click=state.replace, args=(transfer_map.as_conflict(settings),),
        help="Two groups of tasks whose labellings stand at an angle. Undo takes it back.",
    )  # fmt: skip


def angles_box(settings: Settings) -> DeltaGenerator:
    """Where the gain over all angles will be drawn."""
    st.subheader("From one family to sworn enemies", anchor=False)
    box = st.container(height=TALL + 16, border=False)
    st.caption(
        "Gain: ITOL's share of wrong predictions minus the method's, averaged over the tasks, in percentage points. "
        "Above zero knowledge helps, below it hurts. At 0° both groups label alike, at 180° all labels are opposite; "
        f"{settings.share:.0%} of the tasks are D2. "
        + (
            f"Lines are means of {settings.repetitions} repetitions, bands ± one standard deviation."
            if settings.repetitions > 1
            else "One repetition only: choose more in the sidebar for bands."
        )
    )
    return box


def task_by_task(settings: Settings) -> None:
    """The gain of one method in each task."""
    run, stream, method = runs.run(settings), runs.stream(settings), settings.method
    st.subheader("Task by task", anchor=False)
    controls("method")
    table = aklo.Transfer.of(run.task_errors[None]).table.loc[method]
    hurt = round(table["negative"] * len(stream))
    show(
        charts.bars(stream, run.task_errors, method, runs.group_names(settings), height=340),
        "bars",
        f"Gain of {method} in each of {count(len(stream), 'task')}, {points(table['mean'])} points on "
        f"average; it hurts in {hurt}.",
    )
    if method == "ITOL":
        st.caption("ITOL is what gain is measured by, so its own is zero. Choose another method.")
    else:
        st.caption(
            f"In this one stream {method} gains {points(table['mean'])} points on average, and hurts "
            f"{hurt} of {count(len(stream), 'task')}: negative transfer. Colour and pattern tell a task's "
            "group, which no method is told. In task 0 there is nothing to remember yet."
        )


def where_the_weight_goes(settings: Settings) -> None:
    """The weight on experts of a task's own group."""
    st.subheader("Where the weight goes", anchor=False)
    run, groups = runs.run(settings), runs.stream(settings).task_groups
    found = aklo.friends(run) if len(set(groups)) > 1 else None
    chosen = 0 if found is None else int(found.both.sum())
    if found is None or not chosen:
        st.info(
            "All tasks of this stream are of one group, so there is no stranger to be told from a friend."
            if len(set(groups)) == 1
            else "No task here can choose between experts of its own group and of another: that takes more tasks.",
            icon=":material/group_off:",
        )
        return
    first, last = found.mean[0], found.mean[-1]
    show(
        charts.weight(found, height=412),
        "weight",
        f"AKLO's weight on experts of a task's own group, averaged over {count(chosen, 'task')}: from "
        f"{first:.0%} at the first step to {last:.0%} at the last.",
    )
    st.caption(
        "How much of AKLO's weight lies on *friends*, the experts of the task's own group, and how much on "
        f"*strangers*, averaged over the {count(chosen, 'task')} that had both to choose from; the band holds "
        "the middle four fifths of them. Nobody tells AKLO who is who: it sees who was right."
        + (" The weights start anew at t = 1, 2, 4, 8, …" if settings.horizon == "unknown" else "")
    )


def map_boxes(settings: Settings) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the map over angle and share, and its text, will be drawn."""
    st.subheader("Angle and share", anchor=False)
    left, right = st.columns([3, 1], gap="medium")
    box = left.container(height=TALL + 16, border=False)
    with right:
        st.caption(
            f"Each cell is a stream of its own: across the angle, upwards the share of D2 among the tasks. Its colour "
            f"is {settings.method}'s mean gain. At the left edge there is one family, at the lower edge there is no "
            "D2, at the upper none but D2: there nobody can be a stranger."
        )
    return box, right


def compute(settings: Settings, name: str, places: list[Place], place: DeltaGenerator, start: str, what: str) -> None:
    """Compute the gain at some places: at once where that is quick, else with a progress bar, or when asked."""
    if transfer_map.units(settings, places) <= transfer_map.AT_ONCE:
        transfer_map.compute(settings, places)
        return
    takes = transfer_map.seconds(settings, places)
    about = f"{max(takes, 1):.0f} seconds" if takes < 120 else f"{takes / 60:.0f} minutes"
    work = Work(
        name=name,
        wanted=(RunSpec.of(settings), settings.repetitions, tuple(places)),
        done=len(transfer_map.known(settings, places)) / len(places),
        unasked=transfer_map.units(settings, places) <= transfer_map.UNASKED,
        price=f"{what}: {len(places)} streams, {settings.repetitions} times each. That takes about {about}, "
        "so it waits until you ask. Fewer tasks, examples or repetitions are quicker.",
        start=start,
        help="You can stop at any time; what is done is kept, for this page and for everybody.",
        doing="Running the six methods on stream after stream",
    )
    progress.run(work, place, lambda tell: transfer_map.compute(settings, places, tell))


def show_angles(settings: Settings, box: DeltaGenerator, summary: DeltaGenerator) -> None:
    """The gain over all angles, computed when the rest of the page is there."""
    places = transfer_map.line(settings)
    place = box.empty()
    compute(settings, "line", places, place, "Compute the line", "Gain at every angle")
    cells = transfer_map.known(settings, places)
    if len(cells) > 1:
        done = len(cells) == len(places)
        with place if done else box:
            show(
                charts.along(cells, settings.angle, TALL if done else SHORT),
                "along",
                f"Gain in points against the angle. {stories.ends(cells)}",
            )
    if here := cells.get((settings.angle, settings.share)):
        summary.markdown(stories.verdict(here, settings))


def show_map(settings: Settings, box: DeltaGenerator, text: DeltaGenerator) -> None:
    """The gain over angle and share, computed last."""
    places, method = transfer_map.whole_map(), settings.method
    place = box.empty()
    if method == "ITOL":
        place.info("ITOL is what gain is measured by: its map is zero throughout. Choose another method above.")
        return
    compute(settings, "cells", places, place, "Compute the map", "Every angle with every share of D2")
    cells = transfer_map.known(settings, places)
    if len(cells) <= len(transfer_map.line(settings)):  # no more than the line above shows already
        return
    gain = transfer_map.gains(cells, method)
    worst, best = min(gain, key=gain.__getitem__), max(gain, key=gain.__getitem__)
    hurt, done = sum(value < 0 for value in gain.values()), len(cells) == len(places)
    with place if done else box:
        show(
            charts.heat(cells, method, (settings.angle, settings.share), TALL if done else SHORT),
            "cells",
            f"Mean gain of {method} over angle and share of D2, best {points(gain[best])} and worst "
            f"{points(gain[worst])} points; below zero in {hurt} of {len(cells)} cells.",
        )
    text.markdown(
        f"**Best:** {points(gain[best])} points, at {stories.place_name(best)}.\n\n"
        f"**Worst:** {points(gain[worst])} points, at {stories.place_name(worst)}.\n\n"
        f"**Worse than ITOL** in {hurt} of {len(cells)} cells, those with a cross."
    )


with page(
    "transfer",
    ("Stream", "Repetitions", "Knowledge", "Learner"),
    title="When does knowledge hurt?",
    question="Who gains by what was learnt before, who pays for it, and does AKLO find its friends?",
) as settings:
    progress.learn(settings)
    has_angle = settings.dataset == "conflict"
    show_stories(settings)
    summary = st.empty()
    if has_angle:
        angles = angles_box(settings)
    else:
        offer_conflict(settings)
    tasks, weights = st.columns(2, gap="large")
    with tasks:
        task_by_task(settings)
    with weights:
        where_the_weight_goes(settings)
    if has_angle:
        cells, text = map_boxes(settings)

# What takes a while comes when all else is there, the sidebar too.
if has_angle:
    show_angles(settings, angles, summary)
    show_map(settings, cells, text)
