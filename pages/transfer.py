"""When does knowledge hurt? Gain and harm by what was learnt before, from one family to sworn enemies."""

import streamlit as st

import aklo
from aklo.lab.charts import transfer as figures
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import runs, transfer_map
from aklo.lab.frame import page
from aklo.lab.settings.text import count, points

TALL, SHORT = 430, 250  # the height of a large chart, and of one that is not finished


def stories() -> None:
    """A click each; and the words of the one that is shown."""
    with st.container(horizontal=True):
        for i, story in enumerate(transfer_map.STORIES):
            st.button(
                story.label, key=f"story_{i}", icon=story.icon, on_click=page.begin, args=(story.settings,),
                type="primary" if transfer_map.told(settings) is story else "secondary",
                help="A story: sets the stream to one that shows it. Undo in the sidebar takes it back.",
            )  # fmt: skip
    if story := transfer_map.told(settings):
        st.markdown(story.words)


def another_dataset() -> None:
    """What is missing here, and the way to it."""
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
        icon=":material/call_split:", on_click=page.begin, args=(transfer_map.as_conflict(settings),),
        help="Two groups of tasks whose labellings stand at an angle. Undo in the sidebar takes it back.",
    )  # fmt: skip


def over_angles():
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


def task_by_task() -> None:
    method = settings.method
    st.subheader("Task by task", anchor=False)
    page.controls("method")
    table = aklo.Transfer.of(run.task_errors[None]).table.loc[method]
    hurt = round(table["negative"] * len(stream))
    show(
        figures.bars(stream, run.task_errors, method, names, height=340),
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


def where_the_weight_goes() -> None:
    st.subheader("Where the weight goes", anchor=False)
    found = aklo.friends(run)
    chosen = int(found.both.sum())
    if not chosen:
        st.info(
            "All tasks of this stream are of one group, so there is no stranger to be told from a friend."
            if len(set(stream.groups)) == 1
            else "No task here can choose between experts of its own group and of another: that takes more tasks.",
            icon=":material/group_off:",
        )
        return
    first, last = found.mean[0], found.mean[-1]
    show(
        figures.weight(found, height=412),
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


def over_shares():
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


def draw_line(box) -> None:
    places = transfer_map.line(settings)
    place = box.empty()
    transfer_map.ask(settings, "line", places, place, start="Compute the line", what="Gain at every angle")
    cells = transfer_map.known(settings, places)
    if len(cells) > 1:
        done = len(cells) == len(places)
        with place if done else box:
            show(
                figures.along(cells, settings.angle, TALL if done else SHORT),
                "along",
                f"Gain in points against the angle. {transfer_map.ends(cells)}",
            )
    if here := cells.get((settings.angle, settings.share)):
        summary.markdown(transfer_map.verdict(here, settings))


def draw_map(box, words) -> None:
    places, method = transfer_map.whole_map(), settings.method
    place = box.empty()
    if method == "ITOL":
        place.info("ITOL is what gain is measured by: its map is zero throughout. Choose another method above.")
        return
    transfer_map.ask(
        settings, "cells", places, place, start="Compute the map", what="Every angle with every share of D2"
    )
    cells = transfer_map.known(settings, places)
    if len(cells) <= len(transfer_map.line(settings)):  # no more than the line above shows already
        return
    gain = transfer_map.gains(cells, method)
    worst, best, hurt = min(gain, key=gain.get), max(gain, key=gain.get), sum(value < 0 for value in gain.values())
    done = len(cells) == len(places)
    with place if done else box:
        show(
            figures.heat(cells, method, (settings.angle, settings.share), TALL if done else SHORT),
            "cells",
            f"Mean gain of {method} over angle and share of D2, best {points(gain[best])} and worst "
            f"{points(gain[worst])} points; below zero in {hurt} of {len(cells)} cells.",
        )
    with words:
        st.markdown(
            f"**Best:** {points(gain[best])} points, at {transfer_map.named(best)}.\n\n"
            f"**Worst:** {points(gain[worst])} points, at {transfer_map.named(worst)}.\n\n"
            f"**Worse than ITOL** in {hurt} of {len(cells)} cells, those with a cross."
        )


with page.page(
    "When does knowledge hurt?",
    "Who gains by what was learnt before, who pays for it, and does AKLO find its friends?",
    ("Stream", "Repetitions", "Knowledge", "Learner"),
) as settings:
    run, stream, names = runs.run(settings), runs.stream(settings), runs.group_names(settings)
    turns = settings.dataset == "conflict"
    stories()
    summary = st.empty()
    if turns:
        line_box = over_angles()
    else:
        another_dataset()
    tasks, weights = st.columns(2, gap="large")
    with tasks:
        task_by_task()
    with weights:
        where_the_weight_goes()
    if turns:
        map_box, map_words = over_shares()

# What takes a while comes when all else is there, the sidebar too.
if turns:
    draw_line(line_box)
    draw_map(map_box, map_words)
