"""What a prediction rule is: weights on the members of a pool. Defining a class registers it in `RULES`.

>>> class Halves(Rule):
...     name = "Halves"
...     about = "The learner and the experts' mean in equal parts."
...
...     def weights(self, pool):
...         return pool.prior + 0 * pool.losses
>>> list(RULES)[-1]
'Halves'
>>> del RULES["Halves"], STROKES["Halves"]
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, ClassVar

import numpy as np

from aklo.knowledge import weighted_mean
from aklo.rules.pool import Pool
from aklo.styles import SPARE, STROKES, Stroke

METHODS = ("ITOL", "TOL", "Unif Sample", "Unif Sum", "AKLO Sample", "AKLO Sum")  # the paper's, in its order
RULES: dict[str, Method] = {}  # all methods by name: the paper's six, then every Rule in the order of definition


class Method:
    """A method by its name, with what a table, a legend and a glossary say about it.

    The paper's six are plain methods: they share weights and draws, so `aklo.methods` computes them together. All
    others are a `Rule`.
    """

    name: ClassVar[str] = ""
    about: ClassVar[str] = ""
    sets_alpha: ClassVar[bool] = False
    stroke: ClassVar[Stroke | None] = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__dict__.get("name"):  # a class without a name of its own is a base of others
            register(cls())

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Rule(Method):
    """A prediction rule: what weight each member of a pool has before each example.

    The pool of a task is the learner and the T experts, and TOL's learner as well if the rule asks for it. A subclass
    has a `name` and a method `weights`; defining it is enough for `aklo.mix`, replays, repetitions, sweeps and the
    command line to find it. In a task without experts a rule is not asked: the learner predicts alone.

    Attributes
    ----------
    name
        Name of the method, in tables and legends.
    about
        One sentence that says what it does.
    sets_alpha
        Whether the rule decides itself how much it trusts the knowledge base. It then gets no schedule, and what it
        predicts depends on no setting but lambda. The alpha to show is 1 - p_t(learner).
    joint
        Whether TOL's learner is a member of the pool.
    votes
        Whether it predicts the y with the larger sum_i p_t(i) exp(-(a_t(i) - y)^2 / 2), and not the sign of the
        weighted mean of the advice; a picture of where it would say +1 follows from this and the weights.
    stroke
        Colour and dash; one of `aklo.styles.SPARE` by default.
    """

    sets_alpha: ClassVar[bool] = True
    joint: ClassVar[bool] = False
    votes: ClassVar[bool] = False

    def weights(self, pool: Pool) -> np.ndarray:
        """Return the weights p_t(i) >= 0 of the pool's members, (N, G, M), not necessarily normalised.

        G tasks of N examples are computed at a time; the members are the last axis, with the learner first. Row t may
        use what was seen before example t only: `pool.losses`, or rows of `pool.loss` and `pool.y` above its own. A
        member that does not exist has the prior 0, and must get the weight 0.
        """
        raise NotImplementedError(f"{self.name} has no method `weights`, which every rule needs.")

    def confidence(self, pool: Pool) -> np.ndarray:
        """Return (N, G), the values whose signs are the predictions: by default the weighted mean of the advice."""
        weights = self.weights(pool)
        if weights.shape != pool.shape:
            raise ValueError(f"The weights of {self.name} have shape {weights.shape}, where {pool.shape} is needed.")
        total = weights.sum(axis=-1)
        if not (weights.min() >= 0 and total.min() > 0 and total.max() < np.inf):  # and not so for NaN
            raise ValueError(
                f"The weights of {self.name} must be finite, at least 0, and not all 0 for an example: the least is "
                f"{weights.min():g}, the least sum {total.min():g}."
            )
        return weighted_mean(weights, pool.advice, total)

    def mistakes(self, pool: Pool) -> np.ndarray:
        """Return (N, G), True where the sign of the confidence is not the label; a rule may find it with less work."""
        return (self.confidence(pool) >= 0) != (pool.y > 0)


def register(method: Method) -> None:
    """Add a method to `RULES`, or replace the one of the same name; the paper's six cannot be replaced."""
    name = method.name
    if not isinstance(name, str) or not name.isprintable() or name != name.strip():
        raise ValueError(f"The name of a rule is {name!r}, where one line of text is needed.")
    if name in METHODS and name in RULES:
        raise ValueError(f"{name} is one of the paper's six methods: give the rule another name.")
    if method.stroke is not None:
        STROKES[name] = method.stroke
    elif name not in STROKES:
        STROKES[name] = SPARE[sum(stroke in SPARE for stroke in STROKES.values()) % len(SPARE)]
    RULES[name] = method


def adopt(methods: Iterable[Method]) -> tuple[str, ...]:
    """Add methods that another process has registered, and return their names."""
    found = {method.name: method for method in methods}
    for name, method in found.items():
        RULES.setdefault(name, method)
    return tuple(found)


def checked_methods(methods: Iterable[str]) -> tuple[str, ...]:
    """Return the names of methods as a tuple; raise ValueError if one is not in `RULES`, or if there are none."""
    names = (methods,) if isinstance(methods, str) else tuple(methods)
    for name in names:
        if name not in RULES:
            by_lower = {known.lower(): known for known in RULES}
            alike = get_close_matches(str(name).lower(), by_lower, n=1)
            meant = f" (perhaps {by_lower[alike[0]]!r})" if alike else ""
            raise ValueError(f"{name!r} is not a method{meant}: choose from {'; '.join(RULES)}.")
    if not names:
        raise ValueError("No method was given, where at least one is needed.")
    if len(set(names)) < len(names):
        raise ValueError(f"A method is given twice in {'; '.join(names)}.")
    return names


def rules_of(methods: Iterable[str]) -> list[Rule]:
    """Return those of the methods, given by name, that are a `Rule`."""
    found = [RULES[name] for name in methods]
    return [method for method in found if isinstance(method, Rule)]
