"""Race the six: all methods over the whole stream, once and many times."""

import streamlit as st

import aklo
from aklo.lab import figures, repetitions, results, shell, standings
from aklo.lab.figures import compare

with shell.page(
    "Race the six", "Which method wins, and is it luck?", ("Repetitions", "Knowledge", "Stream", "Learner")
) as settings:
    run, stream = results.run(settings), results.stream(settings)
    n_tasks, last = len(stream), stream[len(stream) - 1]
    summary = st.container()

    st.subheader("The race", anchor=False)
    expected = st.toggle(
        "Without the luck of the draw",
        key="expected",
        help="Unif Sample and AKLO Sample draw one expert at each step. Switched on, their lines show the errors to be "
        "expected instead of those of one draw: here, in the map and in the last task.",
    )
    wrong = compare.mistakes(run, expected)
    figures.show(
        compare.race(run, wrong),
        "race",
        f"Errors after {len(stream.y)} examples: {standings.listed(wrong.sum(axis=1))}.",
    )
    st.caption(
        "How many predictions of each method were wrong so far, over all tasks of this one stream. The lower, the "
        "better; faint upright lines mark where tasks begin. Click a name to hide its line, point anywhere to read "
        "all six. " + ("Play uncovers the race task by task." if n_tasks > 1 else "")
    )

    st.subheader("Average error after each task", anchor=False)
    work = repetitions.offer()
    again = st.container()

    st.subheader("Who is wrong where", anchor=False)
    shares = compare.task_shares(run, wrong)
    method, task = divmod(int(shares.argmax()), n_tasks)
    figures.show(
        compare.heat_map(stream, shares, results.group_names(settings)),
        "heat",
        f"Share of wrong predictions of the six methods in each of {n_tasks} tasks. The worst is "
        f"{aklo.METHODS[method]} in {stream[task].name}, with {shares.max():.0%}.",
    )
    st.caption(
        "Each column is a task, each row a method, and the colour the share of its predictions that were wrong. The "
        "strip above tells which group a task belongs to: where a row follows the strip, one group pays for the "
        "other."
    )

    st.subheader("The last task alone", anchor=False)
    first = int(stream.offsets[-2])
    figures.show(
        compare.last_task(wrong, first),
        "last",
        f"Errors in {last.name}, {len(last)} examples: {standings.listed(wrong[:, first:].sum(axis=1))}.",
    )
    st.caption(
        f"Errors within {last.name}, when {n_tasks - 1} experts stand ready. A line that is flat from the start has "
        "found a friend among them; ITOL has to learn the task from nothing."
        if n_tasks > 1
        else "The only task: there are no experts yet, so all six are the same learner."
    )

    work()  # last, so that no other picture waits for it; until it is done what was there before stays
    repeats = repetitions.found(settings)
    shown = repeats or aklo.Repeats(run.task_errors[None])
    summary.markdown(standings.verdict(repeats, run.ace))
    with again:
        figures.show(
            compare.ace_after(shown),
            "ace",
            f"Average error after {n_tasks} tasks: {standings.listed(shown.table['mean'], '.1%')}.",
        )
        st.caption(
            "The share of wrong predictions, averaged over the tasks so far (ACE). "
            + (
                f"Lines are means of {len(repeats.ace)} repetitions, bands ± one standard deviation of these."
                if repeats
                else "These lines are the one stream of the race above; repetitions add bands."
            )
        )
        choice = st.segmented_control(
            "Compare with",
            ["ITOL", "the best"],
            default="ITOL",
            required=True,
            key="reference",
            help="ITOL learns every task from nothing: who beats it gains by remembering. Or compare with the winner.",
        )
        reference = "ITOL" if choice == "ITOL" else shown.table["mean"].idxmin()
        table = standings.standings(shown, reference)
        st.table(standings.words(table, reference))
        st.caption(
            "Wrong: the ACE after the last task, mean ± standard deviation. Points against: the difference, taken "
            "within each repetition, where all six saw the same data; in brackets the 95% interval of each by "
            "itself."
        )
        st.download_button(
            "Download the table as CSV",
            table.assign(reference=reference, repetitions=len(shown.ace)).to_csv(),
            "aklo_six_methods.csv",
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="With all digits; errors and differences as shares.",
        )
