"""The pool that a rule weighs: the learner, TOL's learner if it is admitted, and the experts, with their losses.

The prior pi gives the learner 1/2 and each of the T experts 1/(2T); with TOL's learner, 1/4, 1/4 and 1/(2T).
"""

from __future__ import annotations

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
        losses[:, :, : self.first_expert] = self._learner_losses[:-1]
        losses[:, :, self.first_expert :] = self.slab.L
        return _read_only(losses)

    @cached_property
    def _learner_losses(self) -> np.ndarray:
        """(N + 1, G, learners), the losses of the learners before each example, and after the last."""
        e = (np.stack(self.learners, axis=-1) - self.y[:, :, None]) ** 2
        return np.concatenate([np.zeros((1, *e.shape[1:])), np.cumsum(e, axis=0)])

    def exponential_weights(self, rate: float) -> np.ndarray:
        """Return (N, G, M), weights proportional to pi_i exp(-rate L_t(i)), scaled so that the largest are near 1."""
        least = self.losses.min(axis=2, keepdims=True, where=self.prior > 0, initial=np.inf)
        return self.prior * np.exp(-rate * (self.losses - least))

    def updated_weights(self, rate: float) -> tuple[np.ndarray, np.ndarray]:
        """Return weights proportional to pi_i exp(-rate L_{t+1}(i)): as above, but after example t.

        Those of the learners, (N, G, learners), and of the experts, (N, G, K), come in two arrays, because this is
        faster: their memory is contiguous, and the pool uses it again.
        """
        slab, N = self.slab, len(self.y)
        own, P = -rate * self._learner_losses[1:], self.scratch("updated", slab.S.shape)
        np.multiply(slab.L[1:], -rate, out=P[:-1])
        P[-1] = -rate * (slab.L[-1] + (np.clip(slab.S[-1], -1.0, 1.0) - self.y[-1, :, None]) ** 2)
        if rate * 4 * N > SAFE_EXPONENT:
            there = True if slab.absent is None else ~slab.absent
            top = np.maximum(own.max(axis=2), P.max(axis=2, where=there, initial=-np.inf))[:, :, None]
            own -= top
            P -= top
        np.exp(P, out=P)
        if slab.absent is not None:
            P[:, slab.absent] = 0.0
        # Up to a factor the prior of an expert is 1, and that of a learner T over the number of learners.
        return np.exp(own) * (slab.n_experts / self.first_expert)[:, None], P

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
