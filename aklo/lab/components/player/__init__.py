"""The player: one task of a stream, moving in time, as a Streamlit component.

Python sends a whole task once; time lives in the browser. The component is plain JavaScript and CSS, kept as files
beside this one and sent as text, since the lab is not an installed package.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from aklo.lab.charts.palette import DARK, LIGHT, STROKES
from aklo.lab.components.player.payload import pack
from aklo.lab.session import exports
from aklo.methods import KNOWING, METHODS, SAMPLING
from aklo.replay import Replay

__all__ = ["PlayerResult", "player"]

HERE = Path(__file__).parent

# One module in the browser, so the order is that of use: each file may call what stands before it.
SCRIPTS = (
    "data.js",
    "mixture.js",
    "dom.js",
    "geometry.js",
    "picture.js",
    "panel.js",
    "plane.js",
    "weights.js",
    "trust.js",
    "race.js",
    "words.js",
    "clock.js",
    "controls.js",
    "player.js",
)
SHEETS = ("player.css", "panels.css")


@dataclass(frozen=True)
class PlayerResult:
    """What the player tells the script. next_task: the task that it asks for, in the one run after it asked."""

    next_task: int | None


def player(
    replay: Replay,
    *,
    key: str,
    method: str = "AKLO Sum",
    groups: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    group: int | None = None,
    title: str = "",
    group_names: Sequence[str] | None = None,
    follow: bool = False,
    small: bool = False,
    autoplay: bool = False,
    task: int = 0,
    n_tasks: int = 1,
    on_next: Callable[[int], None] | None = None,
    promise: float | None = None,
) -> PlayerResult:
    """Show one task. The same key with other data changes the picture in place: it keeps its time, and goes on playing.

    replay: the task; method: whose region and sentence are shown at first; groups, names: of each expert's task;
    group, title: of the task itself; group_names: of the groups; task, n_tasks: its place in the stream.
    follow: when the task has ended ask for the next one, through `next_task` and `on_next`, which is called with it
    before the script runs, so that the script can send that task at once. small: the plane and the race only.
    promise: the most mistakes that a bound allows `method`: a line in the race, which at first shows no other method.
    """
    block = pack(
        replay,
        method=method,
        groups=groups,
        names=names,
        group=group,
        title=title,
        group_names=group_names,
        follow=follow,
        small=small,
        autoplay=autoplay,
        task=task,
        n_tasks=n_tasks,
        more=None if promise is None else {"promise": float(promise)},
    )

    def asked() -> None:
        wanted = st.session_state[key].get("next_task")
        if on_next is not None and wanted is not None:
            on_next(int(wanted))

    result = _component()(key=key, data=block, on_next_task_change=asked)
    exports.picture(key, css=style_sheet, script=script, data=block)
    wanted = result.get("next_task")
    return PlayerResult(next_task=None if wanted is None else int(wanted))


@cache
def _component() -> Callable:
    """The component, registered once in a process."""
    return st.components.v2.component("aklo_player", css=style_sheet(), js=loader(script()))


def loader(code: str) -> str:
    """A small script that carries a large one, compressed, and unpacks it once."""
    packed = base64.b64encode(gzip.compress(code.encode(), mtime=0)).decode()
    return _read("loader.js").replace('"PLAYER"', f'"{packed}"')


def written(data: dict) -> bytes:
    """What a component is told, as JSON for `read` in dom.js. Streamlit hands bytes over as they are; of a dict it
    would look at each value whether it is a table, and write all of it twice."""
    return json.dumps(data, separators=(",", ":")).encode()


def script() -> str:
    """The player's JavaScript."""
    return bundle([HERE / name for name in SCRIPTS], "aklo-player.js")


def bundle(files: Sequence[Path], source: str) -> str:
    """One script: the constants that Python and the browser share, then the files in order. source: its name there."""
    constants = {
        "METHODS": METHODS,
        "KNOWING": KNOWING,
        "SAMPLING": SAMPLING,
        "STROKES": {name: asdict(stroke) for name, stroke in STROKES.items()},
        "PALETTES": {"light": asdict(LIGHT), "dark": asdict(DARK)},
    }
    shared = [f"const {name} = {json.dumps(value)};\n" for name, value in constants.items()]
    texts = [file.read_text(encoding="utf-8") for file in files]
    return "".join([*shared, *texts, f"//# sourceURL={source}\n"])


def style_sheet() -> str:
    """The player's CSS."""
    return "".join(map(_read, SHEETS))


def _read(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
