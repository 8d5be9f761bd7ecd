"""Registers the lab's components with Streamlit.

A component is written as ES modules: an entry file, and what it imports by relative paths. They are packed into one
script by a small loader (loader.js), which gives each of them a blob: address. Browsers load that script from a route
of the lab's server (script_route.py); Streamlit is given a few lines that say where it is (entry.js). One module is not
a file: `shared/constants.js` holds the constants that Python owns (the methods' names, strokes, palettes and schedules)
and is written here.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import streamlit as st

from aklo.lab.charts.palette import DARK, LIGHT, SLOTS, STROKES
from aklo.lab.session import control_keys
from aklo.lab.settings.text import parameter_name
from aklo.methods import KNOWING, METHODS, SAMPLING
from aklo.rules import RULES
from aklo.schedules import SCHEDULES, Schedule

HERE = Path(__file__).parent
CONSTANTS = "shared/constants.js"
SCRIPTS = "scripts"  # the path of the route
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)  # loader.js links no other form


@dataclass(frozen=True)
class Component:
    """A component of the lab. Calling it mounts it, with the arguments of Streamlit's components.

    Attributes
    ----------
    name : its name in Streamlit.
    entry : the module whose default export Streamlit calls, below `components/`.
    sheets : its style sheets, in order, below `components/`.
    html : what is there before the script runs.
    isolate_styles : whether it lives in a shadow root, where the page's styles do not reach.
    """

    name: str
    entry: str
    sheets: tuple[str, ...] = ()
    html: str = ""
    isolate_styles: bool = True

    def __call__(self, **arguments: Any) -> Any:
        callbacks = {name: _answering(call) for name, call in arguments.items() if name.startswith("on_")}
        return _registered(self)(**arguments | callbacks)

    def script(self) -> str:
        """Return the component's script as one text."""
        return packed(self.entry)

    def style_sheet(self) -> str:
        """Return the component's style sheets as one text."""
        return "".join(_read(name) for name in self.sheets)


def _answering(callback: Callable[[], Any]) -> Callable[[], None]:
    """Return a component's callback that also says that this run answers a component (session/url.py)."""

    def reported() -> None:
        control_keys.mark_answering()
        callback()

    return reported


@cache
def _registered(component: Component) -> Callable[..., Any]:
    """Register a component, once in a process."""
    html, css = component.html or None, component.style_sheet() or None
    js = _read("entry.js").replace("ADDRESS", script_address(component.entry))
    return st.components.v2.component(
        component.name, html=html, css=css, js=js, isolate_styles=component.isolate_styles
    )


def to_bytes(data: dict[str, Any]) -> bytes:
    """Return data for a component as JSON, which `readJson` in lifecycle.js reads.

    Streamlit hands bytes over as they are; of a dict it would look at each value whether it is a table, and write all
    of it twice.
    """
    return json.dumps(data, separators=(",", ":")).encode()


def script_address(entry: str) -> str:
    """Return the address of a component's script, relative to the lab's root. entry: its path below `components/`."""
    return f"{SCRIPTS}/{entry}?v={digest(entry)}"


@cache
def digest(entry: str) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a component's script, by which its versions are told apart."""
    return sha256(packed(entry).encode()).hexdigest()[:16]


@cache
def packed(entry: str) -> str:
    """Return the loader with the entry module and all that it imports."""
    modules = [[path, [[name, target] for name, target in imports(path)], source(path)] for path in in_order(entry)]
    text = gzip.compress(json.dumps(modules).encode(), mtime=0)
    return _read("loader.js").replace('atob("MODULES")', f'atob("{base64.b64encode(text).decode()}")')


def in_order(entry: str) -> list[str]:
    """Return the paths of a module and of all that it imports, each after those that it imports itself."""
    found: list[str] = []

    def visit(path: str, above: tuple[str, ...]) -> None:
        if path in above:
            raise ValueError(f"{path} imports itself by way of {' and '.join(above)}.")
        if path not in found:
            for _, target in imports(path):
                visit(target, (*above, path))
            found.append(path)

    visit(entry, ())
    return found


def imports(path: str) -> Iterator[tuple[str, str]]:
    """Give what a module imports: the specifier as it is written, and the path below `components/`."""
    for match in IMPORT.finditer(source(path)):
        yield match[2], normpath(join(dirname(path), match[2]))


def source(path: str) -> str:
    """Return the text of a module: a file, or the constants that Python owns."""
    return constants() if path == CONSTANTS else _read(path)


def constants() -> str:
    """Return the module of the constants that Python and the browser share."""
    values = {
        "METHODS": METHODS,
        "KNOWING": KNOWING,
        "SAMPLING": SAMPLING,
        "IN_WORDS": {name: RULES[name].about for name in METHODS},
        "STROKES": {name: asdict(STROKES[name]) for name in METHODS},
        "SLOTS": {letter: asdict(slot) for letter, slot in SLOTS.items()},
        "PALETTES": {"light": asdict(LIGHT), "dark": asdict(DARK)},
        "SCHEDULES": {name: _schedule(kind) for name, kind in SCHEDULES.items()},
    }
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in values.items())


def _schedule(kind: type[Schedule]) -> dict[str, Any]:
    """Return what the browser is told of a kind of schedule: its name, its formula in words, and its parameters."""
    parameters = {
        field.name: {
            "label": parameter_name(field.name),
            "value": field.default,
            "whole": isinstance(field.default, int),
            **field.metadata,
        }
        for field in fields(kind)
    }
    about = (kind.__doc__ or "").partition("\n")[0].removesuffix(" Needs the horizon.")
    return {
        "title": kind.__name__,
        "about": about,
        "needsHorizon": kind.needs_horizon,
        "parameters": parameters,
    }


def _read(path: str) -> str:
    return (HERE / path).read_text(encoding="utf-8")
