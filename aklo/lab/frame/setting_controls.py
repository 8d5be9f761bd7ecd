"""The controls of a setting, made from the setting's row in the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field as DataclassField
from dataclasses import fields, replace
from typing import Any

from aklo.lab.components.controls import Choice, Control, Pills, Segments, Slider, Switch, WholeNumber
from aklo.lab.session import state, uploads, visible_controls
from aklo.lab.session.state import Drag
from aklo.lab.settings.field import OWN, Field, challengers
from aklo.lab.settings.presets import PRESETS, READINGS, apply_preset, preset_of, reading_of
from aklo.lab.settings.schema import FIELDS, Settings, waiting_sentence
from aklo.lab.settings.text import parameter_name
from aklo.schedules import SCHEDULES, Schedule

# A value -> its name for a person, where it would say nothing itself.
NAMES = {
    "sum": "after the sum", "advice": "each expert", OWN: "your own tasks",
    1: "+1", -1: "−1",
}  # fmt: skip
READING = "reading"  # the switch between the two readings, which are values of two settings
ROOM, PADDING = 30, 3  # letters that fit into one row of the sidebar, and those that a segment's margins take


def setting_controls(name: str, settings: Settings) -> list[Control]:
    """Return the controls of a setting, or of `READING`: none where a link has hidden them or nothing can be chosen.

    The page offers them, so that a link can hide them.
    """
    of = ("alpha", "clip") if name == READING else (name,)
    visible_controls.offer(*of)
    if not all(map(visible_controls.is_shown, of)):
        return []
    if name == READING:
        return [_reading(settings)]
    field, value = FIELDS[name], getattr(settings, name)
    about: dict[str, Any] = {"name": f"setting_{name}", "label": field.label, "help": field.help}
    if field.kind == "schedule":
        return _schedule(settings, about)
    if field.kind == "flag":
        return [Switch(**about, value=value, on_move=_change(name))]
    if field.kind == "challengers":
        return [_challengers(settings, about)]
    if name == "seed":
        return [WholeNumber(**about, value=value, on_move=_change(name), low=int(field.low), high=int(field.high))]
    if field.kind in ("whole", "real"):
        return _number(name, field, settings)
    if isinstance(value, float):
        choices = list(field.choices)
        words = [f"{number:g}" for number in choices]
        move = _change(name, choices)
        return [Slider(**about, value=choices.index(value), on_move=move, low=0, high=len(words) - 1, words=words)]
    return [_choice(name, field, settings, about)]


def preset(settings: Settings) -> Control:
    """Return the list of presets."""
    names, current = list(PRESETS), preset_of(settings)
    return Choice(
        name="preset", label="Preset", help="A known starting point. Everything can be changed afterwards.",
        value=None if current is None else names.index(current), options=names, placeholder="Your own mix",
        on_move=lambda chosen, drag: state.replace(apply_preset(names[chosen], state.settings()), drag),
    )  # fmt: skip


def _change(name: str, choices: list | None = None) -> Callable[[Any, Drag], None]:
    """Return a function that changes a setting to a value, or to the choice of that number."""

    def change(value: Any, drag: Drag) -> None:
        state.change(drag, **{name: value if choices is None else choices[value]})

    return change


def _number(name: str, field: Field, settings: Settings) -> list[Control]:
    """A slider for a setting that is a number; none where there is nothing to choose."""
    high = field.highs.get(settings.dataset, field.high)
    high = settings.n_tasks - 1 if name == "task" else uploads.high(name, settings, high)
    if high <= field.low:
        return []
    value, whole = getattr(settings, name), field.kind == "whole"
    return [_slider(
        f"setting_{name}", field.label, value, field.low, high, field.step, whole=whole, help=field.help,
        on_move=_change(name),
    )]  # fmt: skip


def _slider(
    name: str, label: str, value: float, low: float, high: float, step: float, *, whole: bool, help: str,
    on_move: Callable[[float, Drag], None],
) -> Slider:  # fmt: skip
    """A slider whose range and decimals are such that it shows the value as it is."""
    decimals = 0 if whole else max(_decimals(step), _decimals(value))
    low, high = min(low, value), max(high, value)
    between = abs((value - low) / step - round((value - low) / step)) > 1e-9
    return Slider(
        name=name, label=label, value=value, low=low, high=high, step=10.0**-decimals if between else step,
        decimals=decimals, help=help, on_move=on_move,
    )  # fmt: skip


def _decimals(number: float) -> int:
    """How many decimals a number needs, four at most: 2 for 0.05."""
    return len(f"{number:.4f}".rstrip("0").partition(".")[2])


def _choice(name: str, field: Field, settings: Settings, about: dict[str, Any]) -> Control:
    """Segments, or a list where they would not fit into a row."""
    choices = [word for word in field.choices or settings.methods if word != OWN or uploads.own()]
    options = [NAMES.get(choice, str(choice)) for choice in choices]
    about |= {"value": choices.index(getattr(settings, name)), "options": options, "on_move": _change(name, choices)}
    if name == "horizon" and settings.alpha_waits:
        about["note"] = waiting_sentence(settings)
    if field.heading or sum(len(option) + PADDING for option in options) <= ROOM:
        return Segments(**about, unlabelled=field.heading)
    return Choice(**about)


def _challengers(settings: Settings, about: dict[str, Any]) -> Control:
    names = challengers()

    def choose(numbers: tuple[int, ...], drag: Drag) -> None:
        state.change(drag, challengers=tuple(names[number] for number in numbers))

    chosen = tuple(names.index(name) for name in settings.challengers)
    return Pills(**about, value=chosen, options=names, on_move=choose)


def _reading(settings: Settings) -> Control:
    """The switch between the two readings of the paper. With another schedule or clip neither is chosen."""
    names, current = list(READINGS)[::-1], reading_of(settings)

    def choose(chosen: int, drag: Drag) -> None:
        state.change(drag, **READINGS[names[chosen]], horizon="known")  # which both need for their schedule

    return Segments(
        name=READING, label="Reading", options=names, value=None if current is None else names.index(current),
        help="The paper's equations and its table do not agree, so there are two readings. As tabulated: each "
        "expert is clipped and α falls to ½, which comes near the paper's table. As printed: the sum is clipped "
        "and α falls to 0, which is what the equations say. Both know the number of examples N.",
        on_move=choose,
    )  # fmt: skip


def _schedule(settings: Settings, about: dict[str, Any]) -> list[Control]:
    """The kind of alpha's schedule, and a slider for each of its parameters."""
    schedule = settings.schedule
    kinds = [kind for kind in SCHEDULES.values() if not settings.waits(kind)]
    kind = Choice(
        **about, value=kinds.index(type(schedule)), options=[kind.__name__ for kind in kinds],
        on_move=lambda chosen, drag: state.change(drag, alpha=kinds[chosen]().spec),
    )  # fmt: skip
    own = [field for field in fields(schedule) if field.metadata and not isinstance(field.default, tuple)]
    return [kind, *(_parameter(schedule, field) for field in own)]


def _parameter(schedule: Schedule, field: DataclassField) -> Slider:
    value, about = float(getattr(schedule, field.name)), field.metadata
    whole = isinstance(field.default, int) and value.is_integer()
    value = int(value) if whole else value  # a slider takes one kind of number, and a link holds 30 as 30.0
    step = 1 if whole else (0.01 if about["high"] <= 1 else 0.05 if about["high"] <= 5 else 0.5)
    label = parameter_name(field.name)
    label = label[0].upper() + label[1:]

    def report(value: float, drag: Drag) -> None:
        now = state.settings().schedule  # another of its parameters may have been set in the same moment
        changed = replace(now if type(now) is type(schedule) else schedule, **{field.name: value})
        state.change(drag, alpha=changed.spec)

    name, low, high = f"alpha_{type(schedule).__name__}_{field.name}", about["low"], about["high"]
    return _slider(name, label, value, low, high, step, whole=whole, help=about["help"], on_move=report)
