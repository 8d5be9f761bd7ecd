"""The player: one task of a stream, moving in time, as a Streamlit component.

Python sends a whole task once; time lives in the browser. The component is plain JavaScript and CSS, kept as files
beside this one and sent as text, since the lab is not an installed package.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from aklo.lab.charts.palette import DARK, LIGHT, STROKES
from aklo.lab.components.player.payload import pack
from aklo.lab.components.player.view import PlayerView, read_view
from aklo.lab.components.revision import reported, revision_of
from aklo.lab.session import exports
from aklo.methods import KNOWING, METHODS, SAMPLING
from aklo.replay import Replay

__all__ = ["PlayerResult", "PlayerView", "player"]

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
    view: PlayerView = PlayerView(),  # noqa: B008 (it is frozen)
    revision: int | None = None,
    on_view: Callable[[PlayerView], None] | None = None,
    choose_method: bool = True,
    link_keys: Mapping[str, str] | None = None,
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
    """Show one task. The same key with other data changes the picture in place: it keeps its step and goes on playing.

    Parameters
    ----------
    replay : the task.
    view : the step, the method and the modes that are shown.
    revision : the view's revision, as revision.py explains it: the browser takes `view` when it is mounted and when
        this number has changed. None counts the changes of `view` here.
    on_view : called with the visitor's view when the player comes to rest or is changed by hand, not while it plays.
        Without it the browser reports nothing.
    choose_method : whether the player has a select for the method.
    link_keys : field of PlayerView -> its key in the address; the share button adds the current view by them.
    groups, names : of each expert's task.
    group, title : of the task itself.
    group_names : of the groups.
    follow : when the task has ended ask for the next one, through `next_task` and `on_next`, which is called with it
        before the script runs, so that the script can send that task at once.
    small : the plane and the race only.
    autoplay : whether it plays when it is mounted.
    task, n_tasks : its place in the stream. Another task starts at its first step.
    promise : the most mistakes that a bound allows the view's method: a line in the race, which at first shows no
        other method.
    """
    block = pack(
        replay,
        view=view,
        revision=revision_of(key, view, revision),
        report=on_view is not None,
        choose_method=choose_method,
        link_keys=link_keys,
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

    def seen() -> None:
        found = read_view(st.session_state[key].get("view"), len(replay))
        if on_view is not None and found is not None:
            reported(key, found)
            on_view(found)

    result = _component()(key=key, data=block, on_next_task_change=asked, on_view_change=seen)
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
