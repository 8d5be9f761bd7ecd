"""The settings that the live picture of alpha shows and changes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from aklo.lab.settings.schema import FIELDS, Settings


@dataclass(frozen=True)
class AlphaView:
    """The values of the settings of the same names."""

    alpha: str
    clip: str
    horizon: str
    task: int
    method: str
    kept: str

    @classmethod
    def of(cls, settings: Settings) -> AlphaView:
        return cls(**{name: getattr(settings, name) for name in cls.__dataclass_fields__})

    def for_browser(self) -> dict[str, Any]:
        """The view for JSON, the kept schedules as a list."""
        return asdict(self) | {"kept": [] if self.kept == "none" else self.kept.split(";")}


def read_changes(reported: Any, settings: Settings) -> dict[str, Any]:
    """Return the values of a view that a visitor has changed, each checked like one in an address.

    Nothing is changed if one of them is invalid.
    """
    if not isinstance(reported, dict) or not reported.keys() <= AlphaView.__dataclass_fields__.keys():
        return {}
    changes: dict[str, Any] = {}
    for name, value in reported.items():
        if isinstance(value, list) != (name == "kept"):
            return {}
        text = (";".join(map(str, value)) or "none") if isinstance(value, list) else str(value)
        changes[name], _ = FIELDS[name].read(text, settings.dataset)
        if changes[name] is None:
            return {}
    if "task" in changes:
        changes["task"] = min(changes["task"], settings.n_tasks - 1)
    return changes
