"""Prepared states of the lab, each with one thing to notice and one to try: the five steps of the tour, and stories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import aklo
from aklo.lab.compute import bounds, runs
from aklo.lab.settings.presets import READINGS
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import bound_number, percent


@dataclass(frozen=True)
class Scene:
    """A state of a page that shows something.

    Attributes
    ----------
    name : in the address; the steps of the tour are called by their numbers.
    page : the stem of the page.
    title : a few words.
    settings : the state.
    notice, hint : return what to notice and what to try, with numbers computed from the settings.
    """

    name: str
    page: str
    title: str
    settings: Settings
    notice: Callable[[Settings], str]
    hint: Callable[[Settings], str]


def mistakes(settings: Settings) -> dict[str, int]:
    """Return the mistakes of each method in the whole stream."""
    wrong = runs.run(settings).wrong
    return dict(zip(aklo.METHODS, wrong.sum(axis=1).astype(int).tolist(), strict=True))


def task_mistakes(settings: Settings, first: int | None = None) -> dict[str, int]:
    """Return the mistakes of each method in the settings' task, or in its first examples."""
    replay = runs.replay(settings)
    return {method: int(replay.errors[method][:first].sum()) for method in aklo.METHODS}


def weight_on_own_group(settings: Settings, t: int) -> float:
    """Return AKLO's weight on the experts of the task's own group before example t (from 1)."""
    groups, replay = np.array(runs.stream(settings).task_groups), runs.replay(settings)
    return float(replay.weights[t - 1, groups[: settings.task] == groups[settings.task]].sum())


def first_run_of_mistakes(settings: Settings) -> int:
    """Return how many of the task's first examples AKLO Sum gets wrong one after another."""
    errors = runs.replay(settings).errors["AKLO Sum"]
    return len(errors) if errors.all() else int(np.argmin(errors))


def best_line(settings: Settings) -> float:
    """Return the share of the stream's examples that the best single line through the origin gets wrong."""
    stream = runs.stream(settings)
    return aklo.best_line(stream.X, stream.y) / len(stream.y)


# ------------------------------------------------------------------------------------------------------- the tour

_START = Settings()
_CONFLICT = _START.change(dataset="conflict")


def _one_task(s: Settings) -> str:
    made = task_mistakes(s)
    return (
        f"each example is predicted before its label is shown. Over the {s.n_examples} examples of this task AKLO Sum "
        f"makes {made['AKLO Sum']} mistakes; ITOL, a new learner that asks nobody, makes {made['ITOL']}."
    )


def _weights(s: Settings) -> str:
    now, then = weight_on_own_group(s, 1), weight_on_own_group(s, s.step)
    return (
        f"at step 1 all {s.task} experts weigh the same, and those of the task's own group hold {percent(now, 0)} of "
        f"the weight. At step {s.step} they hold {percent(then, 0)}: experts that were wrong have lost theirs."
    )


def _alpha(s: Settings) -> str:
    low = mistakes(s.change(alpha="linear:end=0"))["AKLO Sum"]
    return (
        f"α is the experts' share of the vote, and falls from 1 to ½ within a task. So AKLO Sum makes "
        f"{mistakes(s)['AKLO Sum']} mistakes in the stream; if α falls to 0, it makes {low}."
    )


def _race(s: Settings) -> str:
    made = mistakes(s)
    n = s.n_tasks * s.n_examples
    return f"of {n} predictions AKLO Sum gets {made['AKLO Sum']} wrong, TOL {made['TOL']}, ITOL {made['ITOL']}."


def _printed(s: Settings) -> str:
    made = mistakes(s.change(**READINGS["as printed"]))
    order = "more" if made["AKLO Sum"] > made["TOL"] else "fewer"
    return (
        f"switch Reading to “as printed”, the paper's equations to the letter: AKLO Sum then makes {made['AKLO Sum']} "
        f"mistakes, {order} than TOL with {made['TOL']}."
    )


def _transfer(s: Settings) -> str:
    gains = aklo.gains(runs.run(s).task_errors)
    hurt = {method: int((gains[i] < 0).sum()) for i, method in enumerate(aklo.METHODS)}
    return (
        f"two groups of tasks with rules at an angle of {s.angle:.0f}°. Earlier tasks hurt Unif Sample, which trusts "
        f"all experts alike, in {hurt['Unif Sample']} of {s.n_tasks} tasks, AKLO Sum in {hurt['AKLO Sum']}."
    )


TOUR = (
    Scene("1", "watch", "One task, example by example", _START, _one_task,
          lambda s: "press Play. Then choose ITOL under “Method shown”, and play again."),
    Scene("2", "watch", "Weights find the experts that fit", _START.change(step=31), _weights,
          lambda s: "drag Time back to 1, and point at a band to see that expert's line in the plane."),
    Scene("3", "alpha", "Alpha: how long to ask the experts", _START, _alpha,
          lambda s: "drag the right end of the curve up and down, and watch the number of mistakes."),
    Scene("4", "compare", "All six methods, all tasks", _START, _race, _printed),
    Scene("5", "transfer", "When earlier tasks hurt", _CONFLICT, _transfer,
          lambda s: "drag Angle to 0° and to 180°, then click a bar below to watch that task."),
)  # fmt: skip


# ------------------------------------------------------------------------------------------------------- the stories


def _wrong_friend(s: Settings) -> str:
    first = first_run_of_mistakes(s)
    return (
        f"task {s.task} is the first of its group: its rule is the opposite of all {s.task} experts'. AKLO Sum trusts "
        f"them and gets the first {first} examples wrong; ITOL gets {task_mistakes(s, first)['ITOL']} of these wrong."
    )


def _wrong_friend_try(s: Settings) -> str:
    other = task_mistakes(s.change(**READINGS["as tabulated"]))["AKLO Sum"]
    return (
        f"press Play: as α falls to 0 the learner takes over, and AKLO Sum ends with {task_mistakes(s)['AKLO Sum']} "
        f"mistakes. With Reading “as tabulated”, where α stays at ½ or above, it makes {other}."
    )


def _friends(s: Settings) -> str:
    made, first = task_mistakes(s), weight_on_own_group(s, 1)
    return (
        f"{percent(1 - first, 0)} of the experts have the opposite rule. Before the first example "
        f"{percent(first, 0)} of the weight lies on experts of the task's own group, after ten examples "
        f"{percent(weight_on_own_group(s, 11), 0)}. AKLO Sum makes {made['AKLO Sum']} mistakes, ITOL {made['ITOL']}, "
        f"TOL {made['TOL']}."
    )


def _helps(s: Settings) -> str:
    made = task_mistakes(s)
    return (
        f"experts of earlier tasks already know nearly the same rule. AKLO Sum makes {made['AKLO Sum']} mistakes in "
        f"{s.n_examples} examples; ITOL, which learns the task from nothing, makes {made['ITOL']}."
    )


def _tol(s: Settings) -> str:
    made, n = mistakes(s), s.n_tasks * s.n_examples
    tol, aklo_sum = (percent(made[method] / n) for method in ("TOL", "AKLO Sum"))
    return (
        f"as printed, TOL errs least, in {tol} of the examples, AKLO Sum in {aklo_sum}. TOL is one line through the "
        f"origin for both groups; the best fixed line errs in {percent(best_line(s))}. TOL does better because it is "
        "not fixed: it moves with every task."
    )


def _tol_try(s: Settings) -> str:
    made = mistakes(s.change(dataset="conflict"))
    n = s.n_tasks * s.n_examples
    return (
        f"choose the dataset conflict, whose groups label the same points differently: there moving is not enough. TOL "
        f"errs in {percent(made['TOL'] / n)}, AKLO Sum in {percent(made['AKLO Sum'] / n)}."
    )


def _liar(s: Settings) -> str:
    counts, bound = bounds.liars(s), bounds.case(s)
    total = bound.bound(bound.replay()).total
    return (
        f"two experts, one always right, one always wrong with scores {10**s.loudness:,} times as large. Clipped after "
        f"the sum, the loud one drowns the other: {counts['sum']} mistakes of {s.liar_n}, though Theorem 1 allows "
        f"{bound_number(total)}. Clipped on each expert: {counts['advice']}."
    )


STORIES = (
    Scene("wrong-friend", "watch", "The wrong friend",
          _CONFLICT.change(angle=180.0, task=4, **READINGS["as printed"]), _wrong_friend, _wrong_friend_try),
    Scene("finding-friends", "watch", "AKLO finds its friends",
          _CONFLICT.change(angle=180.0, task=30, step=11), _friends,
          lambda s: "drag Time, and watch the weights: which experts keep theirs?"),
    Scene("knowledge-helps", "watch", "Knowledge that helps", _START.change(task=18), _helps,
          lambda s: "press Play, and compare the lines of AKLO Sum and ITOL in the race."),
    Scene("tol-wins", "compare", "When TOL wins, and why", _START.change(**READINGS["as printed"]), _tol, _tol_try),
    Scene("loud-liar", "theory", "The loud liar",
          _START.change(theory_part="Counterexamples", case="A loud liar"), _liar,
          lambda s: "turn B down to 0 zeros, or change Clip to “each expert”, and play again."),
)  # fmt: skip

SCENES = {scene.name: scene for scene in (*TOUR, *STORIES)}
