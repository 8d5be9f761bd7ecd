"""Presets: known starting points, each a complete set of settings."""

from __future__ import annotations

from typing import Any

import aklo
from aklo.lab.settings.schema import FIELDS, Settings

_DEFAULTS = Settings()
READINGS: dict[str, dict[str, Any]] = {
    name: {"alpha": reading.alpha.spec, "clip": reading.clip} for name, reading in aklo.READINGS.items()
}
_PRINTED = READINGS["as printed"]

PRESETS: dict[str, Settings] = {
    "syn1, as tabulated": _DEFAULTS,
    "syn1, as printed": _DEFAULTS.change(**_PRINTED),
    "syn2, as tabulated": _DEFAULTS.change(dataset="syn2"),
    "syn2, as printed": _DEFAULTS.change(dataset="syn2", **_PRINTED),
    "Same rule for all tasks": _DEFAULTS.change(dataset="conflict", angle=0.0),
    "Two groups, opposite rules": _DEFAULTS.change(dataset="conflict", angle=180.0),
    "The rule changes half-way": _DEFAULTS.change(dataset="conflict", n_tasks=40, order="blocks"),
    "One odd task among twenty": _DEFAULTS.change(dataset="conflict", angle=180.0, n_tasks=20, share=0.05, seed=2),
    "Digits, real images": _DEFAULTS.change(dataset="digits"),
}


def apply_preset(name: str, settings: Settings) -> Settings:
    """The preset's settings; those by which presets are not told apart stay as they are.

    But for the task, the method, the number of repetitions and the positions, which begin anew.
    """
    staying = {
        field: getattr(settings, field)
        for field, about in FIELDS.items()
        if not about.preset and not about.position and field not in ("task", "method", "repetitions")
    }
    return PRESETS[name].change(**staying)


def preset_of(settings: Settings) -> str | None:
    """The name of the preset that is in force, or None."""
    return next((name for name, preset in PRESETS.items() if same_start(preset, settings)), None)


def reading_of(settings: Settings) -> str | None:
    """The reading of the paper whose schedule and clip are in force, or None: while the schedule waits for a known
    horizon, another one is."""
    if settings.alpha_waits:
        return None
    return next((name for name, values in READINGS.items() if _has(settings, values)), None)


def _has(settings: Settings, values: dict[str, Any]) -> bool:
    return all(getattr(settings, name) == value for name, value in values.items())


def same_start(one: Settings, other: Settings) -> bool:
    """Whether two settings are the same starting point: they differ at most in what presets are not told apart by."""
    return all(getattr(one, name) == getattr(other, name) for name, f in FIELDS.items() if f.preset)
