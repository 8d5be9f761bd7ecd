"""AKLO: accumulating knowledge for lifelong online learning, after Shui, Hedhli and Gagné.

The core of AKLO Lab, usable from a notebook:

>>> import aklo
>>> stream = aklo.syn1(n_tasks=3, n_examples=5, seed=0)
>>> run = aklo.run(stream, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="advice", seed=0)
>>> list(run.ace.index) == list(aklo.METHODS)
True
"""

from aklo.datasets import digits, read_any, read_csv, read_landmine, read_parquet, read_shoes, read_spam
from aklo.experiment import READINGS, Reading, Run, mix, run
from aklo.generators import conflict, syn1, syn2
from aklo.knowledge import CLIPS, HORIZONS, Clip, Horizon
from aklo.lambda_choice import LAMBDAS, choose_lambda
from aklo.learned import LearnedStream, learn
from aklo.methods import METHODS, SAMPLING
from aklo.paper.tables import paper_table
from aklo.readers.collection import Collection
from aklo.regrets import Regret, regret
from aklo.repeats import Repeats
from aklo.repetition import repeat
from aklo.replay import Replay, play
from aklo.rules import RULES, Pool, Rule
from aklo.rules.files import load_rules
from aklo.schedules import (
    SCHEDULES,
    Constant,
    Cosine,
    Custom,
    Exponential,
    Linear,
    Logistic,
    Power,
    Ramp,
    Schedule,
    Step,
)
from aklo.sweeps import Cell, grid, sweep
from aklo.tasks import Task, TaskStream
from aklo.theory.bounds import Bound, corollary1, corollary2, experts_half, stated_lambda, theorem1, theorem2
from aklo.theory.counterexamples import CASES, Case, clip_after_sum, last_stretch
from aklo.theory.hindsight import Best, best_in_ball, best_line
from aklo.theory.mended import Mended, mend, price_of_not_knowing
from aklo.theory.pool import pool_bound
from aklo.transfer import Friends, Onset, Transfer, friends, gains, onsets, transfer_map
from aklo.world import World

__version__ = "1.0.0"

__all__ = [
    "CASES",
    "CLIPS",
    "HORIZONS",
    "LAMBDAS",
    "METHODS",
    "READINGS",
    "RULES",
    "SAMPLING",
    "SCHEDULES",
    "Best",
    "Bound",
    "Case",
    "Cell",
    "Clip",
    "Collection",
    "Constant",
    "Cosine",
    "Custom",
    "Exponential",
    "Friends",
    "Horizon",
    "LearnedStream",
    "Linear",
    "Logistic",
    "Mended",
    "Onset",
    "Pool",
    "Power",
    "Ramp",
    "Reading",
    "Regret",
    "Repeats",
    "Replay",
    "Rule",
    "Run",
    "Schedule",
    "Step",
    "Task",
    "TaskStream",
    "Transfer",
    "World",
    "best_in_ball",
    "best_line",
    "choose_lambda",
    "clip_after_sum",
    "conflict",
    "corollary1",
    "corollary2",
    "digits",
    "experts_half",
    "friends",
    "gains",
    "grid",
    "last_stretch",
    "learn",
    "load_rules",
    "mend",
    "mix",
    "onsets",
    "paper_table",
    "play",
    "pool_bound",
    "price_of_not_knowing",
    "read_any",
    "read_csv",
    "read_landmine",
    "read_parquet",
    "read_shoes",
    "read_spam",
    "regret",
    "repeat",
    "run",
    "stated_lambda",
    "sweep",
    "syn1",
    "syn2",
    "theorem1",
    "theorem2",
    "transfer_map",
]
