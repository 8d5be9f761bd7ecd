"""The regret of the methods on the settings' stream. The competitors do not depend on alpha, and are cached."""

from __future__ import annotations

import numpy as np

import aklo
from aklo.lab.compute import runs
from aklo.lab.compute.stream_spec import StreamSpec
from aklo.lab.session.cached import cached
from aklo.lab.settings.schema import Settings
from aklo.regrets import competitors


def regret(settings: Settings, wrong: np.ndarray) -> aklo.Regret:
    """Return the regret of the settings' methods. wrong: (m, n), 1 for a mistake, or the probability of one."""
    found = _competitors(StreamSpec.of(settings), settings.seed, settings.lam)
    return aklo.Regret(settings.methods, wrong, found, runs.stream(settings).offsets)


@cached(max_entries=16)
def _competitors(spec: StreamSpec, seed: int, lam: float) -> dict[str, np.ndarray]:
    return competitors(runs.learned_from(spec, seed, lam))
