"""Race the six: all methods over the whole stream, once and many times."""

import streamlit as st

import aklo
from aklo.lab.charts import compare
from aklo.lab.components.plotly_chart import show
from aklo.lab.components.stream_race import race
from aklo.lab.compute import repetitions, runs
from aklo.lab.content import ranking
from aklo.lab.frame import page
from aklo.lab.settings.text import count


@page.first("Stream", "Generator", "Learner", "Knowledge", "expected", "raced")
def the_race() -> None:
    """One stream, which can be played."""
    settings = page.settings()
    run = runs.run(settings)
    wrong = compare.mistakes(run, settings.expected)
    race(
        wrong,
        run.lessons.offsets,
        after=settings.raced,
        key="race",
        alt=f"Errors after {wrong.shape[1]} examples: {ranking.listed(wrong.sum(axis=1))}.",
        on_stop=lambda after: page.note(raced=after),
    )


@page.knobs
def how_to_count() -> None:
    page.setting("expected")


@page.later()
def closer() -> None:
    """One more picture."""
    {"After each task": after_each_task, "Task by task": task_by_task, "The last task": the_last_task}[
        page.settings().race_part
    ]()


@page.knobs
def where_to_look() -> None:
    page.setting("race_part")


@page.later()
def in_words() -> None:
    """Who wins, above the picture, and the same in numbers below it."""
    settings = page.settings()
    if settings.race_part != "After each task":
        return
    repeats = repetitions.found(settings)
    found = repeats or aklo.Repeats(runs.run(settings).task_errors[None])
    with above:
        repetitions.offer(settings)
        with st.container(key="verdict"):  # one line or more, and nothing below it moves: lab.css keeps the room
            st.markdown(ranking.verdict(found))
    choice = st.segmented_control(
        "Compare with",
        ["ITOL", "the best"],
        default="ITOL",
        required=True,
        key="reference",
        help="ITOL learns every task from nothing: who beats it gains by remembering. Or compare with the winner.",
    )
    reference = "ITOL" if choice == "ITOL" else aklo.METHODS[int(found.moments[0].argmin())]
    standing = ranking.standings(found, reference)
    st.markdown(ranking.words(standing, reference))
    st.caption(
        "Wrong: the ACE after the last task, mean ± standard deviation. Points against: the difference, taken within "
        "each repetition, where all six saw the same data; in brackets the 95% interval of each by itself."
    )
    st.download_button(
        "Download the table as CSV",
        lambda: ranking.table(standing).assign(reference=reference, repetitions=len(found.shares)).to_csv(),
        "aklo_six_methods.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
        help="With all digits; errors and differences as shares.",
    )
    repetitions.look_ahead(settings)


def after_each_task() -> None:
    settings = page.settings()
    repetitions.do_cheap(settings)
    repeats = repetitions.found(settings)
    shown = repeats or aklo.Repeats(runs.run(settings).task_errors[None])
    show(
        compare.ace_after(shown),
        "ace",
        f"Average error after {count(settings.n_tasks, 'task')}: {ranking.listed(shown.moments[0], '.1%')}.",
    )
    st.caption(
        "The share of wrong predictions, averaged over the tasks so far (ACE). "
        + (
            f"Lines are means of {len(repeats.shares)} repetitions, bands ± one standard deviation of these."
            if repeats
            else "These lines are the one stream of the race above; repetitions add bands."
        )
    )


def task_by_task() -> None:
    settings = page.settings()
    run, stream = runs.run(settings), runs.stream(settings)
    shares = compare.task_shares(run, compare.mistakes(run, settings.expected))
    method, task = divmod(int(shares.argmax()), len(stream))
    show(
        compare.heat_map(stream, shares, runs.group_names(settings)),
        "heat",
        f"Share of wrong predictions of the six methods in each of {count(len(stream), 'task')}. The worst is "
        f"{aklo.METHODS[method]} in {stream[task].name}, with {shares.max():.0%}.",
    )
    st.caption(
        "Each column is a task, each row a method, and the colour the share of its predictions that were wrong. The "
        "strip above tells which group a task belongs to: where a row follows the strip, one group pays for the other."
    )


def the_last_task() -> None:
    settings = page.settings()
    run, stream = runs.run(settings), runs.stream(settings)
    first, last = int(stream.offsets[-2]), stream[len(stream) - 1]
    wrong = compare.mistakes(run, settings.expected)
    show(
        compare.last_task(wrong, first),
        "last",
        f"Errors in {last.name}, {len(last)} examples: {ranking.listed(wrong[:, first:].sum(axis=1))}.",
    )
    st.caption(
        f"Errors within {last.name}, when {len(stream) - 1} experts stand ready. A line that is flat from the start "
        "has found a friend among them; ITOL has to learn the task from nothing."
        if len(stream) > 1
        else "The only task: there are no experts yet, so all six are the same learner."
    )


with page.page(
    "Race the six",
    "Which method wins, and is it luck?",
    ("Repetitions", "Knowledge", "Stream", "Learner"),
) as now:
    busy = repetitions.under_way(now)
    if busy:
        page.whole()
    switch = st.container()
    the_race()
    with switch:
        how_to_count()
    if busy:
        bar = repetitions.progress(now)
    where_to_look()
    above = st.container()
    closer()
    in_words()
    if busy:
        repetitions.work(now, bar)
