"""Alpha schedules: the weight of the knowledge base at each step, 0 <= alpha_{t+1} <= alpha_t <= 1.

A schedule is a frozen dataclass. Defining it registers it in `SCHEDULES`, where the command line, the lab and the tests
find it. Its fields are its parameters, each with a range and a help text.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np
from scipy.special import log_expit

SCHEDULES: dict[str, type[Schedule]] = {}
_ROUNDING = 1e-12  # tolerance for values that should not rise or leave [0, 1]


def parameter(default: Any, low: float, high: float, help: str, *, log: bool = False) -> Any:
    """Declare a field of a schedule with the range and the help text that an interface shows."""
    return field(default=default, metadata={"low": low, "high": high, "help": help, "log": log})


@dataclass(frozen=True)
class Schedule:
    """Base class of all schedules: a subclass defines `alpha(t, n)`, and `values` validates it.

    >>> Linear().values(4).tolist()
    [1.0, 0.75, 0.5, 0.25]
    >>> Schedule.parse("linear:end=0.5")
    Linear(end=0.5)
    """

    needs_horizon: ClassVar[bool] = False
    formula: ClassVar[str] = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        SCHEDULES[cls.__name__.lower()] = cls

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        """Return alpha at t, (n,); n is the horizon N, which only schedules with `needs_horizon` may use."""
        raise NotImplementedError

    def values(self, n: int) -> np.ndarray:
        """Return alpha_1..alpha_n, (n,); raise ValueError if it rises or leaves [0, 1]."""
        if n < 1:
            raise ValueError(f"A schedule has at least one step, and {n} were asked for.")
        with np.errstate(all="ignore"):  # the checks below report bad parameters
            alpha = np.broadcast_to(self.alpha(np.arange(1.0, n + 1), n), n).astype(float)
        outside = ~((alpha >= -_ROUNDING) & (alpha <= 1 + _ROUNDING))
        if outside.any():
            t = int(np.argmax(outside))
            raise ValueError(f"{self} gives alpha = {alpha[t]:g} at t = {t + 1}, which is outside [0, 1].")
        rises = np.diff(alpha) > _ROUNDING
        if rises.any():
            t = int(np.argmax(rises))
            raise ValueError(
                f"{self} rises from {alpha[t]:g} to {alpha[t + 1]:g} at t = {t + 2}, where alpha may only fall."
            )
        return np.minimum.accumulate(np.clip(alpha, 0.0, 1.0))

    def validate(self, most: int) -> None:
        """Raise ValueError unless `values(n)` is a schedule for every n up to `most`, all parameters being finite."""
        for f in fields(self):
            value = getattr(self, f.name)
            if not np.isfinite(value).all():
                raise ValueError(f"{self} is not a schedule: {f.name} must be finite.")
        # Without a horizon the steps of a shorter task are the first ones of a longer.
        for n in {1, 2, 50, most} if self.needs_horizon else {most}:
            self.values(n)

    @property
    def spec(self) -> str:
        """The schedule as text for addresses, tables and the command line; the inverse of `parse`."""
        given = ",".join(f"{f.name}={_format(getattr(self, f.name))}" for f in fields(self))
        return type(self).__name__.lower() + (f":{given}" if given else "")

    @staticmethod
    def parse(text: str) -> Schedule:
        """Parse text such as 'linear', 'linear:end=0.5' or 'custom:points=1/0.8/0.5'."""
        name, _, given = text.strip().partition(":")
        if name.lower() not in SCHEDULES:
            raise ValueError(f"{name!r} is not a schedule: choose from {', '.join(SCHEDULES)}.")
        kind = SCHEDULES[name.lower()]
        known = {f.name: f for f in fields(kind)}
        values: dict[str, Any] = {}
        for part in filter(None, given.split(",")):
            key, equals, value = part.partition("=")
            if not equals and len(known) == 1:
                key, value = next(iter(known)), key
            if key.strip() not in known:
                raise ValueError(
                    f"{kind.__name__} has no parameter {key.strip()!r}: it has {', '.join(known) or 'none'}."
                )
            try:
                numbers = tuple(float(number) for number in value.split("/"))
            except ValueError:
                raise ValueError(f"{kind.__name__}'s {key.strip()} is {value!r}, which is not a number.") from None
            if key.strip() in values:
                hint = ": several numbers are written as in custom:points=1/0.8/0.5" if "points" in known else ""
                raise ValueError(f"{kind.__name__}'s {key.strip()} is given twice in {text.strip()!r}{hint}.")
            one = isinstance(known[key.strip()].default, (int, float))
            if one and len(numbers) > 1:
                raise ValueError(f"{kind.__name__}'s {key.strip()} is {value!r}, where one number is needed.")
            values[key.strip()] = numbers[0] if one else numbers
        return kind(**values)


def as_schedule(alpha: Schedule | str | None, default: Schedule | None = None) -> Schedule:
    """Return a schedule that was given as itself, as its text (see `Schedule.parse`), or not at all.

    default: what is used if alpha is None, Linear() unless it is given.

    >>> as_schedule("linear:end=0.5"), as_schedule(None), as_schedule(Power(1))
    (Linear(end=0.5), Linear(end=0.0), Power(k=1))
    """
    if isinstance(alpha, str):
        return Schedule.parse(alpha)
    if alpha is None:
        return Linear() if default is None else default
    if not isinstance(alpha, Schedule):
        raise ValueError(f"alpha is {alpha!r}, where a schedule is needed: Linear() or 'linear', for example.")
    return alpha


def _format(value: Any) -> str:
    """Format a number or a tuple of numbers, equal values alike: 0, 0.0 and False are all '0'."""
    return "/".join(map(_format, value)) if isinstance(value, tuple) else repr(float(value)).removesuffix(".0")


def check(condition: bool, schedule: Schedule, rule: str) -> None:
    """Raise ValueError, stating the rule, if a parameter of a schedule is invalid."""
    if not condition:
        raise ValueError(f"{schedule} is not a schedule: {rule}.")


@dataclass(frozen=True)
class Linear(Schedule):
    """alpha_t = 1 - (1 - end)(t - 1)/N: the paper's schedule for end = 0. Needs the horizon.

    >>> Linear(end=0.5).values(2).tolist()
    [1.0, 0.75]
    """

    needs_horizon: ClassVar[bool] = True
    formula: ClassVar[str] = r"\alpha_t = 1 - (1 - \mathrm{end})\,\frac{t - 1}{N}"
    end: float = parameter(0.0, 0.0, 1.0, "The value that alpha falls towards at the end of the task.")

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        return 1 - (1 - self.end) * (t - 1) / n


@dataclass(frozen=True)
class Cosine(Schedule):
    """alpha_t = (1 + cos(pi (t - 1)/N)) / 2. Needs the horizon."""

    needs_horizon: ClassVar[bool] = True
    formula: ClassVar[str] = r"\alpha_t = \tfrac12\left(1 + \cos\frac{\pi (t - 1)}{N}\right)"

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        return (1 + np.cos(np.pi * (t - 1) / n)) / 2


@dataclass(frozen=True)
class Custom(Schedule):
    """Linear interpolation of `points`, spread evenly from t = 1 to t = N. Needs the horizon.

    >>> Custom([1, 0.5, 0]).values(5).tolist()
    [1.0, 0.75, 0.5, 0.25, 0.0]
    """

    needs_horizon: ClassVar[bool] = True
    formula: ClassVar[str] = r"\alpha_t = \text{straight lines through the points}"
    points: tuple[float, ...] = parameter((1.0, 0.5, 0.0), 0.0, 1.0, "The heights that the curve passes through.")

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(float(p) for p in self.points))

    def validate(self, most: int) -> None:
        """Raise ValueError unless the points are in [0, 1] and never rise: then no line between them does."""
        super().validate(most)
        self.values(max(len(self.points), 1))  # at this length, the points themselves

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(len(self.points) > 0, self, "it needs at least one point")
        where = np.linspace(0, 1, n) if n > 1 else np.zeros(1)
        return np.interp(where, np.linspace(0, 1, len(self.points)), self.points)


@dataclass(frozen=True)
class Constant(Schedule):
    """alpha_t = value: 1 for the knowledge base alone, 0 for the learner alone.

    >>> Constant(0.3).values(2).tolist()
    [0.3, 0.3]
    """

    formula: ClassVar[str] = r"\alpha_t = \mathrm{value}"
    value: float = parameter(1.0, 0.0, 1.0, "Alpha at every step: 1 is knowledge alone, 0 the learner alone.")

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        return np.full_like(t, self.value)


@dataclass(frozen=True)
class Exponential(Schedule):
    """alpha_t = 2^(-(t - 1)/half_life)."""

    formula: ClassVar[str] = r"\alpha_t = 2^{-(t - 1)/\mathrm{half\_life}}"
    half_life: float = parameter(20.0, 0.5, 1000.0, "After this many steps alpha has halved.", log=True)

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(self.half_life > 0, self, "the half-life must be above 0")
        return np.exp2(-(t - 1) / self.half_life)


@dataclass(frozen=True)
class Power(Schedule):
    """alpha_t = t^(-k).

    >>> Power(0.5).values(4).tolist()[-1]
    0.5
    """

    formula: ClassVar[str] = r"\alpha_t = t^{-k}"
    k: float = parameter(0.5, 0.0, 3.0, "How fast alpha falls: 0 never, 1 like 1/t.")

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(self.k >= 0, self, "k must be 0 or more")
        return t ** -float(self.k)


@dataclass(frozen=True)
class Step(Schedule):
    """alpha_t = 1 while t <= at, then 0.

    >>> Step(at=2).values(3).tolist()
    [1.0, 1.0, 0.0]
    """

    formula: ClassVar[str] = r"\alpha_t = 1 \text{ while } t \le \mathrm{at}, \text{ then } 0"
    at: int = parameter(30, 0, 1000, "The last step at which knowledge is trusted.")

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(not np.isnan(self.at), self, "at must be a number")
        return (t <= self.at).astype(float)


@dataclass(frozen=True)
class Ramp(Schedule):
    """alpha_t = 1 - (1 - end) min(t - 1, steps)/steps: linear down to `end` in `steps` steps, then constant.

    With steps = N it equals Linear(end), but it does not need the horizon.

    >>> Ramp(end=0.5, steps=2).values(4).tolist()
    [1.0, 0.75, 0.5, 0.5]
    """

    formula: ClassVar[str] = r"\alpha_t = 1 - (1 - \mathrm{end})\,\frac{\min(t - 1,\, \mathrm{steps})}{\mathrm{steps}}"
    end: float = parameter(0.5, 0.0, 1.0, "The value that alpha falls to, and then keeps.")
    steps: int = parameter(50, 1, 1000, "After this many steps alpha has fallen all the way.")

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(self.steps > 0, self, "steps must be above 0")
        return 1 - (1 - self.end) * np.minimum(t - 1, self.steps) / self.steps


@dataclass(frozen=True)
class Logistic(Schedule):
    """alpha_t = s((middle - t)/width) / s((middle - 1)/width), s the logistic function."""

    formula: ClassVar[str] = (
        r"\alpha_t = \sigma\!\left(\tfrac{\mathrm{middle} - t}{\mathrm{width}}\right)"
        r" / \sigma\!\left(\tfrac{\mathrm{middle} - 1}{\mathrm{width}}\right)"
    )
    middle: float = parameter(50.0, 1.0, 1000.0, "The step around which trust is handed over.")
    width: float = parameter(10.0, 0.5, 300.0, "How gently it is handed over.", log=True)

    def alpha(self, t: np.ndarray, n: int) -> np.ndarray:
        check(self.width > 0, self, "the width must be above 0")
        # In logarithms, so that a middle far below 1 does not give 0 / 0.
        return np.exp(log_expit((self.middle - t) / self.width) - log_expit((self.middle - 1) / self.width))
