"""The settings: one typed table of everything that a link contains.

Each field of `Settings` has a kind, a range, a default, a label, a help text and a short key for the address. The
widgets, the address, the validation and the cache keys are made from this table. An invalid value in an address is
clamped or dropped with a note, and never raises an error.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aklo.datasets import GENERATORS
from aklo.experiment import READINGS
from aklo.generators import ORDERS
from aklo.knowledge import CLIPS, HORIZONS, Clip, Horizon
from aklo.lab.settings.field import MOST_STEPS, OWN, Field, in_order
from aklo.lab.settings.text import one_line, schedule_title
from aklo.lambda_choice import LAMBDAS
from aklo.regrets import CLASSIFIER, EXPERT
from aklo.rules import METHODS
from aklo.schedules import Power, Schedule
from aklo.theory.bounds import STATEMENTS
from aklo.theory.counterexamples import CASES
from aklo.theory.readings import TIES

VERSION = 2  # of the address format
# Version of an address -> the defaults that were others then. A link leaves out what has its default, so an old link
# means the default of its time.
OLD_DEFAULTS: dict[str, dict[str, Any]] = {"1": {"clip": "sum", "alpha": "linear:end=0", "task": 12}}
TASKS_ON_A_PAGE = 24  # the number of tasks that are shown at a time
STAND_IN = Power(0.5)  # used instead of a schedule that needs the horizon while it is unknown
WAITING = (  # what is said of such a schedule
    "needs the number of examples N, which is unknown here, so it waits for a known horizon; "
    f"{schedule_title(STAND_IN)} is used instead."
)


def _field(default: Any, **about: Any) -> Any:
    return dataclasses.field(default=default, metadata={"field": Field(**about)})


_PLANE = ("syn1", "syn2", "conflict")
_MEAN1 = "Where the examples of D1 lie (of all tasks, in syn2 and conflict)."


# fmt: off
@dataclass(frozen=True)
class Settings:
    """The settings. The dataset comes first, since the defaults and ranges of others depend on it."""

    dataset: str = _field("syn1", key="d", label="Dataset", kind="choice", choices=(*GENERATORS, OWN),
        help="syn1 and syn2 are the paper's; conflict turns one group's labels by an angle; digits are real images. "
        "The first three have two groups of tasks, D1 and D2, each with its own labelling rule.")
    n_tasks: int = _field(50, key="T", label="Tasks", kind="whole", low=1, high=200, defaults={"digits": 20},
        help="How many tasks arrive, one after another.")
    n_examples: int = _field(100, key="N", label="Examples in a task", kind="whole", low=1, high=MOST_STEPS,
        highs={"digits": 340}, help="How many examples each task has; of your own tasks, those with fewer are shown "
        "whole. They arrive one at a time.")
    share: float = _field(0.5, key="sh", label="Share of D2", kind="real", low=0, high=1, step=0.05, datasets=_PLANE,
        help="How many of the tasks belong to the second group, D2; the others belong to D1. The tasks of a group "
        "share nearly the same labelling rule, and no method is told the groups.")
    order: str = _field("shuffled", key="o", label="Order", kind="choice", choices=ORDERS, datasets=_PLANE,
        help="Shuffled at random, all of D1 before D2 (blocks), or evenly mixed (alternating).")
    angle: float = _field(90.0, key="an", label="Angle", kind="real", low=0, high=180, step=5, datasets=("conflict",),
        help="By how many degrees D2's labelling vector is turned from D1's: 0 is the same rule for both "
        "groups, 180 the opposite one.")
    spread: float = _field(1.0, key="sp", label="Spread", kind="real", low=0.1, high=5, step=0.1, datasets=_PLANE,
        help="The standard deviation of the examples around their mean.")
    sd: float = _field(0.001, key="e", label="Wobble of the labelling", kind="real", low=0, high=0.5, step=0.001,
        datasets=_PLANE, help="The standard deviation of e, which is added to each task's labelling vector. "
        "The paper has 0.001.")
    mean1_x: float = _field(10.0, key="ax", label="D1 mean, x₁", kind="real", low=-30, high=30, step=0.5,
        datasets=_PLANE, defaults={"conflict": 0.0}, help=_MEAN1)
    mean1_y: float = _field(10.0, key="ay", label="D1 mean, x₂", kind="real", low=-30, high=30, step=0.5,
        datasets=_PLANE, defaults={"conflict": 0.0}, help=_MEAN1)
    mean2_x: float = _field(20.0, key="bx", label="D2 mean, x₁", kind="real", low=-30, high=30, step=0.5,
        datasets=("syn1",), help="Where the examples of D2 lie.")
    mean2_y: float = _field(5.0, key="by", label="D2 mean, x₂", kind="real", low=-30, high=30, step=0.5,
        datasets=("syn1",), help="Where the examples of D2 lie.")
    vector1_x: float = _field(-1.0, key="vx", label="D1 vector, a₁", kind="real", low=-2, high=2, step=0.05,
        datasets=_PLANE, help="D1 labels x by sign(a·x). This is a's first number, before the wobble.")
    vector1_y: float = _field(1.0, key="vy", label="D1 vector, a₂", kind="real", low=-2, high=2, step=0.05,
        datasets=_PLANE, help="D1 labels x by sign(a·x). This is a's second number, before the wobble.")
    vector2_x: float = _field(-0.25, key="wx", label="D2 vector, a₁", kind="real", low=-2, high=2, step=0.05,
        datasets=("syn1",), help="D2 labels x by sign(a·x). This is a's first number, before the wobble.")
    vector2_y: float = _field(1.0, key="wy", label="D2 vector, a₂", kind="real", low=-2, high=2, step=0.05,
        datasets=("syn1",), help="D2 labels x by sign(a·x). This is a's second number, before the wobble.")
    seed: int = _field(0, key="s", label="Seed", kind="whole", low=0, high=9999,
        help="The number that random choices start from: another seed gives other examples, another order and other "
        "draws; the same seed gives the same picture.")
    lam: float = _field(0.001, key="l", label="Lambda", kind="choice", choices=LAMBDAS,
        defaults={"conflict": 0.1, "digits": 0.1, OWN: 0.1},
        help="λ, the learner's regularisation: its step at time t is 1/(λt). A small λ means large steps, a large λ "
        "small ones.")
    clip: Clip = _field("advice", key="c", label="Clip", kind="choice", choices=CLIPS,
        help="To clip a score is to cut it to [-1, 1]. After the sum: the experts' scores are averaged first, as the "
        "paper prints it. Each expert: every score is cut before the average, so that none counts for more than 1.")
    horizon: Horizon = _field("known", key="h", label="Horizon", kind="choice", choices=HORIZONS,
        help="Whether the number N of examples in a task is known when it begins. If it is not, the experts' weights "
        "start anew at t = 1, 2, 4, 8, … (the doubling trick).")
    alpha: str = _field("linear:end=0.5", key="a", label="Alpha schedule", kind="schedule",
        help="α is the experts' share of the vote: 1 means that the experts alone decide, 0 that the learner alone "
        "does. The schedule says how α falls within a task.")
    task: int = _field(14, key="t", label="Task", kind="whole", low=0, high=199, preset=False,
        help="Which task of the stream to look at. Tasks count from 0, so task k has k experts.")
    challengers: tuple[str, ...] = _field((), key="ch", label="Challengers", kind="challengers", preset=False,
        help="Rules beside the paper's six, to compare them with. One pool, which is ours, makes the learner one more "
        "expert and learns α. AKLO, rate 1/2 is AKLO Sum with One pool's faster weights, and the schedule's α.")
    method: str = _field("AKLO Sum", key="m", label="Method", kind="method", preset=False,
        help="Whose prediction is shown.")
    repetitions: int = _field(10, key="R", label="Repetitions", kind="whole", low=1, high=50, preset=False,
        help="How many times to repeat on fresh data, or on your own in another order, for means and bands.")
    follow: bool = _field(False, key="fo", label="Play the whole stream", kind="flag", preset=False,
        help="When a task ends, its learner joins the knowledge base as a new expert, and the next task begins.")
    expected: bool = _field(False, key="ex", label="Expected error without sampling noise", kind="flag", preset=False,
        help="Unif Sample and AKLO Sample draw one expert at each step. Switched on, their lines show the errors to be "
        "expected instead of those of one draw: in the race, in the map and in the last task.")
    step: int = _field(1, key="i", label="Step", kind="whole", low=1, high=1000, preset=False, position=True,
        help="The step t of the task that the player shows.")
    told: bool = _field(True, key="b", label="Label told", kind="flag", preset=False, position=True,
        help="Whether the label of the step has been told, where one guesses before the label.")
    wide: bool = _field(False, key="w", label="Wide view", kind="flag", preset=False,
        help="Whether the plane is shown from further away, with the origin in it.")
    guess: bool = _field(False, key="g", label="Guess before the label", kind="flag", preset=False,
        help="Takes each step in two: first the question and the prediction, then the label.")
    regret: bool = _field(False, key="rg", label="Regret in the race", kind="flag", preset=False,
        help="Whether the player's race shows the regret, against the best expert or the best classifier, and not the "
        "mistakes.")
    case_step: int = _field(1, key="ci", label="Step of the counterexample", kind="whole", low=1, high=30_000,
        preset=False, position=True, help="The step t of the counterexample that the player shows.")
    reference: str = _field("ITOL", key="cw", label="Compare with", kind="choice", preset=False,
        choices=("ITOL", "the best"), help="ITOL learns every task from nothing: a method with fewer mistakes gains by "
        "earlier tasks. Or compare with the best method.")
    tasks_page: int = _field(1, key="tp", label="Page of tasks", kind="whole", low=1, high=9, preset=False,
        help="Which of the tasks are pictured, some at a time.")
    figure_reading: str = _field("as tabulated", key="fr", label="Reading", kind="choice", preset=False,
        choices=tuple(READINGS), help="Which reading the six panels show. The tables above have both.")
    raced: int = _field(0, key="at", label="Race up to", kind="whole", low=0, high=200, preset=False, position=True,
        help="After how many tasks the race stands; 0 is the whole race.")
    kept: str = _field("linear:end=0;linear:end=0.5;exponential:half_life=20;step:at=30", key="k", label="Compared",
        kind="schedules", preset=False, help="The schedules that are kept for comparison.")
    race_part: str = _field("After each task", key="pr", label="Look closer", kind="choice", preset=False,
        heading=True, choices=("After each task", "Task by task", "The last task", "Regret"),
        help="The error after each task with bands over repetitions, the map of method × task, the last task alone, or "
        "the mistakes beyond those of the best in hindsight.")
    competitor: str = _field(EXPERT, key="rc", label="Against", kind="choice", preset=False,
        choices=(EXPERT, CLASSIFIER), help="Regret is measured against the expert that makes the fewest mistakes in a "
        "task, or against the one linear classifier that fits the task best; both are known only afterwards.")
    alpha_part: str = _field("In numbers", key="pa", label="What it does", kind="choice", preset=False,
        heading=True, choices=("In numbers", "How low, how fast?"),
        help="The schedules of the picture as a table, or a map of how low and how fast alpha falls.")
    tasks_part: str = _field("Task by task", key="pt", label="Look closer", kind="choice", preset=False,
        heading=True, choices=("Task by task", "What the seed changes", "In numbers"),
        help="A picture of each task, the same stream with other seeds, or a table.")
    theory_part: str = _field("On your task", key="po", label="Part of the page", kind="choice", preset=False,
        heading=True, choices=("On your task", "Counterexamples", "Bounds that hold"),
        renamed={"On your stream": "On your task", "The broken promise": "Counterexamples",
                 "The mended promise": "Bounds that hold"},
        help="The paper's bounds on a task of yours, data that breaks them, or two rules whose bounds hold.")
    teachers_part: str = _field("Plan", key="pp", label="Part of the page", kind="choice", preset=False,
        heading=True, choices=("Plan", "Misconceptions", "Worksheets", "Running it"),
        help="A plan for fifty minutes, what students often believe and why it is wrong, worksheets to print, or how "
        "a class gets to the lab.")
    answer_key: bool = _field(False, key="wk", label="With answer key", kind="flag", preset=False,
        help="Adds a second page for the teacher: the answer, and the numbers behind it, computed for this seed.")
    statement: str = _field("Theorem 1", key="st", label="Statement", kind="choice", preset=False, choices=STATEMENTS,
        help="Theorem 1: N is known. Theorem 2: it is not. Corollary 1: alpha stays high to the end. Corollary 2: one "
        "expert is drawn at each step, and the bound holds with probability 1 − δ only.")
    radius: float = _field(0.5, key="r", label="R, the ball's size", kind="real", low=0.05, high=20, step=0.05,
        preset=False, help="The bounds compare with the best classifier of norm R or less, and ask learner and experts "
        "to stay below it too. A larger R has a better one, but learning it costs more.")
    delta: float = _field(0.05, key="de", label="δ, the risk", kind="real", low=0.01, high=0.99, step=0.01,
        preset=False, help="Corollary 2 may fail with probability δ. A smaller risk makes the bound larger.")
    gamma: float = _field(0.5, key="ga", label="γ, the learner's share", kind="real", low=0.01, high=0.99, step=0.01,
        preset=False, help="Corollary 1 charges the learner's part as a share γ of the experts'. A smaller share asks "
        "for an alpha that stays closer to 1.")
    stated_rate: bool = _field(False, key="sl", label="Lambda as the statement wants", kind="flag", preset=False,
        help="The bounds speak of one lambda, which follows from X, R and N. Switched on, this page uses it in the "
        "place of the setting.")
    case: str = _field("A loud liar", key="ca", label="Counterexample", kind="choice", preset=False,
        choices=tuple(CASES), help="Data that breaks a bound of the paper. The table says which one, and under which "
        "readings of the paper.")
    loudness: int = _field(6, key="lb", label="B, the zeros after the 1", kind="whole", low=0, high=6, preset=False,
        help="The second expert is (−B, 0): always wrong, with scores B times as large as the first one's. 6 zeros are "
        "a B of 1,000,000.")
    liar_n: int = _field(100, key="ln", label="N, the examples", kind="whole", low=1, high=1000, preset=False,
        help="How many examples the task with the liar has.")
    stretch_n: int = _field(1000, key="sn", label="N, the examples", kind="whole", low=100, high=30_000, step=100,
        preset=False, help="How many examples the last stretch has in all. The more there are, the further the "
        "mistakes are above the bound.")
    case_clip: Clip = _field("sum", key="lc", label="Clip", kind="choice", choices=CLIPS, preset=False,
        help="After the sum, as the paper prints it, or on each expert's advice before it is summed.")
    zero_sign: int = _field(1, key="zs", label="Sign of 0", kind="choice", choices=(1, -1), preset=False,
        help="What is predicted where the mixture is exactly 0. The paper does not say; the lab takes +1.")
    ties: str = _field("by sign", key="ti", label="A value of exactly 0", kind="choice", choices=TIES, preset=False,
        help="Whether a prediction from a value of exactly 0 counts as the sign of 0 says, as right, or as half a "
        "mistake.")
    peek: bool = _field(False, key="pk", label="Losses up to t", kind="flag", preset=False,
        help="The paper's text sums the experts' losses up to t, so that the weights would know the label that is to "
        "be predicted; its algorithm cannot. Switched on, they do.")
    mended_on: str = _field("Your task", key="me", label="On which data?", kind="choice", preset=False,
        choices=("Your task", *CASES), renamed={"Your stream": "Your task"},
        help="The task of your settings, or one of the counterexamples.")
    # fmt: on

    @property
    def schedule(self) -> Schedule:
        """The schedule that is used: the chosen one, or `STAND_IN` if that needs the unknown horizon."""
        return STAND_IN if self.alpha_waits else Schedule.parse(self.alpha)

    @property
    def alpha_waits(self) -> bool:
        """Whether the chosen schedule needs the horizon while it is unknown."""
        return self.waits(Schedule.parse(self.alpha))

    def waits(self, schedule: Schedule | type[Schedule]) -> bool:
        """Whether a schedule needs the horizon while it is unknown."""
        return self.horizon == "unknown" and schedule.needs_horizon

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that are shown: the paper's six, and the challengers."""
        return (*METHODS, *self.challengers)

    @property
    def kept_schedules(self) -> tuple[str, ...]:
        """The specs of the schedules in the comparison."""
        return () if self.kept == "none" else tuple(self.kept.split(";"))

    def change(self, **values: Any) -> Settings:
        """Return the settings with new values, made consistent.

        Values are clamped to their ranges, and a new dataset sets its own defaults.
        """
        dataset = values.get("dataset", self.dataset)
        if dataset != self.dataset:
            own = {name: default(name, dataset) for name, f in FIELDS.items() if f.defaults}
            others = {name: getattr(self, name) for name, f in FIELDS.items() if not f.position}
            values = others | own | values  # all of them, since each may have another range now
        for name, value in values.items():
            if FIELDS[name].kind in ("whole", "real"):
                values[name] = FIELDS[name].clamp(value, dataset)[0]
        if "challengers" in values:
            values["challengers"] = in_order(values["challengers"])
        changed = dataclasses.replace(self, **values)
        fitted: dict[str, Any] = {}
        if changed.method not in changed.methods:
            fitted["method"] = _DEFAULTS.method
        if changed.task >= changed.n_tasks:
            fitted["task"] = changed.n_tasks - 1
        if changed.tasks_page > -(-changed.n_tasks // TASKS_ON_A_PAGE):
            fitted["tasks_page"] = 1
        other_task = (changed.dataset, fitted.get("task", changed.task)) != (self.dataset, self.task)
        if changed.step > changed.n_examples or (other_task and "step" not in values):
            fitted |= {"step": 1, "told": True}
        if (changed.case, changed.stretch_n) != (self.case, self.stretch_n) and "case_step" not in values:
            fitted["case_step"] = 1
        if not changed.guess:
            fitted["told"] = True
        return dataclasses.replace(changed, **fitted) if fitted else changed

    def address(self) -> dict[str, str]:
        """Return the settings as query parameters: version, dataset, seed, and all values that are not the default."""
        written = {"v": str(VERSION)}
        for name, f in FIELDS.items():
            value = getattr(self, name)
            if self.dataset in f.datasets and (name in ("dataset", "seed") or value != default(name, self.dataset)):
                written[f.key] = f.write(value)
        return written


FIELDS: dict[str, Field] = {f.name: f.metadata["field"] for f in dataclasses.fields(Settings)}
_DEFAULTS = Settings()


def default(name: str, dataset: str, version: str = str(VERSION)) -> Any:
    """Return a setting's default for a dataset, in a version of the address."""
    old = OLD_DEFAULTS.get(version, {})
    return FIELDS[name].defaults.get(dataset, old.get(name, getattr(_DEFAULTS, name)))


def read_address(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return the settings of an address, and a note on each value that was changed or dropped."""
    settings, changes = _read(query)
    notes = [f"{fault}: {instead}." if instead else f"{fault}." for fault, instead in changes]
    if settings.alpha_waits:
        notes.append(waiting_sentence(settings))
    return settings, [one_line(note) for note in notes]


def read_strictly(query: Mapping[str, str]) -> Settings:
    """Return the settings of an address; ValueError with the first value that would have to be changed or dropped."""
    settings, changes = _read(query)
    if changes:
        raise ValueError(one_line(f"{changes[0][0]}."))
    return settings


def _read(query: Mapping[str, str]) -> tuple[Settings, list[tuple[str, str]]]:
    """Return the settings of an address, and for each change what was wrong, and what is used instead or ""."""
    changes: list[tuple[str, str]] = []
    version = query.get("v", str(VERSION))
    if version != str(VERSION) and version not in OLD_DEFAULTS:
        changes.append((f"The link is of version {version[:20]!r}, the lab of {VERSION}", "some of it may differ"))
    dataset = _DEFAULTS.dataset
    values: dict[str, Any] = {}
    for name, f in FIELDS.items():
        if f.key not in query or dataset not in f.datasets:
            values[name] = default(name, dataset, version)
            continue
        value, fault = f.read(query[f.key], dataset)
        values[name] = default(name, dataset, version) if value is None else value
        if fault:
            changes.append((fault, _instead(f, value, values[name])))
        if name == "dataset":
            dataset = values[name]
    asked = dataclasses.replace(_DEFAULTS, **values)
    settings = asked.change()
    if settings.task != asked.task and FIELDS["task"].key in query:
        changes.append((f"Task {asked.task} does not exist in this stream", f"task {settings.task} is shown instead"))
    if settings.method != asked.method:
        fault = f"{asked.method} is not among the challengers of this link"
        changes.append((fault, f"{settings.method} is shown instead"))
    return settings, changes


def _instead(field: Field, read: Any, used: Any) -> str:
    """Return what is used instead of a value. read: what could be read of it, None for nothing."""
    if field.kind in ("schedules", "challengers"):
        return "those of the lab are used instead" if read is None else ""  # else the others of the list are used
    return f"{field.write(used)} is used instead"


def waiting_sentence(settings: Settings) -> str:
    """Return a sentence on a schedule that needs the unknown horizon, and on its replacement."""
    return f"{schedule_title(Schedule.parse(settings.alpha))} {WAITING}"


# Section of the sidebar -> its settings. Each page lists its sections.
SECTIONS = {
    "Stream": ("dataset", "n_tasks", "n_examples", "share", "order", "angle", "seed"),
    "Generator": (
        *("spread", "sd", "mean1_x", "mean1_y", "mean2_x", "mean2_y"),
        *("vector1_x", "vector1_y", "vector2_x", "vector2_y"),
    ),
    "Learner": ("lam",),
    "Alpha": ("alpha",),
    "Knowledge": ("clip", "horizon"),
    "View": ("task", "method"),
    "Repetitions": ("repetitions",),
    "Methods": ("challengers",),
}
