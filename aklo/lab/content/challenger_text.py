"""What makes One pool better or worse than AKLO Sum: its faster weights, or the alpha that it learns."""

from __future__ import annotations

import math

import aklo
from aklo.lab.content.ranking import digits_of_interval
from aklo.lab.settings.text import points

START, CONTROL, POOL = "AKLO Sum", "AKLO, rate 1/2", "One pool"
NO_CONTROL = (
    "**What does it?** One pool has faster weights than AKLO Sum, and it learns α. Choose the challenger "
    f"*{CONTROL}* as well: it has the faster weights alone, and tells the two apart."
)


def what_does_it(repeats: aklo.Repeats, clip: aklo.Clip) -> str:
    """Return sentences on the two steps from AKLO Sum to One pool, or "" if One pool is not among the methods.

    AKLO, rate 1/2 stands between the two: it has One pool's weights and the schedule's alpha. So the first step is what
    the faster weights change (and the clip on each expert, if AKLO Sum has it after the sum), the second what learning
    alpha changes. Both are paired differences, and are tested together.

    Parameters
    ----------
    repeats
        Repetitions of the methods, or a single run of them.
    clip
        The clip of AKLO Sum.
    """
    if POOL not in repeats.methods:
        return ""
    if CONTROL not in repeats.methods:
        return NO_CONTROL
    steps = _only(repeats, START, CONTROL, POOL)
    faster = "faster weights" if clip == "advice" else "faster weights and the clip on each expert"
    text = (
        f"**What does it?** From AKLO Sum to {CONTROL}, which has {faster}, the error changes by "
        f"{_change(steps, START)}; from there to One pool, which learns α as well, by {_change(steps, POOL)}."
    )
    return " ".join(filter(None, (text, _conclusion(steps, faster), _against_nobody(repeats))))


def _only(repeats: aklo.Repeats, *methods: str) -> aklo.Repeats:
    """Return the repetitions of some of the methods."""
    rows = [repeats.methods.index(method) for method in methods]
    return aklo.Repeats(repeats.task_errors[:, rows], methods)


def _step(steps: aklo.Repeats, method: str) -> tuple[float, float, float, bool]:
    """Return what a step changes, in shares, its 95 % interval, and whether it is more than chance.

    It leads from AKLO Sum to the control, or from the control to One pool.
    """
    mean, low, high = steps.against(CONTROL).loc[method]
    sure = bool(steps.p_values(CONTROL).loc[method, "corrected"] < 0.05)
    return (-mean, -high, -low, sure) if method == START else (mean, low, high, sure)


def _change(steps: aklo.Repeats, method: str) -> str:
    """Return a step in words, such as '−3.3 points (95 % interval −4.0 to −2.6: more than chance)'."""
    change, low, high, sure = _step(steps, method)
    if math.isnan(low):
        return f"{points(change)} points"
    digits = digits_of_interval(low, high, sure)
    return (
        f"{points(change, digits)} points (95\N{NO-BREAK SPACE}% interval {points(low, digits)} to "
        f"{points(high, digits)}: {'more than chance' if sure else 'could be chance'})"
    )


def _conclusion(steps: aklo.Repeats, faster: str) -> str:
    """Return a sentence on the larger of the two steps. faster: the first one in words."""
    if len(steps.shares) == 1:
        return "One stream can be chance: repetitions tell."
    (first, _, _, first_sure), (second, _, _, second_sure) = (_step(steps, method) for method in (START, POOL))
    sure = first_sure if first < second else second_sure
    if first + second >= 0 or not sure:
        return "Together they do not make One pool better by more than chance here."
    mostly = "mostly " if max(first, second) < 0 else ""
    return f"So it is {mostly}{f'the {faster} that do' if first < second else 'the learnt α that does'} it here."


def _against_nobody(repeats: aklo.Repeats) -> str:
    """Return a sentence where asking by a schedule does harm: what learning alpha is good for; "" elsewhere."""
    found = _only(repeats, "ITOL", CONTROL, POOL)
    _, control, pool = found.gaps("ITOL")[0].tolist()
    if not (control > 0 and found.p_values("ITOL").loc[CONTROL, "corrected"] < 0.05):
        return ""
    return (
        f"Knowledge is of little use here: against ITOL, which asks nobody, {CONTROL} with the schedule's α has "
        f"{points(control)} points, One pool {points(pool)}. That is what learning α is good for: nobody has to know "
        "beforehand how far to trust the experts."
    )
