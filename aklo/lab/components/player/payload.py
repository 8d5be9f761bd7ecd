"""Packs a replay into the block of bytes from which the player draws a task.

A linear classifier w is sent as an affine function of the plane, (c0, c1, c2) with score = c0 + c1 u1 + c2 u2: in the
plane itself that is w; for d > 2 it is w on the slice through the data's mean along the first two principal components.
The weights of a large task are rounded, which affects the drawing only; numbers that are shown as text are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from aklo import learner
from aklo.lab.components.player.view import PlayerOptions, PlayerView, TaskContext
from aklo.lab.components.rules import about_rules
from aklo.lab.compute.block import write_block
from aklo.lab.compute.plane import Plane, plane_of
from aklo.methods import KNOWING, SAMPLING
from aklo.regrets import CLASSIFIER, best_classifier, best_expert, usual_radius
from aklo.replay import Replay
from aklo.rules import Rule, rules_of
from aklo.tasks import Features

EXACT_BYTES = 256_000  # weights up to here go as float32; above, as 16 bits of each row's largest weight
NOBODY = 65535  # the index that is sent where no expert was drawn


def affine_path(
    X: Features, y: np.ndarray, trace: learner.Trace, replay: Replay, plane: Plane, before: Any
) -> np.ndarray:
    """Return a learner's (c0, c1, c2) before each of N examples and after the last, (N + 1, 3).

    The updates are linear in the examples, so they are made in these three numbers, whatever d is.

    before: the classifier before the task and the number of its steps.
    """
    v, steps = before
    basis = plane.basis
    return learner.path(
        np.vstack([X @ basis, np.zeros(3)]),  # an additional step, whose example is not used
        np.append(y, 1.0),
        np.append(trace.added, False),
        replay.lam,
        before=(v @ basis, steps),
    )


def knowledge_advice(replay: Replay) -> np.ndarray:
    """Return O_t of the methods in KNOWING, (4, N); NaN where the knowledge base is not used (alpha_t = 0).

    It is computed from the confidence, which is (1 - alpha) c + alpha O with the learner's confidence c.
    """
    alpha, own = replay.alpha, replay.confidence["ITOL"]
    asked = (alpha > 1e-9) & (len(replay.experts) > 0)
    said = np.stack([replay.confidence[m] for m in KNOWING]) - (1.0 - alpha) * own
    return np.divide(said, alpha, out=np.full(said.shape, np.nan), where=asked)


def knowledge_words(replay: Replay, rule: Rule) -> np.ndarray:
    """Return (N,), the mean of the advice of all members but the learner, by the rule's weights; NaN if alpha_t = 0."""
    shares = replay.method_weights[rule.name]
    said = np.vecdot(shares, replay.advice) + (1 - shares.sum(axis=1)) * rule.joint * replay.confidence["TOL"]
    return np.where(replay.method_alpha[rule.name] > 1e-9, said, np.nan)


def pack(
    replay: Replay,
    *,
    task: TaskContext = TaskContext(),  # noqa: B008 (they are frozen)
    options: PlayerOptions = PlayerOptions(),  # noqa: B008
    view: PlayerView = PlayerView(),  # noqa: B008
    revision: int = 0,
    report: bool = False,
    can_choose_task: bool = False,
    mix: bytes | None = None,
    heard: int | None = None,
    live: bool = False,
    more: Mapping[str, Any] | None = None,
) -> bytes:
    """Return the player's data as one block.

    Parameters
    ----------
    view, revision : the view and its number (session/control_keys.py); they are not part of the digest.
    report : whether the browser reports the visitor's view.
    can_choose_task : whether the player may ask for any task of the stream.
    mix : what the browser needs to mix the task itself (compute/mix_data.py), so that alpha can be dragged.
    heard : the number of the last move that Python has heard.
    live : whether Python wants to hear of a drag before its end.
    more : further fields of the header, for a component that uses the player's panels; they replace fields of the
        same name.
    """
    N, T = len(replay), len(replay.experts)
    for label, given in (("groups", task.groups), ("names", task.names)):
        if given is not None and len(given) != T:
            raise ValueError(f"{len(given)} {label} were given for {T} experts.")
    plane = plane_of(replay.X)
    experts = replay.experts @ plane.basis
    arrays: dict[str, np.ndarray] = {
        "learner": affine_path(replay.X, replay.y, replay.own, replay, plane, (np.zeros(replay.X.shape[1]), 0)),
        "joint": affine_path(replay.X, replay.y, replay.joint, replay, plane, replay.before),
        "experts": experts,
        "alpha": replay.alpha,
        "points": plane.U.astype(np.float32),
        "own": replay.confidence["ITOL"].astype(np.float32),
        "tol": replay.confidence["TOL"].astype(np.float32),
        "words": knowledge_advice(replay).astype(np.float32),
        "drawn": np.stack([np.where(replay.drawn[m] < 0, NOBODY, replay.drawn[m]) for m in SAMPLING]).astype(np.uint16),
        "labels": replay.y.astype(np.int8),
        "errors": np.stack(list(replay.errors.values())).astype(np.uint8),
    }
    if T and replay.clip == "sum":
        # Under this clip the weighted sum is itself a linear function. Scores can be in the tens of thousands, so it is
        # computed before the weights are rounded.
        arrays["mixed"] = replay.weights @ experts
    arrays |= _rounded_weights(replay.weights)
    rules = rules_of(replay.methods)
    if rules:
        arrays["ruleAlpha"] = np.stack([replay.method_alpha[rule.name] for rule in rules])
        arrays["ruleValues"] = np.stack([replay.confidence[rule.name] for rule in rules]).astype(np.float32)
        arrays["ruleWords"] = np.stack([knowledge_words(replay, rule) for rule in rules]).astype(np.float32)
        found = _rounded_weights(np.concatenate([replay.method_weights[rule.name] for rule in rules]))
        arrays |= {f"rule{name.capitalize()}": values for name, values in found.items()}
    wrong = _competitor_errors(replay, options.competitor)
    if wrong is not None:
        arrays["best"] = wrong.astype(np.uint8)
    if mix is not None:
        arrays["mix"] = np.frombuffer(mix, np.uint8)
    header = {
        "n": N,
        "T": T,
        "d": int(replay.X.shape[1]),
        "methods": list(replay.methods),
        "rules": about_rules(replay.methods),
        "competitor": options.competitor,
        "clip": replay.clip,
        "horizon": replay.horizon,
        "schedule": replay.schedule.spec,
        "title": task.title,
        "task": task.number,
        "nTasks": task.n_tasks,
        "group": None if task.group is None else int(task.group),
        "groups": None if task.groups is None else [int(group) for group in task.groups],
        "names": [f"task {i}" for i in range(T)] if task.names is None else list(task.names),
        "groupNames": None if task.group_names is None else list(task.group_names),
        "follow": options.follow,
        "small": options.small,
        "autoplay": options.autoplay,
        "canChooseTask": can_choose_task,
        "axes": plane.axes,
        "caption": plane.caption,
        "box": plane.box,
    }
    chosen = {
        "about": options.about or None,
        "promise": None if options.promise is None else float(options.promise),
        "guess": options.guess,
        "lines": None if options.lines is None else list(options.lines),
    }
    header |= {name: value for name, value in chosen.items() if value is not None}
    beside = {
        "view": asdict(view),
        "revision": revision,
        "report": report,
        "chooseMethod": options.choose_method,
        "linkKeys": dict(options.link_keys),
        "heard": heard,
        "live": live,
    }
    return write_block(header | dict(more or {}), arrays, beside=beside)


def _competitor_errors(replay: Replay, competitor: str) -> np.ndarray | None:
    """Return (N,), where the competitor of the regret is wrong; None if there is none."""
    if competitor == CLASSIFIER:
        wrong = best_classifier(replay.X, replay.y, R=usual_radius(replay.lam))
        return None if np.isnan(wrong).any() else wrong
    return best_expert(replay.advice, replay.y) if len(replay.experts) else None


def _rounded_weights(weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return the weights (N, T) as float32 or, where that is too large, as 16-bit fractions of each row's largest."""
    if weights.size * 4 <= EXACT_BYTES:
        return {"weights": weights.astype(np.float32)}
    largest = np.maximum(weights.max(axis=1), 1e-300)  # a rule may give no expert any weight
    return {
        "weights": np.rint(weights / largest[:, None] * 65535).astype(np.uint16),
        "scale": largest.astype(np.float32),
    }
