"""Your own data: read a file, say what is in it, and let the whole lab work on it."""

from typing import Any

import streamlit as st

import aklo
from aklo.datasets import TABLES, kind_of
from aklo.lab.compute import runs
from aklo.lab.content import stream_summary
from aklo.lab.frame import explain
from aklo.lab.frame.lambda_chooser import lambda_chooser
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import finding, page
from aklo.lab.frame.table_options import table_options
from aklo.lab.session import state, uploads
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings, default
from aklo.lab.settings.text import escape_markdown, percent
from aklo.readers.collection import MOST_NUMBERS, MOST_TASKS
from aklo.readers.examples import EXAMPLE_FILES
from aklo.readers.table_rows import MOST_COLUMNS
from aklo.wording import count, sizes

MIME = {"csv": "text/csv", "mat": "application/octet-stream", "zip": "application/zip"}
ABOUT = {
    "tastes.csv": "a table: sixteen visitors of two tastes, three numbers about each dish",
    "fields.mat": "MATLAB cells, as Landmine comes: sixteen fields, nine features",
    "inboxes.zip": "sixteen inboxes as .tf files: word counts, sparse",
}
NEXT = ("watch", "alpha", "compare", "transfer")


def what_is_used(settings: Settings) -> str:
    """A sentence on the data that the pages show now."""
    size = runs.size(settings)
    if settings.dataset == OWN:
        return f"**The lab shows your own tasks**: {size}, for this visit only."
    return (
        f"**The lab shows {settings.dataset}**, {size}. Bring a file and press “Use these tasks in the lab”: then "
        "every page shows your tasks instead."
    )


def how() -> None:
    """What files can be read, and three to try."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("No file at hand? Download one of these, and drop it above:", width="content")
        for name, make in EXAMPLE_FILES.items():
            st.download_button(
                name, make, name, MIME[name.rpartition(".")[2]], icon=":material/download:", key=f"example_{name}",
                on_click="ignore", help=f"A small file to try: {ABOUT[name]}.",
            )  # fmt: skip
    st.markdown("What can be read:")
    st.markdown(
        "- **A table (CSV or Parquet)** with a column `task`, a column `y` of labels of any kind, and numbers or words "
        "in the others.\n"
        "- **A .mat file** with the cell arrays `feature` and `label`, one cell for each task.\n"
        "- **.tf files**, one for each task, with lines such as `label id:count id:count …`.\n"
        "- **A .zip file** with files of one of these kinds.\n\nTasks may differ in length."
    )
    st.caption(
        f"At most {MOST_TASKS:,} tasks, {MOST_COLUMNS:,} columns and {MOST_NUMBERS / 1e6:.0f} million numbers; the "
        f"pages show up to {FIELDS['n_tasks'].high:.0f} tasks of up to {FIELDS['n_examples'].high:,.0f} examples. "
        f"{explain.where_files_go()}"
    )


def read(given: list) -> tuple[aklo.Collection, dict] | None:
    """The collection in the files and the options it was read with; or None, and a sentence about the first problem."""
    options: dict | None = {}
    bar = st.empty()
    try:
        if len(given) == 1 and kind_of(given[0].name) in TABLES:
            options = table_options(given, lambda share: bar.progress(share, "Looking through the table"))
            if options is None:
                return None
        found = uploads.read_once(
            "reading", "any", given,
            meanwhile=lambda share: bar.progress(share, f"Reading: {percent(share, 0)}"), **options,
        )  # fmt: skip
    except uploads.Removed:
        st.rerun()
    except ValueError as error:
        st.error(escape_markdown(str(error)), icon=":material/error:")
        return None
    finally:
        bar.empty()
    return found, options


def summary(found: aklo.Collection) -> None:
    """What was read, in a sentence, a table and notes."""
    st.markdown(
        f"**Read: {sizes(found.lengths)}, {len(found.y):,} in all, "
        f"with {count(found.d, 'feature')}.** Here {escape_markdown(found.labels[1])} is +1 "
        f"({percent(found.positive.sum() / len(found.y))} of the examples), {escape_markdown(found.labels[0])} is −1."
    )
    for note in found.notes:
        st.caption(f":material/info: {escape_markdown(note)}")
    if said := stream_summary.one_label(found):
        st.caption(f":material/info: {said}")
    st.dataframe(stream_summary.balance(found), height=214, key="balance")


def options(found: aklo.Collection, reading: dict) -> None:
    """How to use it, and the button that does. reading: the options that it was read with."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        plus = st.segmented_control(
            "Which label is +1?", [0, 1], default=1, required=True, key="plus",
            format_func=lambda i: escape_markdown(found.labels[i]),
            help="The other one is −1. Nothing but the names changes.",
        )  # fmt: skip
        bias = st.toggle(
            "Bias column",
            True,
            key="bias",
            help="Adds a column of ones, so that boundaries need not pass through the origin.",
        )
        standardise = st.toggle(
            "Standardise", key="standardise",
            help="Scales each feature to mean 0 and standard deviation 1 over all tasks (sparse data: to deviation 1 "
            "only). It looks at all examples beforehand, which a method that learns online cannot do.",
        )  # fmt: skip
        keep = st.toggle(
            "Keep the file's order", key="keep_order",
            help="Tasks and examples arrive as they stand in the file; the seed changes only random draws. Otherwise "
            "the seed shuffles both, as the paper does.",
        )  # fmt: skip
    chosen = found if plus == 1 else found.flipped()
    options = {"bias": bias, "standardise": standardise, "shuffle": not keep, "reading": tuple(reading.items())}
    st.button(
        "Use these tasks in the lab", type="primary", icon=":material/science:", key="use", on_click=use,
        args=(chosen,), kwargs=options, help="Makes them the dataset of all pages, for this visit.",
    )  # fmt: skip


def use(found: aklo.Collection, **options: Any) -> None:
    try:
        uploads.bring(found, **options)
    except ValueError as error:
        uploads.refuse(str(error))
    else:
        use_own()


def use_own() -> None:
    """Make the own tasks the dataset of all pages, whole as far as the pages can show them."""
    own = uploads.mine()
    task = default("task", OWN)
    state.replace(state.settings().change(dataset=OWN, n_examples=own.longest, n_tasks=own.n_tasks, task=task))


def forget() -> None:
    uploads.forget()
    state.change(dataset=FIELDS["dataset"].choices[0])


def in_use(brought: uploads.Own) -> None:
    """What the lab works on now, and where to go with it."""
    now = state.settings()
    if now.dataset != OWN:
        st.info("Your tasks are here, but the pages show another dataset.", icon=":material/inventory_2:")
        st.button("Show them again", key="again", on_click=use_own, help="Makes them the dataset of all pages again.")
    else:
        st.success(
            f"The lab now works on your tasks: {runs.size(now)}. {stream_summary.left_out(brought.collection, now)}",
            icon=":material/check_circle:",
        )
        with st.container(horizontal=True):
            for stem in NEXT:
                PAGES[stem].link(now)
        lambda_chooser(now)
    st.button("Forget my data", key="forget", icon=":material/delete:", on_click=forget,
              help="Removes your tasks, and all that was made from them, from this visit.")  # fmt: skip


with page("data", ("Stream", "Learner")) as settings:
    finding(what_is_used(settings))
    uploads.notice_removal()
    given = st.file_uploader(
        "Your file, or files of one kind", accept_multiple_files=True,
        key=uploads.uploader_key("own_files"), help="Read in memory and checked; nothing is stored or run.",
    )  # fmt: skip
    found = read(given) if given else None
    if why := uploads.refusal():
        st.error(escape_markdown(why), icon=":material/error:")
    if found is not None:
        summary(found[0])
        options(*found)
    if brought := uploads.own():
        st.divider()
        in_use(brought)
    st.divider()
    how()  # below, so that the button that uses a file is seen as soon as one is read
