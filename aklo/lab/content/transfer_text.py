"""Sentences on gain and harm by earlier tasks: where each method begins to hurt, and who does best."""

from __future__ import annotations

import math

import aklo
from aklo.lab.compute.mistakes import gain
from aklo.lab.compute.transfer_map import Cells
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import joined, percent, points
from aklo.transfer import Place
from aklo.wording import count


def where_it_hurts(found: dict[str, aklo.Onset]) -> str:
    """Return a sentence on the angles from which on the methods do worse than ITOL, the first to do so first."""
    hurt = sorted((onset.angle, method) for method, onset in found.items() if not math.isnan(onset.angle))
    safe = [f"**{method}**" for method, onset in found.items() if math.isnan(onset.angle)]
    if not hurt:
        return "Knowledge of earlier tasks hurts none of the methods here: at every angle none is worse than ITOL."
    sentence = f"Knowledge begins to hurt {joined([_onset(method, found[method]) for _, method in hurt])}"
    return sentence + (f"; {joined(safe)} {'is' if len(safe) == 1 else 'are'} never worse than ITOL." if safe else ".")


def _onset(method: str, onset: aklo.Onset) -> str:
    if onset.angle == 0:
        return f"**{method}** from 0° on"
    low, high = (f"{end:.0f}" for end in (onset.low, onset.high))
    interval = f" ({low}–{high}°)" if "nan" not in (low, high) else " (at some angles it could be chance)"
    one_run = math.isnan(onset.low) and math.isnan(onset.high)
    return f"**{method}** at {onset.angle:.0f}°{'' if one_run else interval}"


def on_this_stream(run: aklo.Run, method: str) -> str:
    """Return a sentence on one stream: how often a method is wrong (the best one in the place of ITOL), and ITOL."""
    table = aklo.Transfer.of(run.task_errors[None], run.methods).table
    chosen = table["mean"].drop("ITOL").idxmax() if method == "ITOL" else method
    return (
        f"On this stream **{chosen}** is wrong in {percent(run.ace[chosen])} of a task's examples on average; ITOL, "
        f"which learns every task from nothing, in {percent(run.ace['ITOL'])}. In "
        f"{gain(run, chosen).hurt} of {count(len(run.task_errors[0]), 'task')} {chosen} is the worse of the two."
    )


def verdict(found: aklo.Transfer, settings: Settings) -> str:
    """Return two sentences on the best and the worst method at the settings' angle and share."""
    table = found.table.drop("ITOL")
    best, worst = table["mean"].idxmax(), table["mean"].idxmin()
    gain, hurt = table["mean"], table["negative"]
    return (
        f"At {place_name((settings.angle, settings.share))}, **{best}** does best: its gain over learning each task "
        f"from nothing is {points(gain[best])} points, and it is harmed in {percent(hurt[best], 0)} of the tasks. "
        f"**{worst}** does worst: {points(gain[worst])} points, harmed in {percent(hurt[worst], 0)}."
    )


def ends(cells: Cells) -> str:
    """Return the gains of all methods at the first and the last place, for the chart's description."""
    places = list(cells)
    sentences = []
    for place in (places[0], places[-1]):
        gain = cells[place].table["mean"].drop("ITOL")
        listed = ", ".join(f"{method} {points(value)}" for method, value in gain.items())
        sentences.append(f"At {place[0]:g}°: {listed}.")
    return " ".join(sentences)


def place_name(place: Place) -> str:
    """Return an angle and a share as text."""
    return f"{place[0]:g}° with {100 * place[1]:g}\N{NO-BREAK SPACE}% of the tasks in D2"
