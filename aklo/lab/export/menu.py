"""The export menu: a page's pictures, tables and settings as files, and a Python script that prints its numbers.

Its entries are drawn only while it is open, and a file is made when it is downloaded.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from aklo.lab.charts import base
from aklo.lab.charts.palette import Palette
from aklo.lab.components.html_button import html_button
from aklo.lab.components.png_button import png_button
from aklo.lab.content.lab_links import link
from aklo.lab.content.settings_line import settings_line
from aklo.lab.export import standalone_html
from aklo.lab.export.python_script import script
from aklo.lab.session import exports, uploads
from aklo.lab.session.exports import Exports
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import VERSION, Settings
from aklo.lab.settings.text import escape_cell, file_name


def export_button() -> PopoverContainer:
    """Draw the menu's button. Its entries are drawn by `export_menu` at the end of the page.

    It has no tooltip, which would cover the first entry while the menu is open.
    """
    return st.popover("Export", icon=":material/download:", key="export", on_change="rerun")


def export_waits(box: PopoverContainer) -> DeltaGenerator | None:
    """Say in the menu, if it is open, that its entries come when the page is complete. Returns where that is said."""
    if not box.open:
        return None
    place = box.empty()
    place.caption("The files are made when all of this page is computed. To have them now, stop the computation.")
    return place


def export_menu(box: PopoverContainer, title: str) -> None:
    """Draw the entries if the menu is open. title: of the page."""
    if box.open:
        address = (st.context.url or "").split("?")[0]
        with box:
            _download_buttons(title, exports.current(), uploads.own(), address, base.palette())


def _download_buttons(title: str, page: Exports, own: uploads.Own | None, address: str, palette: Palette) -> None:
    """Draw a button for each file. Files are made in a thread without a session, so their data is passed here."""
    name = file_name(title)
    html_button(pictures(title, page, palette, address, plotly=False), f"{name}.html")
    png_button()
    for table in page.of(pd.DataFrame):
        _download_button(
            f"{table} (CSV)", partial(_csv, page, table), f"{file_name(table)}.csv", "text/csv",
            "The table as it stands on the page.",
        )  # fmt: skip
    _download_button(
        "Settings (JSON)", lambda: settings_json(title, page.settings, address, page.query), f"{name}.json",
        "application/json",
        "Every setting by its name, and the link that brings them back.",
    )  # fmt: skip
    shown = own if page.settings.dataset == OWN else None
    if script(page.page, title, page.settings, shown) is not None:
        here = link(address, page.settings, **page.query)
        _download_button(
            "The same in Python", lambda: script(page.page, title, page.settings, own, here) or "", f"{name}.py",
            "text/x-python", "A short script that computes the numbers of this page and prints them.",
        )  # fmt: skip


def _csv(page: Exports, table: str) -> str:
    return without_formulas(page.of(pd.DataFrame)[table]).to_csv()


def without_formulas(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table in which a spreadsheet finds no formula, neither in a cell nor in a heading."""
    return table.map(_escaped).rename(index=_escaped, columns=_escaped)


def _escaped(value: Any) -> Any:
    return escape_cell(value) if isinstance(value, str) else value


def _download_button(label: str, make: Callable[[], str], file: str, mime: str, help: str) -> None:
    st.download_button(label, make, file, mime, key=f"export_{file}", on_click="ignore", width="stretch", help=help)


def pictures(title: str, page: Exports, palette: Palette, address: str = "", *, plotly: bool = True) -> str:
    """Return the page's pictures as one HTML file. plotly: whether plotly.js is in it, or a mark for the browser."""
    note = f"Made with AKLO Lab. {settings_line(page.settings)} {link(address, page.settings, **page.query)}"
    return standalone_html.page(title, page, palette, note, plotly=plotly)


def settings_json(title: str, settings: Settings, address: str = "", query: Mapping[str, str] | None = None) -> str:
    """Return the settings by name, and a link with them, as JSON. query: what the link has besides."""
    about = {"lab": "AKLO Lab", "version": VERSION, "page": title, "link": link(address, settings, **(query or {}))}
    return json.dumps(about | {"settings": dataclasses.asdict(settings)}, indent=2, ensure_ascii=False) + "\n"


