"""Compare the methods: all methods over the whole stream, once and many times."""

import streamlit as st

import aklo
from aklo.lab.charts import compare as charts
from aklo.lab.components.plotly_chart import show
from aklo.lab.components.stream_race import stream_race
from aklo.lab.compute import mistakes, regrets, repetitions, runs
from aklo.lab.compute.stream_spec import RunSpec
from aklo.lab.content import challenger_text, findings, ranking, repetition_text
from aklo.lab.frame import explain, progress
from aklo.lab.frame.page import finding, page, picture
from aklo.lab.frame.progress import Work
from aklo.lab.frame.widgets import READING, controls, knobs
from aklo.lab.session import state
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import escape_markdown, in_words, percent, schedule_title
from aklo.regrets import EXPERT
from aklo.wording import count


def show_race(settings: Settings) -> None:
    """The wrong predictions on one stream, which can be played."""
    run, wrong = runs.run(settings), mistakes.by_example(settings)
    stream_race(
        wrong,
        run.learned.offsets,
        methods=run.methods,
        after=settings.raced,
        key="race",
        alt=f"Mistakes after {wrong.shape[1]} examples: {ranking.totals(wrong, run.methods)}.",
        on_stop=lambda after: state.change(raced=after),
    )


def what_the_horizon_costs(settings: Settings) -> str:
    """A sentence on the mistakes with the horizon known, and the same schedule."""
    known = settings.change(horizon="known", alpha=settings.schedule.spec)
    return findings.of_unknown_horizon(runs.run(settings), runs.run(known), schedule_title(settings.schedule))


def after_each_task(settings: Settings) -> None:
    """The average error after each task, with bands over repetitions, and the ranking."""
    if repetitions.results(settings).is_cheap:
        repetitions.compute(settings)
    shown = repetitions.found_or_run(settings)
    offer = st.empty()
    with st.container(key="verdict"):  # one line or more, and nothing below it moves: lab.css keeps the room
        st.markdown(ranking.verdict(shown))
    show(
        charts.ace_after(shown),
        "ace",
        f"Average error after {count(settings.n_tasks, 'task')}: "
        f"{ranking.listed(shown.moments[0], '.1%', shown.methods)}.",
    )
    st.caption(
        "The share of wrong predictions, averaged over the tasks so far (ACE). "
        + (
            f"Lines are means of {len(shown.shares)} repetitions, bands ± one standard deviation of these."
            if len(shown.shares) > 1
            else "These lines are the one stream of the race above; repetitions add bands."
        )
    )
    show_ranking(settings, shown)
    repeat(settings, offer)


def show_ranking(settings: Settings, repeats: aklo.Repeats) -> None:
    """Who is ahead of whom, as a table and as a file."""
    controls("reference")
    reference = "ITOL" if settings.reference == "ITOL" else ranking.best(repeats)
    standing = ranking.standings(repeats, reference)
    st.markdown(ranking.markdown(standing, reference))
    st.caption(
        "Wrong: the ACE after the last task, mean ± standard deviation. Points against: the difference, taken within "
        "each repetition, where all methods saw the same data; in brackets the 95\N{NO-BREAK SPACE}% interval of "
        "each by itself. More than chance: p below 5\N{NO-BREAK SPACE}%, after Holm's correction for all "
        "comparisons. " + (repetition_text.what_varies(settings) if len(repeats.shares) > 1 else "")
    )
    if text := challenger_text.what_does_it(repeats, settings.clip):
        st.markdown(text)
    st.download_button(
        "Download the table as CSV",
        lambda: ranking.table(standing).assign(reference=reference, repetitions=len(repeats.shares)).to_csv(),
        "aklo_methods.csv",
        "text/csv",
        icon=":material/download:",
        on_click="ignore",
        help="With all digits; errors and differences as shares.",
    )


def repeat(settings: Settings, slot) -> None:
    """Compute the repetitions that are missing, when the page is drawn; or say that all are there."""
    n, results = settings.repetitions, repetitions.results(settings)
    missing = len(results.missing)
    if n == 1:
        slot.caption("Choose two or more repetitions in the sidebar to see which differences are more than chance.")
        return
    if not missing:
        data = repetition_text.data(settings)
        slot.caption(f":material/check: Repeated {n} times, each on {data}, from seed {settings.seed} on.")
        return
    rest = f"{n - missing} of {n} are done and shown below; the rest" if missing < n else "It"
    work = Work(
        name="repeat",
        wanted=RunSpec.of(settings),
        done=results.share_done,
        unasked=False,
        price=progress.price(rest, results.seconds),
        start=f"Repeat {n} times",
        help=f"The same race on {repetition_text.data(settings)}, from this seed on. It can be stopped.",
        doing=f"Repeating on {repetition_text.data(settings)}",
    )
    progress.run(work, slot, lambda tell: repetitions.compute(settings, tell))
    if not results.missing:
        st.rerun()


def task_by_task(settings: Settings) -> None:
    """The share of wrong predictions of each method in each task."""
    stream, shares, methods = runs.stream(settings), mistakes.by_task(settings), settings.methods
    show(
        charts.heat_map(stream, shares.values, methods, runs.group_names(settings)),
        "heat",
        f"Share of wrong predictions of the {in_words(len(methods))} methods in each of "
        f"{count(len(stream), 'task')}. The worst is "
        f"{shares.method} in {stream[shares.task].name}, with {percent(shares.worst, 0)}.",
    )
    st.caption(
        "Each column is a task, each row a method, and the colour the share of its predictions that were wrong. The "
        "strip above tells which group a task belongs to: where a row follows the strip, the method does well on one "
        "group only."
    )


def the_last_task(settings: Settings) -> None:
    """The wrong predictions within the last task."""
    stream, wrong, methods = runs.stream(settings), mistakes.in_last_task(settings), settings.methods
    last = stream[len(stream) - 1]
    show(
        charts.last_task(wrong, methods),
        "last",
        f"Mistakes in {last.name}, {len(last)} examples: {ranking.totals(wrong, methods)}.",
    )
    st.caption(
        f"Mistakes within {escape_markdown(last.name)}, when {len(stream) - 1} experts are available. A line that is "
        "flat from the start follows experts that know the task already; ITOL has to learn the task from nothing."
        if len(stream) > 1
        else "The only task: there are no experts yet, so all methods are the same learner."
    )


def against_the_best(settings: Settings) -> None:
    """The regret over the stream."""
    run = runs.run(settings)
    with st.spinner("Looking for the best of each task in hindsight …"):
        found = regrets.regret(settings, mistakes.by_example(settings))
    st.markdown(findings.of_regret(found, settings.competitor))
    controls("competitor")
    show(
        charts.regret(found, settings.competitor),
        "regret",
        f"Regret against the {settings.competitor} after {count(int(run.learned.offsets[-1]), 'example')}: "
        f"{ranking.listed(found.table[settings.competitor], methods=run.methods)}.",
    )
    st.caption(
        "**Regret**: a method's mistakes minus those of a competitor that is chosen for each task after it has ended, "
        "so that nobody could have followed it. "
        + (
            "The best expert makes the fewest mistakes in the task of all that are available; the first task, which "
            "has none, adds nothing. A line that levels off has found it. "
            if settings.competitor == EXPERT
            else "The best classifier is the w with the least total hinge loss on the task, no longer than 1/√λ: what "
            "a learner could reach that had seen the whole task. "
        )
        + "Below 0 a method does better than any one of them."
    )


PARTS = {"After each task": after_each_task, "Task by task": task_by_task, "The last task": the_last_task,
         "Regret": against_the_best}  # fmt: skip

with page("compare", ("Methods", "Repetitions", "Alpha", "Knowledge", "Stream", "Learner")) as settings:
    first, above = st.container(), st.container()
    progress.learn(settings)
    with picture():
        show_race(settings)  # first, since people wait for the picture
    with first:
        finding(findings.of_run(mistakes.by_example(settings), settings.methods))
    with above, knobs():
        controls(READING, "expected")
        explain.terms_button("group", "ace", "weight", "clip", "horizon", "lambda", challengers=settings.challengers)
    if settings.horizon == "unknown":
        st.caption(what_the_horizon_costs(settings))
    controls("race_part")
    PARTS[settings.race_part](settings)
