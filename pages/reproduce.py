"""Reproduce the paper: the paper's tables and figure, measured here in both readings."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import aklo
from aklo.lab.charts import reproduce as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.compute import paper, paper_tables
from aklo.lab.compute.paper_tables import NAMES
from aklo.lab.content import findings
from aklo.lab.frame import explain, progress
from aklo.lab.frame.page import finding, later, page, table
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import controls
from aklo.lab.session import uploads
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import escape_markdown
from aklo.paper.notes import LAMBDA, notes, verdict
from aklo.paper.reproduction import DATASETS, REPETITIONS, Outcome
from aklo.wording import count

Measured = dict[str, Outcome]


def measure(place: DeltaGenerator) -> None:
    """Measure what is missing, and draw the page again; what is done is kept. place: an `st.empty()`."""
    todo = paper.jobs()
    if not todo:
        place.caption(f":material/check: Measured on this machine: {REPETITIONS} repetitions of each dataset, seed 0.")
        return
    done = paper.share_done()
    work = Work(
        name="reproduce",
        wanted=tuple(paper.studies()),
        done=min(done, 0.99),
        unasked=True,
        price=f"Stopped, with {count(len(todo), 'run')} or more to go. What was measured is shown below.",
        start="Measure",
        help="Measure what is still missing.",
        doing="Measuring",
    )

    def measure_all(tell: Callable[[float], None]) -> bool:
        while todo := paper.jobs():  # twice: the conventions are known only when lambda is
            paper.work(todo, lambda done, todo=todo: tell(done / len(todo)))
        return True

    if progress.run(work, place, measure_all):
        st.rerun()


def table1(measured: Measured) -> None:
    st.subheader("Table 1: share of wrong predictions", anchor=False)
    cells, sds = paper_tables.errors(measured)
    table("Table 1", cells, charts.styled(cells, sds))
    st.caption(
        "Wrong predictions in percent, mean ± standard deviation; in brackets how far that is from the paper, in "
        "standard deviations of the two together, √(theirs² + ours²). Green: near the paper's, within two. Amber: "
        "within four. Red: further. That is about single repetitions; a star marks means that differ by Welch's test, "
        "below 5 %, which is stricter. Datasets with a single row need their file, which you can drop at the end "
        "of this page."
    )


def readings(measured: Measured) -> None:
    st.subheader("Two readings, and how to tell them apart", anchor=False)
    if "syn1" not in measured:
        st.caption("Measure syn1 to see the evidence.")
        return
    numbers = measured["syn1"].table.set_index(["reading", "method"])
    printed, tabulated = numbers.loc[("as printed", "AKLO Sum")], numbers.loc[("as tabulated", "AKLO Sum")]
    late = {reading: paper_tables.late(measured["syn1"], reading) for reading in aklo.READINGS}
    st.markdown(
        "**As printed** follows the paper's equations: the clip to [−1, 1] stands after the experts are summed, and "
        "alpha falls to 0. **As tabulated** is the reading that comes near its table: each expert's advice is clipped, "
        "and alpha falls to ½, so that the knowledge base never has less say than the learner.\n\n"
        "ITOL and TOL never ask the knowledge base, so they are the same in both, and both agree with the paper: data "
        "and learner are the paper's. So what differs must lie in the mixture. AKLO Sum shows it: on syn1 the paper "
        f"has {printed['paper_mean']:.1f} %, as printed we get {printed['mean']:.1f} % "
        f"({abs(printed['sds']):.0f} deviations off), as tabulated {tabulated['mean']:.1f} % "
        f"({abs(tabulated['sds']):.1f}). The last task shows it, too: as printed AKLO Sum makes {late['as printed']}, "
        "where alpha nears 0 and a learner that has seen few examples decides alone; as tabulated "
        f"{late['as tabulated']}."
    )
    st.markdown("\n".join(f"- {verdict(list(measured.values()), reading)}" for reading in aklo.READINGS))


def what_does_not_match(measured: Measured) -> None:
    st.markdown(paper_tables.misses(measured))
    st.markdown("\n".join(f"- {note}" for note in notes(list(measured.values()))))


def table2(measured: Measured) -> None:
    st.subheader("Table 2: how long it takes", anchor=False)
    table("Table 2", paper_tables.seconds(measured))
    st.caption(
        "Seconds for one repetition. The first seven columns are the paper's, on its authors' machine; the lab "
        "computes all six at once, so it has one time, measured just now on this machine while it served this page."
    )


def the_figure(measured: Measured, settings: Settings) -> None:
    """Six panels, in one of the readings."""
    st.subheader("The paper's figure", anchor=False)
    controls("figure_reading")
    reading = settings.figure_reading
    st.html(charts.legend())
    last = next((name for name in reversed(DATASETS) if name in measured), None)
    panels = [*DATASETS, "last"]
    for row in (panels[:3], panels[3:]):
        for column, name in zip(st.columns(3, gap="medium"), row, strict=True):
            with column:
                panel(measured, name, last, reading)
    st.caption(
        f"Lines are means of {REPETITIONS} repetitions, bands ± one standard deviation. Five panels: the average error "
        "after each task. The sixth: errors within the last task of the last dataset that is here."
    )


def panel(measured: Measured, name: str, last: str | None, reading: str) -> None:
    if name == "last":
        st.markdown(f"**The last task of {NAMES[last]}**" if last else "**The last task**")
        if last:
            errors = measured[last].last_task(reading)
            ends = ", ".join(f"{m} {v:.0f}" for m, v in zip(aklo.METHODS, errors[:, :, -1].mean(axis=0), strict=True))
            show(charts.last_task(errors), "panel_last", f"Errors in {NAMES[last]}'s last task: {ends}.")
        return
    st.markdown(f"**{NAMES[name]}**")
    if name in measured:
        repeats = measured[name].repeats(reading)
        ends = ", ".join(f"{m} {100 * v:.1f}" for m, v in repeats.table["mean"].items())
        show(charts.ace(repeats), f"panel_{name}", f"Average error on {NAMES[name]}, in percent: {ends}.")
    else:
        with st.container(height=charts.HEIGHT, vertical_alignment="center", horizontal_alignment="center"):
            waits = name in paper.studies()
            st.caption("Not measured yet." if waits else "Needs its file: drop it at the end of this page.")


def the_lambda() -> None:
    st.subheader("Lambda", anchor=False)
    curves = paper.lambdas()
    if not curves:
        st.caption("Not measured yet.")
        return
    least = ", ".join(f"{NAMES[name]} {choice.lam:g}" for name, choice in curves.items())
    show(
        charts.lambda_curves({NAMES[name]: choice for name, choice in curves.items()}),
        "lambda",
        f"ITOL's error against lambda. The least: {least}.",
    )
    st.caption(f"{LAMBDA} The large dots are the least.")


def open_conventions(measured: Measured) -> None:
    st.subheader("What the paper leaves open", anchor=False)
    table("What is left open", paper_tables.conventions(measured, paper.tried()))
    st.caption(
        "As tabulated, with one convention changed at a time: errors in percent here → otherwise; one number where "
        "they are the same. Losses up to t would let the weights see the label that is to be predicted. Landmine's "
        "share of +1, the column of ones on Shoes, lambda on real data, and what a search found to fit Landmine and "
        "Spam best can be tried when the file is here."
    )


def drop_zones() -> None:
    """Where the paper's other datasets can be brought."""
    there = paper.studies()
    st.subheader("The other three datasets", anchor=False)
    st.caption(
        f"These files are not part of the lab, which has no licence to share them. {explain.where_files_go()}"
    )
    uploads.notice_removal()
    if why := uploads.refusal():
        st.error(escape_markdown(why), icon=":material/error:")
    for column, (dataset, (kinds, several, which)) in zip(st.columns(3), paper.KINDS.items(), strict=True):
        with column:
            if dataset in there:
                st.markdown(f"**{NAMES[dataset]}** is here: {there[dataset].about}.")
                st.button("Forget it", key=f"forget_{dataset}", icon=":material/delete:", on_click=paper.forget,
                          args=(dataset,), help="Remove the data and all that was made from it.")  # fmt: skip
                continue
            given = st.file_uploader(
                f"{NAMES[dataset]}: {which}", type=kinds, accept_multiple_files=several,
                key=uploads.uploader_key(f"file_{dataset}"),
                help="Read in memory, checked, and measured like the others.",
            )  # fmt: skip
            if given:
                try:
                    with st.spinner("Reading …"):
                        paper.bring(dataset, given)
                except uploads.Removed:
                    st.rerun()
                except ValueError as error:
                    st.error(escape_markdown(str(error)), icon=":material/error:")
                else:
                    st.rerun()


with page("reproduce") as settings:
    measured = {outcome.dataset: outcome for outcome in paper.outcomes()}
    finding(findings.of_reproduction(tuple(measured.values())))
    later(partial(measure, st.empty()))
    table1(measured)
    if measured:
        readings(measured)
        what_does_not_match(measured)
    table2(measured)
    the_figure(measured, settings)
    the_lambda()
    open_conventions(measured)
    drop_zones()
