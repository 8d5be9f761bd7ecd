"""The settings in force as one line of text."""

from __future__ import annotations

from aklo.lab.compute import runs
from aklo.lab.settings.field import OWN
from aklo.lab.settings.presets import reading_of
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import schedule_title


def settings_line(settings: Settings) -> str:
    """Return what decides the numbers on a page, and which task and method are shown.

    >>> settings_line(Settings()).split("; ")[0]
    'syn1, 50 tasks of 100 examples, seed 0, λ 0.001'
    >>> settings_line(Settings()).split("; ")[1]
    'as tabulated: α Linear, final α 0.5, clip on each expert, horizon known'
    >>> settings_line(Settings()).split("; ")[2]
    'task 14, AKLO Sum.'
    """
    s = settings
    angle = f", {s.angle:g}°" if s.dataset == "conflict" else ""
    dataset = "Your own tasks" if s.dataset == OWN else f"{s.dataset}{angle}"
    stream = f"{dataset}, {runs.size(s)}, seed {s.seed}, λ {s.lam:g}"
    reading = reading_of(s)
    clip = "clip after the sum" if s.clip == "sum" else "clip on each expert"
    mixture = f"α {schedule_title(s.schedule)}, {clip}, horizon {s.horizon}"
    beside = f"; challengers: {'; '.join(s.challengers)}" if s.challengers else ""
    return f"{stream}; {f'{reading}: ' if reading else ''}{mixture}{beside}; task {s.task}, {s.method}."
