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
        (N, G, n), clipped scores of the learner, and of TOL's if it is a member.
    space
        Memory for arrays of the pool; allocated if None.

    Attributes
    ----------
    alpha
        (N, 1), the schedule; None for a rule that sets its own alpha.
    first_expert
        Index of the first expert among the members.
    """

    def __init__(self, slab: Slab, y: np.ndarray, learners: np.ndarray, space: Workspace | None = None) -> None:
        self.slab, self.y, self.learners = slab, y, learners
        self.alpha: np.ndarray | None = None
        self.first_expert = learners.shape[2]
        self._space = space

    @property
    def shape(self) -> tuple[int, int, int]:
        """(N, G, M)"""
        N, G, K = self.slab.S.shape
        return N, G, self.first_expert + K

    def scratch(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return an array of this shape, not initialised, in memory of this name that the next pool uses again."""
        return np.empty(shape) if self._space is None else self._space.array(name, shape)

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
        advice = self.scratch(f"advice{self.first_expert}", self.shape)  # pools with other members have their own
        advice[:, :, : self.first_expert] = self.learners
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
        losses = np.zeros(self.learners.shape)
        np.cumsum((self.learners - self.y[:, :, None])[:-1] ** 2, axis=0, out=losses[1:])
        return losses

    def exponential_weights(self, rate: float) -> np.ndarray:
        """Return (N, G, M), weights proportional to pi_i exp(-rate L_t(i)), scaled so that the largest are near 1."""
        least = self.losses.min(axis=2, keepdims=True, where=self.prior > 0, initial=np.inf)
        # A member that does not exist may have less than the least loss, and its exponential would overflow.
        return self.prior * np.exp(-rate * np.maximum(self.losses - least, 0.0))

    def parts(self, rate: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return weights of the learners (N, G, n) and of the experts (N, G, K), and log Z_t, (N, G).

        Z_t is the sum of pi_i exp(-rate L_t(i)). The weights are those of `exponential_weights` up to a factor for each
        example, without copies of the experts' large arrays, which would take as long as the work on them.
        """
        own, L, T = self._learner_losses, self.slab.L, self.slab.n_experts
        least = np.zeros(())
        if rate * 4 * len(self.y) > SAFE_EXPONENT:
            # All weights of a long task could underflow: subtract the least loss.
            least = self.losses.min(axis=2, keepdims=True, where=self.prior > 0, initial=np.inf)
            own, L = own - least, L - least
            least = least[:, :, 0]
        experts = np.multiply(L, -rate, out=self.scratch("P", L.shape))  # AKLO's weights are not needed any more
        if self.slab.absent is not None:
            experts[:, self.slab.absent] = -np.inf
        np.exp(experts, out=experts)
        # The prior of each of n learners, 1/(2n), is T/n times an expert's, 1/(2T).
        learners = T[:, None] / self.first_expert * np.exp(-rate * own)
        total = learners.sum(axis=2) + np.vecdot(experts, np.ones(L.shape[2]))
        return learners, experts, np.log(total / (2 * T)) - rate * least

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
