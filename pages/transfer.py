"""Negative transfer: the gain and harm by knowledge of earlier tasks, over the angle between two groups of tasks."""

from contextlib import nullcontext
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.charts import transfer as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.components.stream_overview import stream_overview
from aklo.lab.compute import mistakes, runs, transfer_map
from aklo.lab.compute.design import design_of
from aklo.lab.compute.stream_spec import RunSpec
from aklo.lab.content import transfer_cases, transfer_text
from aklo.lab.frame import progress
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import finding, later, page, picture
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import READING, controls, knobs
from aklo.lab.server.turns import turn_given_up
from aklo.lab.session import state, visible_controls
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import percent, points
from aklo.transfer import Place
from aklo.wording import count

TALL, SHORT = 400, 250  # the height of a large chart, and of one that is not finished


def show_cases(settings: Settings) -> None:
    """A button for each case, and the text of the one that is shown."""
    current = transfer_cases.case_of(settings)
    with st.container(horizontal=True):
        for i, case in enumerate(transfer_cases.CASES):
            st.button(
                case.preset, key=f"case_{i}", icon=case.icon, on_click=state.replace, args=(case.settings,),
                type="primary" if current is case else "secondary",
                help="Sets the stream to one that shows this case. Undo takes it back.",
            )  # fmt: skip
    if current:
        st.markdown(current.text)


def offer_conflict(settings: Settings) -> None:
    """For a stream without an angle: the way to one that has it."""
    if settings.dataset in ("digits", OWN):
        what = "The digits have" if settings.dataset == "digits" else "Your own tasks have"
        st.info(
            f"{what} no two groups whose rules could be turned against each other, so the gain is not drawn over the "
            "angle. Task by task and the weights are shown below.",
            icon=":material/call_split:",
        )
    same = settings.dataset == "syn2"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Take syn2 as a conflict" if same else "Take the conflict stream", key="take_conflict", type="primary",
            icon=":material/call_split:", on_click=state.replace, args=(transfer_map.as_conflict(settings),),
            help="Two groups of tasks whose labelling rules stand at an angle. Undo takes it back.",
        )  # fmt: skip
        st.caption(
            "syn2 is the conflict stream at 180°, with its points elsewhere: the very same tasks, which can then be "
            "seen at other angles."
            if same
            else "In the conflict stream the rule of one group of tasks is turned by an angle, from the same rule (0°) "
            "to the opposite one (180°)."
        )


def show_plane(settings: Settings) -> None:
    """The two groups in the plane, with D2's arrow to turn: another way to set the angle."""
    if visible_controls.is_shown("angle"):
        stream_overview(
            runs.stream(settings),
            runs.group_names(settings),
            key="turn",
            alt=f"Both groups in the plane; D2's labelling vector is turned by {settings.angle:g}° from D1's.",
            design=design_of(settings),
            on_design=lambda values, drag: state.change(drag, angle=values["angle"]) if "angle" in values else None,
            only_angle=True,
        )


def over_the_angle(settings: Settings, first: DeltaGenerator) -> DeltaGenerator:
    """The gain over all angles, with the angle beside it. Returns the place where what is missing is offered."""
    left, right = st.columns([5, 2], gap="medium")
    with left, picture(), st.container(height=TALL + 16, border=False):
        show_angles(settings, first)
    with right:
        controls("angle")
        show_plane(settings)
        controls(READING)
        place = st.empty()
        st.caption(
            "**Gain**: ITOL's share of wrong predictions minus the method's, in percentage points. Below zero, "
            f"knowledge of earlier tasks hurts. {percent(settings.share, 0)} of the tasks belong to D2, whose "
            "labelling rule is turned by the angle: 0° is the same rule as D1's, 180° the opposite one."
        )
    with left:
        st.caption(
            f"Lines are means of {settings.repetitions} repetitions, bands ± one standard deviation; the angles in the "
            "sentence above have 95\N{NO-BREAK SPACE}% intervals in brackets, and are interpolated."
            if settings.repetitions > 1
            else "One repetition only: choose more in the sidebar for bands and intervals."
        )
    return place


def task_by_task(settings: Settings, *, main: bool) -> None:
    """The gain of one method in each task; a click on a bar opens the task in the player.

    main: whether this is the page's main picture, where the stream has no angle.
    """
    run, stream, method = runs.run(settings), runs.stream(settings), settings.method
    gain = mistakes.gain(run, method)
    st.subheader("Task by task", anchor=False)
    with knobs():
        controls("method")
    with picture() if main else nullcontext():
        chosen = show(
            charts.bars(stream, run, method, runs.group_names(settings), height=340),
            "bars",
            f"Gain of {method} in each of {count(len(stream), 'task')}, {points(gain.mean)} points on "
            f"average; it hurts in {gain.hurt}. Choose a bar with the arrow keys, and press Enter to watch that task.",
            clickable=True,
        )
    if method == "ITOL":
        st.caption("Gain is measured against ITOL, so ITOL's own is zero. Choose another method.")
    else:
        st.caption(
            f"**Click a bar to watch that task.** In this one stream {method} gains {points(gain.mean)} points on "
            f"average, and hurts {gain.hurt} of {count(len(stream), 'task')}: negative transfer. Colour and pattern "
            "show a task's group, which no method is told. In task 0 there are no experts yet."
        )
    if chosen is not None and 0 <= chosen < len(stream):
        PAGES["watch"].go(settings.change(task=chosen))


def where_the_weight_goes(settings: Settings) -> None:
    """The weight on experts of a task's own group."""
    st.subheader("Where the weight goes", anchor=False)
    run, groups = runs.run(settings), runs.stream(settings).task_groups
    found = aklo.friends(run) if len(set(groups)) > 1 else None
    chosen = 0 if found is None else int(found.both.sum())
    if found is None or not chosen:
        st.info(
            "All tasks of this stream belong to one group, so there are no experts of other groups to tell apart."
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
        f"{percent(first, 0)} at the first step to {percent(last, 0)} at the last.",
    )
    st.caption(
        "How much of AKLO's weight p lies on experts of the task's own group, and how much on the others, averaged "
        f"over the {count(chosen, 'task')} that had both to choose from; the band holds the middle four fifths of "
        "them. AKLO is not told the groups: the weights follow from which experts were right so far."
        + (" They start anew at t = 1, 2, 4, 8, …" if settings.horizon == "unknown" else "")
        + (" At a step t it is the tasks that have so many examples." if runs.is_ragged(settings) else "")
    )


def map_boxes(settings: Settings) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the map over angle and share, and its text, will be drawn."""
    st.subheader("Angle and share", anchor=False)
    left, right = st.columns([3, 1], gap="medium")
    box = left.container(key="map_box", height=TALL + 16, border=False)
    with right:
        st.caption(
            f"Each cell is a stream of its own: across the angle, upwards the share of D2 among the tasks. Its colour "
            f"is {settings.method}'s mean gain. At the left edge both groups have the same rule, at the lower edge "
            "there is no D2, at the upper edge nothing but D2: there all earlier tasks are of use."
        )
    return box, right


def compute_at_once(settings: Settings, places: list[Place]) -> None:
    """Compute the gain at some places, which takes a second at most, and let other visitors' pages go on meanwhile."""
    if transfer_map.results(settings, places).missing:
        with turn_given_up():
            transfer_map.compute(settings, places)


def compute(settings: Settings, name: str, places: list[Place], place: DeltaGenerator, start: str, what: str) -> None:
    """Compute the gain at some places: at once where that is quick, else with a progress bar, or when asked."""
    if transfer_map.is_instant(settings, places):
        compute_at_once(settings, places)
        return
    results = transfer_map.results(settings, places)
    streams = f"{what}: {len(places)} streams, {settings.repetitions} times each. That"
    work = Work(
        name=name,
        wanted=(RunSpec.of(settings), settings.repetitions, tuple(places)),
        done=results.share_done,
        unasked=results.is_cheap,
        price=f"{progress.price(streams, results.seconds)} Fewer tasks, examples or repetitions are quicker.",
        start=start,
        help="You can stop at any time; what is done is kept, for this page and for everybody.",
        doing="Running the methods on stream after stream",
    )
    progress.run(work, place, lambda tell: transfer_map.compute(settings, places, tell))


def show_angles(settings: Settings, first: DeltaGenerator) -> None:
    """The gain over the angles, and where each method begins to hurt.

    Where the whole line takes a while, some of its angles are drawn at once, and `rest_of_the_line` adds the others.
    """
    places, coarse = transfer_map.line(settings), transfer_map.coarse(settings)
    quick = [some for some in (places, coarse) if transfer_map.is_instant(settings, some)]
    if quick:
        compute_at_once(settings, quick[0])
    cells = transfer_map.results(settings, places).done
    done = len(cells) == len(places)
    onsets = aklo.onsets(cells) if done else None
    if len(cells) > 1:
        show(
            charts.along(cells, settings.angle, TALL, onsets),
            "along",
            f"Gain in points against the angle. {transfer_text.ends(cells)}",
        )
    with first:
        finding(
            transfer_text.where_it_hurts(onsets)
            if onsets
            else "Where does knowledge of earlier tasks begin to hurt? The answer comes when all angles are computed."
        )


def rest_of_the_line(settings: Settings, place: DeltaGenerator) -> None:
    """Compute the angles that are missing, and draw the page again."""
    places = transfer_map.line(settings)
    if transfer_map.results(settings, places).missing:
        compute(settings, "line", places, place, "Compute the line", "Gain at every angle")
        if not transfer_map.results(settings, places).missing:
            st.rerun()


def show_map(settings: Settings, box: DeltaGenerator, text: DeltaGenerator) -> None:
    """The gain over angle and share."""
    places, method = transfer_map.whole_map(), settings.method
    place = box.empty()
    if method == "ITOL":
        place.info("Gain is measured against ITOL: its own map is zero throughout. Choose another method above.")
        return
    compute(settings, "cells", places, place, "Compute the map", "Every angle with every share of D2")
    cells = transfer_map.results(settings, places).done
    if len(cells) <= len(transfer_map.line(settings)):  # no more than the line above shows already
        return
    found, done = transfer_map.extremes(cells, method), len(cells) == len(places)
    with place if done else box:
        show(
            charts.heat(cells, method, (settings.angle, settings.share), TALL if done else SHORT),
            "cells",
            f"Mean gain of {method} over angle and share of D2, best {points(found.most)} and worst "
            f"{points(found.least)} points; below zero in {found.hurt} of {len(cells)} cells.",
        )
    text.markdown(
        f"**Best:** {points(found.most)} points, at {transfer_text.place_name(found.best)}.\n\n"
        f"**Worst:** {points(found.least)} points, at {transfer_text.place_name(found.worst)}.\n\n"
        f"**Worse than ITOL** in {found.hurt} of {len(cells)} cells, those with a cross."
    )


SIDEBAR = ("Stream", "Methods", "Repetitions", "Alpha", "Knowledge", "Learner")

with page("transfer", SIDEBAR, beside=("angle",)) as settings:
    progress.learn(settings)
    has_angle = settings.dataset == "conflict"
    first = st.container()
    if has_angle:
        place = over_the_angle(settings, first)
        later(partial(rest_of_the_line, settings, place))
        with st.container(key="summary"):  # as high as it will be, so that nothing below moves (lab.css)
            if here := transfer_map.results(settings, [(settings.angle, settings.share)]).done:
                st.markdown(transfer_text.verdict(*here.values(), settings))
    else:
        with first:
            finding(transfer_text.on_this_stream(runs.run(settings), settings.method))
        offer_conflict(settings)
    show_cases(settings)
    tasks, weights = st.columns(2, gap="large")
    with tasks:
        task_by_task(settings, main=not has_angle)
    with weights:
        where_the_weight_goes(settings)
    if has_angle:
        later(partial(show_map, settings, *map_boxes(settings)))
