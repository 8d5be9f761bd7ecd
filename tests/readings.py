"""The counter-examples under every reading, literally: one example at a time, and the statements written out."""

import math
from dataclasses import dataclass

import numpy as np

import aklo

from . import reference


@dataclass
class Options:
    """The reading: as printed, unless an option says otherwise."""

    clip: str = "sum"
    zero: int = 1
    ties: str = "by sign"
    peek: bool = False
    weighted: bool = False
    project: bool = False
    base: float = math.e


TRIED = {
    "clip after the sum": Options(),
    "clip on each expert": Options(clip="advice"),
    "sign(0) is −1": Options(zero=-1),
    "a tie is right": Options(ties="right"),
    "a tie is half a mistake": Options(ties="half"),
    "losses up to t": Options(peek=True),
    "w* of the weighted loss": Options(weighted=True),
    "learner projected to the ball": Options(project=True),
    "logarithms to base 2": Options(base=2.0),
}


def measure(case, options):
    """The mistakes and the bound of a case under a reading."""
    N, T = len(case.y), len(case.experts)
    alphas = case.alpha.values(N).tolist()
    known = case.horizon == "known"
    log = lambda z: math.log(z) / math.log(options.base)  # noqa: E731
    norm, R = case.X_max, case.R
    lam = (norm + R) / R * (math.sqrt((log(N) + 1) / N) if known else 1.0)

    def rate(total):
        return math.sqrt(log(T) / (8 * total)) if T > 1 and total > 0 else 0.0

    w, L, eps = np.zeros(case.X.shape[1]), [0.0] * T, rate(sum(alphas))
    mistakes, advice_of = 0.0, []
    scores_of = (case.X @ case.experts.T).tolist()
    for t in range(1, N + 1):
        x, y, alpha, scores = case.X[t - 1], case.y[t - 1], alphas[t - 1], scores_of[t - 1]
        if not known and t & (t - 1) == 0:
            L, eps = [0.0] * T, rate(sum(alphas[:t]))
        advice = [reference.cut(score) for score in scores]
        advice_of.append(advice)
        e = [(a - y) ** 2 for a in advice]
        p = reference.trust([L_i + e_i for L_i, e_i in zip(L, e, strict=True)] if options.peek else L, eps)
        summed = options.clip == "sum"
        word = reference.cut(reference.weighted(p, scores)) if summed else reference.weighted(p, advice)
        value = (1 - alpha) * reference.cut(float(w @ x)) + alpha * word
        if value == 0 and options.ties != "by sign":
            mistakes += 0.5 if options.ties == "half" else 0.0
        else:
            mistakes += (value > 0 or (value == 0 and options.zero > 0)) != (y > 0)
        L = [L_i + e_i for L_i, e_i in zip(L, e, strict=True)]
        w = reference.step(w, x, y, lam, t)
        if options.project:
            w = w * min(1.0, R / max(np.linalg.norm(w), 1e-300))

    alpha = np.array(alphas)
    e = (np.array(advice_of) - case.y[:, None]) ** 2
    tied = [i for i in range(T) if e[:, i].sum() <= e.sum(axis=0).min() + 1e-12]
    expert = max(float(alpha @ e[:, i]) for i in tied)  # the dearest of the best
    best = aklo.best_in_ball(case.X, case.y, R=R, weights=1 - alpha if options.weighted else None)
    assert best.accurate
    S, rest = alpha.sum(), (1 - alpha).sum()
    finding = 4 * math.sqrt(2 * log(T) * S)
    if case.gamma is not None:
        return mistakes, (1 + case.gamma) * (expert + finding)
    total = expert + float((1 - alpha) @ best.losses)
    if known:
        total += finding + R * (norm + R) * math.sqrt((log(N) + 1) / N) * rest
    else:
        total += log(N) * finding + R * (norm + R) * rest
    if case.delta is not None:
        total += math.sqrt(8 * log(1 / case.delta) * (alpha**2).sum())
    return mistakes, total
