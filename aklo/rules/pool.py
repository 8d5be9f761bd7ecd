"""The pool that a rule weighs: the learner, TOL's learner if it is admitted, and the experts, with their losses.

The prior pi gives the learner 1/2 and each of the T experts 1/(2T); with TOL's learner, 1/4, 1/4 and 1/(2T).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from aklo.knowledge import SAFE_EXPONENT, Slab, Workspace, unnormalised_weights


class Pool:
    """The members of G tasks of N examples, M for each task: the learner first, the experts last.

    Tasks with fewer experts than others have members that do not exist: prior 0, advice 0.

    Parameters
    ----------
    slab
        Scores and losses of the experts.
    y
        (N, G), the labels.
    learners
        (N, G) each, clipped scores of the learner, and of TOL's if it is a member.
    space
        Memory for arrays of the pool; allocated if None.

    Attributes
    ----------
    alpha
        (N, 1), the schedule; None for a rule that sets its own alpha.
    first_expert
        Index of the first expert among the members.
    """

    def __init__(
        self, slab: Slab, y: np.ndarray, learners: tuple[np.ndarray, ...], space: Workspace | None = None
    ) -> None:
        self.slab, self.y, self.learners = slab, y, learners
        self.alpha: np.ndarray | None = None
        self.first_expert = len(learners)
        self._space = space

    @property
    def shape(self) -> tuple[int, int, int]:
        """(N, G, M)"""
        N, G, K = self.slab.S.shape
        return N, G, self.first_expert + K

    def scratch(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of this shape, not initialised, in memory that the next pool uses again."""
        return np.empty(shape) if self._space is None else self._space.array(f"{name}{self.first_expert}", shape)

    @cached_property
    def prior(self) -> np.ndarray:
        """(G, M), pi; 0 for members that do not exist."""
        prior = np.empty(self.shape[1:])
        prior[:, : self.first_expert] = 0.5 / self.first_expert
        prior[:, self.first_expert :] = 0.5 / self.slab.n_experts[:, None]
        if self.slab.absent is not None:
            prior[:, self.first_expert :][self.slab.absent] = 0.0
        return _read_only(prior)

    @cached_property
    def advice(self) -> np.ndarray:
        """(N, G, M), clipped advice a_t(i)."""
        advice = self.scratch("advice", self.shape)
        for i, score in enumerate(self.learners):
            advice[:, :, i] = score
        self.slab.advice(out=advice[:, :, self.first_expert :])
        return _read_only(advice)

    @cached_property
    def loss(self) -> np.ndarray:
        """(N, G, M), e_t(i) = (a_t(i) - y_t)^2."""
        loss = np.subtract(self.advice, self.y[:, :, None])
        return _read_only(np.square(loss, out=loss))

    @cached_property
    def losses(self) -> np.ndarray:
        """(N, G, M), L_t(i): the sum of e_k(i) over k < t."""
        losses = np.empty(self.shape)
        losses[:, :, : self.first_expert] = self._learner_losses
        losses[:, :, self.first_expert :] = self.slab.L
        return _read_only(losses)

    @cached_property
    def _learner_losses(self) -> np.ndarray:
        """(N, G, learners), L_t of the learners."""
        e = (np.stack(self.learners, axis=-1) - self.y[:, :, None]) ** 2
        return np.concatenate([np.zeros((1, *e.shape[1:])), np.cumsum(e[:-1], axis=0)])

    def exponential_weights(self, rate: float) -> np.ndarray:
        """Return (N, G, M), weights proportional to pi_i exp(-rate L_t(i)), scaled so that the largest are near 1."""
        least = self.losses.min(axis=2, keepdims=True, where=self.prior > 0, initial=np.inf)
        return self.prior * np.exp(-rate * (self.losses - least))

    def parts(self, rate: float) -> Iterator[tuple[np.ndarray, np.ndarray | None, np.ndarray, np.ndarray]]:
        """Yield the learners, and then the experts: the prior of each of them (G,), which do not exist (G, m) or None,
        their losses L_t and their advice (N, G, m).

        They are what `prior`, `losses` and `advice` have, without copies of the experts' large arrays, which would take
        as long as the work on them. The advice may be overwritten, the losses not. From the losses of a long task the
        least is subtracted, so that the largest exp(-rate L) does not underflow.
        """
        own, L, T = self._learner_losses, self.slab.L, self.slab.n_experts
        if rate * 4 * len(self.y) > SAFE_EXPONENT:
            least = self.losses.min(axis=2, keepdims=True, where=self.prior > 0, initial=np.inf)
            own, L = own - least, L - least
        yield np.full(len(T), 0.5 / self.first_expert), None, own, np.stack(self.learners, axis=-1)
        advice = self.slab.advice(out=self.scratch("parts", self.slab.S.shape))
        yield 0.5 / T, self.slab.absent, L, advice

    def expert_weights(self, rate: float) -> np.ndarray:
        """Return (N, G, K), weights of the experts alone, proportional to exp(-rate L_t(i)) before example t."""
        return unnormalised_weights(self.slab, np.full(self.y.shape, rate), "known")

    def blend(self, alpha: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return (N, G, M), 1 - alpha_t for the learner, and alpha_t shared by the experts' weights.

        alpha: (N, G) or (N, 1); weights: (N, G, K), of the experts, unnormalised.
        """
        if self.first_expert > 1:
            raise ValueError("A blend of the learner and the experts has no place for TOL's learner.")
        total = weights.sum(axis=-1)
        blended = np.empty(self.shape)
        blended[:, :, 0] = 1.0 - alpha
        np.multiply(weights, (alpha / total)[:, :, None], out=blended[:, :, 1:])
        return blended


def _read_only(array: np.ndarray) -> np.ndarray:
    """Return a view that cannot be written to, because several rules share it."""
    view = array.view()
    view.flags.writeable = False
    return view
