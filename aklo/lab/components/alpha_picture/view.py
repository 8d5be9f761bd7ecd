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


def read_view(reported: Any, settings: Settings) -> AlphaView | None:
    """Return a view that a browser has reported, every value checked like one in an address; None if one is invalid."""
    if not isinstance(reported, dict) or not isinstance(reported.get("kept"), list):
        return None
    texts = reported | {"kept": ";".join(map(str, reported["kept"])) or "none"}
    values: dict[str, Any] = {}
    for name in AlphaView.__dataclass_fields__:
        values[name], _ = FIELDS[name].read(str(texts.get(name, "")), settings.dataset)
        if values[name] is None:
            return None
    return AlphaView(**values | {"task": min(values["task"], settings.n_tasks - 1)})
