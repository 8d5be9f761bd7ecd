"""One pool's bound: on every small case there is, against an adversary, and on the tasks that break the paper's."""

from itertools import product

import numpy as np
import pytest

import aklo
from aklo.knowledge import build_slab
from aklo.rules import Pool
from aklo.theory.pool import MEMBER, PRICE

from .test_bounds import adversary

RULE = aklo.RULES["One pool"]


def slack(advice, y):
    """(G,), the bound minus the mistakes on G tasks at a time: advice (N, G, 1 + T), the learner first; y (N, G)."""
    T = advice.shape[2] - 1
    G = y.shape[1]

    def write(g, out):
        out[:] = advice[:, g, 1:]

    slab = build_slab(y, write, n_experts=np.full(G, T))
    mistakes = RULE.mistakes(Pool(slab, y, advice[:, :, :1])).sum(axis=0)
    prior = np.array([0.5] + [0.5 / T] * T)
    losses = ((advice - y[:, :, None]) ** 2).sum(axis=0)
    return (losses + 2 * np.log(1 / prior)).min(axis=1) - mistakes


@pytest.mark.parametrize(
    ("N", "T", "levels"),
    [(1, 1, 9), (1, 3, 5), (2, 1, 9), (2, 2, 5), (3, 1, 5), (4, 1, 3), (3, 2, 3)],
)
def test_bound_holds_on_every_small_case(N, T, levels):
    """All labels, and all advice of the learner and T experts on a grid of [-1, 1]."""
    values = np.linspace(-1, 1, levels)
    rows = [np.array(row) for row in product(values, repeat=1 + T)]
    choices = [(row, label) for row in rows for label in (1.0, -1.0)]
    picks = np.array(list(product(range(len(choices)), repeat=N)))  # (G, N)
    advice = np.stack([row for row, _ in choices])[picks].swapaxes(0, 1)
    y = np.array([label for _, label in choices])[picks].T
    least = np.inf
    for part in np.array_split(np.arange(len(picks)), max(1, len(picks) // 20_000)):
        least = min(least, slack(advice[:, part], y[:, part]).min())
    assert least >= -1e-9
    assert least < 1.5, "the grid has cases near the bound"


@pytest.mark.parametrize("seed", range(3))
def test_bound_survives_an_adversarial_search(seed):
    """Advice and labels are changed at random wherever this brings the mistakes nearer to the bound."""
    rng = np.random.default_rng(seed)
    reached = np.inf
    for N, T in ((2, 1), (5, 1), (8, 2), (15, 3), (40, 5)):
        advice = rng.uniform(-1, 1, (N, 200, 1 + T)) * rng.choice([0.0, 0.3, 1.0], (N, 200, 1))
        y = rng.choice([-1.0, 1.0], (N, 200))
        best = slack(advice, y)
        for step in range(300):
            size = 0.5 ** (step // 60)
            tried = np.clip(advice + size * rng.normal(size=advice.shape) * (rng.random(advice.shape) < 0.3), -1, 1)
            labels = np.where(rng.random(y.shape) < 0.05, -y, y)
            found = slack(tried, labels)
            better = found < best
            advice[:, better], y[:, better], best = tried[:, better], labels[:, better], np.minimum(found, best)
        assert best.min() >= -1e-9, (N, T)
        reached = min(reached, best.min())
    assert reached < 1.4, "the search comes near: it is no weak one"


@pytest.mark.parametrize("best", [0, 1])
def test_no_smaller_price_would_do(best):
    """An adversary that makes One pool wrong at every step comes as near to the bound as one likes, and stays below it.

    Labels are -1. The member `best`, the learner or an expert, says a little less than 0, and the other one just so
    much more than 0 that the vote is a tie, which is predicted +1. The smaller the steps, the smaller the slack.
    """
    slacks = []
    for size, N in ((0.2, 60), (0.05, 300), (0.01, 2000)):
        advice, odds = np.empty((N, 1, 2)), 1.0  # of the other member against the best one
        for t in range(N):
            low = size * odds * (1 - size**2)
            advice[t, 0, best], advice[t, 0, 1 - best] = -low, size
            odds *= np.exp(((1 - low) ** 2 - (1 + size) ** 2) / 2)
        [found] = slack(advice, -np.ones((N, 1)))
        slacks.append(found)
    assert 0 <= slacks[2] < slacks[1] < slacks[0] < 2 * np.log(2) and slacks[2] < 0.03


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_bound_is_attained_without_experts(label):
    """One member, whose prior is 1, says 0: with the label -1 that is a mistake, which costs just its loss of 1."""
    replay = aklo.play([[0.0]], [label], lam=1.0, methods=["One pool"])
    assert aklo.pool_bound(replay).total == 1 and replay.errors["One pool"].sum() == (label < 0)


def test_bound_holds_on_whole_tasks_meant_to_hurt():
    """Through the public names, learner and all, with TOL as well, and labels that answer the opposite."""
    rng = np.random.default_rng(0)
    for k in range(500):
        X, y, W, *_ = adversary(rng)
        for method in ("One pool", "One pool with TOL"):
            if k % 50 == 0 and len(y) <= 20:
                for t in range(len(y)):
                    said = aklo.play(X[: t + 1], y[: t + 1], experts=W, lam=1.0, methods=[method]).confidence[method][t]
                    y[t] = -1.0 if said >= 0 else 1.0
            bound = aklo.pool_bound(aklo.play(X, y, experts=W, lam=1.0, methods=[method]), method=method)
            assert bound.applies and not bound.broken


def test_bound_has_a_column_for_the_member_and_one_for_its_price():
    rng = np.random.default_rng(2)
    X, y, W = rng.normal(size=(30, 2)), rng.choice([-1, 1], 30), rng.normal(size=(3, 2))
    for methods in (["One pool"], ["ITOL"]):  # asked for or not
        replay = aklo.play(X, y, experts=W, lam=0.5, methods=methods)
        bound = aklo.pool_bound(replay)
        own = np.clip(replay.own.score, -1, 1)
        totals = [((own - y) ** 2).sum() + 2 * np.log(2)]
        totals += [((replay.advice[:, i] - y) ** 2).sum() + 2 * np.log(6) for i in range(3)]
        assert bound.total == pytest.approx(min(totals)) and bound.numbers["member"] == int(np.argmin(totals))
        assert list(bound.terms.columns) == [MEMBER, PRICE] and len(bound.terms) == 30
        assert bound.terms[PRICE].nunique() == 1
        full = aklo.play(X, y, experts=W, lam=0.5, methods=["One pool"])
        assert bound.mistakes[-1] == full.errors["One pool"].sum()


def test_bound_without_experts_is_the_learners_loss():
    replay = aklo.play([[1.0], [2.0], [-1.0]], [1, -1, 1], lam=1.0)
    for method in ("One pool", "One pool with TOL"):
        bound = aklo.pool_bound(replay, method=method)
        assert bound.total == pytest.approx(((np.clip(replay.own.score, -1, 1) - replay.y) ** 2).sum())
        assert bound.mistakes[-1] == replay.errors["ITOL"].sum() and not bound.broken
    with pytest.raises(ValueError, match="Fixed share"):
        aklo.pool_bound(replay, method="Fixed share")


def test_bound_says_far_less_than_theorem_1_on_syn1():
    """About 30 mistakes of 100, where Theorem 1 allows more than there are examples."""
    run = aklo.run(
        aklo.syn1(seed=0), lam=1e-3, alpha=aklo.Linear(0.5), clip="advice", methods=(*aklo.METHODS, "One pool")
    )
    replays = [run.replay(k) for k in range(30, 50)]
    ours = np.mean([aklo.pool_bound(replay).total for replay in replays])
    printed = np.mean([aklo.theorem1(replay, R=0.5).total for replay in replays])
    assert ours < 40 and printed > 100
