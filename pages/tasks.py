"""Make the tasks: the stream that all pages use, seen from all sides."""

import streamlit as st

from aklo.lab import describe, figures, results, shell
from aklo.lab.figures import tasks
from aklo.lab.settings import OWN

PER_PAGE = 24
with shell.page("Make the tasks", "What kind of world do the tasks come from?", ("Stream", "Generator")) as settings:
    if settings.dataset == OWN:
        st.info("Your own tasks are made already: it says what is in them where you brought them.", icon=":material/done:")
        st.page_link("pages/data.py", label="Bring your own tasks", icon=":material/upload_file:")
        st.stop()
    stream, names = results.stream(settings), results.group_names(settings)
    in_plane = stream.d == 2
    seeds = [(settings.seed + i) % 10_000 for i in range(3)]
    st.markdown(
        f"**{describe.count(len(stream), 'task')} of {describe.count(settings.n_examples, 'example')}, one by one.** "
        + (
            "A task draws its points around its group's mean and labels them +1 on one side of its "
            "line, −1 on the other."
            if in_plane
            else "Each task is to tell two handwritten digits apart, the larger one being +1."
        )
    )
    for oddity in describe.oddities(stream):
        st.warning(oddity, icon=":material/warning:")

    if in_plane:
        st.subheader("All tasks in one plane", anchor=False)
        figures.show(tasks.overview(stream, names), "overview", f"{len(stream)} tasks overlaid in the plane.")
        st.caption(
            "Colour is the group, shape the label: filled circles are +1, open squares −1. Every labelling line runs "
            "through the origin, and the arrow, the group's labelling vector, points from its mean to the side of +1. "
            "At most 400 examples of a group are drawn."
        )

    st.subheader("The order of the groups", anchor=False)
    counts = ", ".join(f"{stream.groups.count(g)} of {names[g]}" for g in sorted(set(stream.groups)))
    figures.show(tasks.order([stream], names, [""]), "order", f"The order of the tasks' groups: {counts}.")
    st.caption("One cell a task, from the first to the last; the colour is its group. No method is told the groups.")

    @st.fragment
    def preview() -> None:
        pages = -(-len(stream) // PER_PAGE)
        at = PER_PAGE * (st.pagination(pages, key=f"tasks_page_of_{pages}") - 1) if pages > 1 else 0
        shown = range(at, min(at + PER_PAGE, len(stream)))
        if in_plane:
            windows = tasks.windows(stream)
            cells = [(stream[k], windows[stream.groups[k]], f"{k} · {names[stream.groups[k]]}") for k in shown]
            figures.show(
                tasks.multiples(cells, names), "multiples", f"Tasks {shown[0]} to {shown[-1]}, a small plane each."
            )
            st.caption(
                "Across is x₁, up is x₂; the tasks of a group share one window, so that they can be compared. The "
                "first 60 examples of each task are drawn."
            )
        else:
            st.image([tasks.samples(stream[k]) for k in shown], [f"{k}: {stream[k].name}" for k in shown], width=112)
            st.caption(
                "Three images of each digit: the upper row is +1, the lower −1. The frame's colour is the +1 digit."
            )

    st.subheader("Task by task", anchor=False)
    preview()

    st.subheader("What the seed changes", anchor=False)
    others = [results.stream(settings.change(seed=seed)) for seed in seeds]
    rows = [f"Seed {seed}" for seed in seeds]
    figures.show(tasks.order(others, names, rows), "seeds", f"The order of the groups under seeds {seeds}.")
    if in_plane:
        cells = [(other[k], tasks.windows(other)[other.groups[k]], f"{row} · {names[other.groups[k]]}")
                 for k in range(min(2, len(stream))) for other, row in zip(others, rows, strict=True)]  # fmt: skip
        figures.show(tasks.multiples(cells, names, columns=3), "seed_tasks", f"The first tasks under seeds {seeds}.")
        st.caption(
            "The first two tasks, above and below, under three seeds. A seed decides the order of the groups, where "
            "the examples fall and how each line wobbles; means, vectors and spread stay what you set."
        )
    else:
        st.image([tasks.samples(other[0]) for other in others],
                 [f"{row}: {other[0].name}" for row, other in zip(rows, others, strict=True)], width=112)  # fmt: skip
        st.caption(
            "The first task under three seeds. A seed decides which pairs of digits come when, and which images."
        )

    st.subheader("In numbers", anchor=False)
    st.table(describe.statistics(stream, names))
    st.download_button(
        "Download the stream as CSV", lambda: describe.csv(stream), f"{settings.dataset}_seed{settings.seed}.csv",
        mime="text/csv", icon=":material/download:", on_click="ignore",
        help="One row an example, in the order of arrival.",
    )  # fmt: skip
    st.caption(
        "Columns: task, group, y (−1 or +1), then the features x1, x2, …; one row an example, in the order of arrival, "
        "with all digits. Whoever keeps this format can bring tasks of their own later."
    )
