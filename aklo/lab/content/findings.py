"""The first sentence of a page: a finding about what it shows, computed from the settings in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

import aklo
from aklo.lab.content.bound_text import without_number
from aklo.lab.settings.text import bound_number, escape_markdown, in_words, joined, percent
from aklo.paper.reproduction import NEAR, Outcome
from aklo.wording import count, sizes


def fewest(mistakes: Mapping[str, float], n: int, *, shares: bool = True) -> str:
    """Return a sentence on the method with the fewest mistakes, and on ITOL.

    mistakes: method -> their number, or the number to be expected; n: the number of examples; shares: whether to give
    percentages as well.

    >>> fewest(dict(zip(aklo.METHODS, [40, 22, 41, 35, 14, 12])), 100)
    '**AKLO Sum** makes the fewest mistakes, 12 of 100 (12.0\\xa0%); ITOL, which asks nobody, makes 40 (40.0\\xa0%).'
    """
    made = {method: round(float(number)) for method, number in mistakes.items()}
    least = min(made.values())
    best = [method for method in made if made[method] == least]

    def share(number: int) -> str:
        return f" ({percent(number / n)})" if shares else ""

    if len(best) == len(made):
        return f"**All {in_words(len(made))} methods** make the same number of mistakes, {least} of {n}{share(least)}."
    # With challengers many may be level, and then their names would fill the line.
    several = f"**{in_words(len(best)).capitalize()} methods**"
    who = several if len(best) > 3 else joined([f"**{method}**" for method in best])
    first = f"{who} {'makes' if len(best) == 1 else 'make'} the fewest mistakes"
    if "ITOL" in best:
        other = "AKLO Sum" if "AKLO Sum" not in best else max(made, key=made.__getitem__)
        return f"{first}, {least} of {n}{share(least)}; {other} makes {made[other]}{share(made[other])}."
    return f"{first}, {least} of {n}{share(least)}; ITOL, which asks nobody, makes {made['ITOL']}{share(made['ITOL'])}."


def of_run(wrong: np.ndarray, methods: Sequence[str]) -> str:
    """Return the sentence on a whole stream. wrong: (m, n), 1 for a mistake, or the probability of one."""
    return fewest(dict(zip(methods, wrong.sum(axis=1).tolist(), strict=True)), wrong.shape[1])


def of_unknown_horizon(unknown: aklo.Run, known: aklo.Run, schedule: str) -> str:
    """Return a sentence on what it costs AKLO Sum not to know N. Both runs have the same schedule, so that nothing else
    differs.

    schedule: its name.
    """
    made, could = (round(float(sum(errors.sum() for errors in run.errors["AKLO Sum"]))) for run in (unknown, known))
    difference = f"{abs(made - could)} {'fewer' if made > could else 'more'}" if made != could else "as many"
    return (
        f"What it costs not to know the number of examples N: with the same schedule ({schedule}) and N known, AKLO "
        f"Sum would make {could} mistakes, {difference}. The weights then need not be reset."
    )


def of_task(replay: aklo.Replay) -> str:
    """Return the sentence on one task."""
    return fewest({name: int(errors.sum()) for name, errors in replay.errors.items()}, len(replay.y), shares=False)


def asking_and_alone(replay: aklo.Replay) -> str:
    """Return a sentence on one task that says in words what AKLO Sum and ITOL are, for who meets them first."""
    asking, alone = (int(replay.errors[method].sum()) for method in ("AKLO Sum", "ITOL"))
    return (
        f"In this task **AKLO Sum**, which asks experts from earlier tasks, makes {count(asking, 'mistake')} in "
        f"{len(replay.y)} examples; **ITOL**, which asks nobody, makes {alone}."
    )


def of_regret(found: aklo.Regret, competitor: str) -> str:
    """Return a sentence on the method with the least regret against a competitor, and on ITOL."""
    total = {method: round(float(value)) for method, value in found.table[competitor].items()}
    least = min(total.values())
    best = [method for method in total if total[method] == least]
    who = f"the {competitor} of each task, chosen in hindsight"
    n = int((~np.isnan(found.competitors[competitor])).sum())
    if not n:
        return "There is one task only, so there is no expert yet to be compared with."
    first = f"{joined([f'**{method}**' for method in best])} {'has' if len(best) == 1 else 'have'} the least regret"
    rest = "" if "ITOL" in best else f" ITOL, which asks nobody, has {_signed(total['ITOL'])}."
    if least >= 0:
        return f"{first}: {count(least, 'mistake')} more than {who}, in {count(n, 'example')}.{rest}"
    return f"{first}: {count(-least, 'mistake')} fewer than {who}, in {count(n, 'example')}.{rest}"


def _signed(number: int) -> str:
    return f"{count(-number, 'mistake')} fewer" if number < 0 else f"{count(number, 'mistake')} more"


def of_stream(stream: aklo.TaskStream, group_names: Sequence[str]) -> str:
    """Return a sentence on a stream: how wrong the rule of one group is about the examples of another."""
    labels = f"{percent(float((stream.y > 0).mean()))} of the labels are +1"
    size = sizes(stream.lengths)
    groups = sorted(set(stream.task_groups))
    if stream.vectors is None or len(groups) != 2:
        return f"**{size}** in {count(len(groups), 'group')}; {labels}."
    tasks = {g: [k for k, group in enumerate(stream.task_groups) if group == g] for g in groups}
    one, other = (tasks[g] for g in groups)
    first, second = (escape_markdown(group_names[g]) for g in groups)
    return (
        f"**{size}:** the rule of {first} mislabels {percent(_disagreement(stream, one, other))} of the examples of "
        f"{second}, the rule of {second} {percent(_disagreement(stream, other, one))} of those of {first}."
    )


def of_experts(stream: aklo.TaskStream, group_names: Sequence[str]) -> str:
    """Return a sentence on the knowledge base of the sandbox: its experts, by group."""
    groups = sorted(set(stream.task_groups))
    counts = joined([f"{stream.task_groups.count(g)} from {escape_markdown(group_names[g])}" for g in groups])
    return (
        f"**{count(len(stream), 'expert')}** from earlier tasks can be asked, {counts}, all with the same weight at "
        "first. Place an example in the plane and give its label: the experts that were right gain weight."
    )


def _disagreement(stream: aklo.TaskStream, rules: Sequence[int], tasks: Sequence[int]) -> float:
    """Return the share of the examples of some tasks that the mean labelling vector of other tasks labels wrongly."""
    vector = np.asarray(stream.vectors)[list(rules)].mean(axis=0)
    X = np.concatenate([np.asarray(stream[k].X) for k in tasks])
    y = np.concatenate([stream[k].y for k in tasks])
    return float((np.where(X @ vector >= 0, 1.0, -1.0) != y).mean())


def of_reproduction(outcomes: Sequence[Outcome]) -> str:
    """Return a sentence on how many cells of the paper's Table 1 come out again, in each reading."""
    if not outcomes:
        return "Nothing is measured yet: the methods run on syn1 and syn2 now, and the tables below fill as they do."
    parts = []
    for reading in reversed(tuple(aklo.READINGS)):
        rows = pd.concat([one.table[one.table["reading"] == reading] for one in outcomes]).dropna(subset="sds")
        near, same = int((rows["sds"].abs() <= NEAR).sum()), int((rows["p"] >= 0.05).sum())
        parts.append(
            f"**{reading}**, {near} of {len(rows)} cells of Table 1 are near the paper's, and {same} have means that "
            "agree with it"
        )
    datasets = joined([outcome.dataset for outcome in outcomes])
    return (
        f"Measured on {datasets}: {parts[0]}; {parts[1]}. “Near” means within two standard deviations of a single "
        "repetition; whether means agree is decided by Welch's test."
    )


def of_bound(bound: aklo.Bound) -> str:
    """Return a sentence on what a bound allows and what was made, and on what it means that a bound is vacuous."""
    if not bound.computed:
        return without_number(bound)
    N, made, total = len(bound.terms), int(bound.mistakes[-1]), bound_number(bound.total)
    if bound.vacuous and not bound.broken:
        return (
            f"**{bound.name} allows {total} mistakes in {count(N, 'example')}, so it says nothing here**: nobody can "
            f"make more than {N}. Such a bound is called *vacuous*. {bound.method} made {made}."
        )
    return (
        f"**{bound.name} allows at most {total} mistakes in {count(N, 'example')}, and {bound.method} made {made}.** "
        + (
            "**The bound is broken.**"
            if bound.broken
            else f"A bound below {N} says something: not all predictions can be wrong."
        )
    )


def of_cases(case: aklo.Case, mistakes: float, bound: aklo.Bound, n_broken: int, n: int) -> str:
    """Return a sentence on a counterexample under a reading, and on how many break their statement under it.

    mistakes: under the reading; n_broken: of n counterexamples.
    """
    broken = bound.exceeded_by(mistakes)
    return (
        f"**{case.title}: {bound.name} allows at most {bound_number(bound.total)} mistakes; {bound.method} made "
        f"{mistakes:g} of {len(bound.terms)}.** "
        + ("**The bound is broken**" if broken else "Under this reading the bound is not broken")
        + (", though all its conditions hold. " if broken and bound.applies else ". ")
        + f"Under the reading chosen here {n_broken} of {n} counterexamples break their statement."
    )


def of_bounds_that_hold(pool: aklo.Bound, mended: aklo.Bound, printed: aklo.Bound) -> str:
    """Return a sentence on the bounds of One pool and of the mended rule, beside a printed one, on the same data."""
    N = len(pool.terms)
    if not printed.computed:
        last = f"{printed.name} could not be computed."
    else:
        last = f"{printed.name} says {bound_number(printed.total)} of {N}" + (
            f", and {printed.mistakes[-1]} are made." if printed.broken
            else ", so it says nothing." if printed.vacuous else "."
        )  # fmt: skip
    return (
        f"**One pool makes {count(int(pool.mistakes[-1]), 'mistake')} here, and its bound is "
        f"{bound_number(pool.total)}**; for the mended rule they are {mended.mistakes[-1]} and "
        f"{bound_number(mended.total)}. Both bounds hold whatever the data. {last}"
    )
