"""The live picture of alpha: the curve to drag, this task's mistakes and weights, and the ACE over the whole stream.

The browser mixes the stream itself (compute/mix_data.py), so that everything follows a drag in the same frame. It
reports its view, the settings that it shows, when a move is over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aklo.lab.components.alpha_picture.view import AlphaView, read_changes
from aklo.lab.components.mix_data import mix_data
from aklo.lab.components.moves import Move, mount
from aklo.lab.components.registry import Component
from aklo.lab.compute import mix_data as blocks
from aklo.lab.compute import runs, schedule_comparison
from aklo.lab.compute.block import write_block
from aklo.lab.session import control_keys, exports, visible_controls
from aklo.lab.settings.presets import PRESETS, same_start
from aklo.lab.settings.schema import FIELDS, STAND_IN, WAITING, Settings
from aklo.schedules import Schedule

ALPHA_PICTURE = Component(
    "aklo_alpha_picture",
    "alpha_picture/alpha_picture.js",
    ("shared/frame.css", "shared/panels.css", "shared/grips.css", "alpha_picture/alpha_picture.css"),
)
# The schedules whose values the browser computes itself (shared/schedules.js).
IN_BROWSER = ("linear", "cosine", "custom", "constant", "exponential", "power", "step", "ramp", "logistic")
CONTROLS = ("alpha", "task", "clip", "horizon", "method")  # that the picture has of its own


def alpha_picture(
    settings: Settings,
    *,
    key: str,
    on_change: Callable[[dict[str, Any]], None],
    on_preset: Callable[[str], None],
) -> None:
    """Show what alpha does on the settings' stream.

    Parameters
    ----------
    on_change : called with the settings that a visitor has changed, name -> value.
    on_preset : called with the name of a preset that a visitor has chosen.
    """
    view = AlphaView.of(settings)

    def take(move: Move) -> None:
        sent = move.value if isinstance(move.value, dict) else {}
        if isinstance(sent.get("preset"), str) and sent["preset"] in PRESETS:
            on_preset(sent["preset"])
        changes = read_changes(sent.get("view"), settings)
        if changes:
            control_keys.record_component_value(key, replace(view, **changes))
            on_change(changes)

    whole = blocks.whole_stream(settings)
    stream = blocks.one_task(settings) if whole is None else whole
    digest = mix_data(stream, key=f"{key}_stream")
    told = describe(settings)
    # What the browser cannot mix: a stream that is too large, and tasks of several lengths under a schedule of which it
    # has the values for one length.
    asks = whole is None or (told["curves"] and len(set(told["lengths"])) > 1)
    header = told | {
        "stream": digest,
        "only": settings.task if whole is None else None,
        "tooLarge": "" if whole is not None else blocks.too_large(settings),
        "answers": schedule_comparison.answers(settings) if asks else {},
    }
    beside = {
        "view": view.for_browser(),
        "revision": control_keys.revision(key, view),
        "heard": control_keys.last_move(key),
    }
    message = write_block(header, {}, beside=beside)
    mount(ALPHA_PICTURE, take, key=key, data=message)
    # In an exported file there is no other component to bring the stream.
    exports.picture(key, css=ALPHA_PICTURE.style_sheet, script=ALPHA_PICTURE.script, data=message + stream)


def describe(settings: Settings) -> dict[str, Any]:
    """Return what the picture is told beside the stream and the view."""
    s, stream = settings, runs.stream(settings)
    # A schedule that was added in Python is drawn from its values.
    specs = {s.schedule.spec, *s.kept_schedules}
    shown = {
        spec for spec in specs if spec.partition(":")[0] not in IN_BROWSER and not s.waits(Schedule.parse(spec))
    }
    return {
        "lengths": stream.lengths.tolist(),
        "nTasks": len(stream),
        "names": list(stream.task_names),
        "groups": list(stream.task_groups),
        "groupNames": list(runs.group_names(s)),
        "standIn": STAND_IN.spec,
        "waiting": WAITING,
        "presets": [_preset(name, s) for name in PRESETS],
        "hidden": [name for name in CONTROLS if not visible_controls.is_shown(name)]
        + ([] if visible_controls.names() is None else ["preset"]),
        "help": {name: FIELDS[name].help for name in CONTROLS},
        "curves": {spec: Schedule.parse(spec).values(runs.n_steps(s)).tolist() for spec in sorted(shown)},
    }


def _preset(name: str, settings: Settings) -> dict[str, Any]:
    """Return a preset's name, and its alpha, clip and horizon if all else of it is in force."""
    preset = PRESETS[name]
    own = {field: getattr(preset, field) for field in ("alpha", "clip", "horizon")}
    return {"name": name} | (own if same_start(preset, settings.change(**own)) else {})
