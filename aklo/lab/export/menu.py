"""The export menu: a page's pictures, tables and settings as files, and a Python script that prints its numbers.

Its entries are drawn only while it is open, and a file is made when it is downloaded.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qsl, urlencode, urlsplit

import pandas as pd
import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from aklo.lab.charts import base
from aklo.lab.charts.palette import Palette
from aklo.lab.components.png_button import png_button
from aklo.lab.export import standalone_html
from aklo.lab.export.python_script import script
from aklo.lab.session import exports, uploads
from aklo.lab.session.exports import Chart, Exports, Picture
from aklo.lab.settings.schema import OWN, VERSION, Settings, read_address
from aklo.lab.settings.text import file_name


def export_button() -> PopoverContainer:
    """Draw the menu's button. Its entries are drawn by `export_menu` at the end of the page."""
    return st.popover(
        "Take away", key="takeaway", on_change="rerun", help="Pictures, tables, settings, and the same in Python."
    )


def export_menu(box: PopoverContainer, stem: str, title: str) -> None:
    """Draw the entries if the menu is open. stem, title: of the page."""
    if box.open:
        address = (st.context.url or "").split("?")[0]
        with box:
            _download_buttons(stem, title, exports.current(), uploads.own(), address, base.palette())


def _download_buttons(
    stem: str, title: str, page: Exports, own: uploads.Own | None, address: str, palette: Palette
) -> None:
    """Draw a button for each file. Files are made in a thread without a session, so their data is passed here."""
    name = file_name(title)
    if page.of(Picture) or page.of(Chart):
        _download_button(
            "Pictures (HTML)", lambda: pictures(title, page, palette, address), f"{name}.html", "text/html",
            "All pictures of this page in one file that needs neither the lab nor the network: what moves here plays "
            "there, and charts can be pointed at. Each chart also has a camera of its own (SVG).",
        )  # fmt: skip
    png_button()
    for table in page.of(pd.DataFrame):
        _download_button(
            f"{table} (CSV)", partial(_csv, page, table), f"{file_name(table)}.csv", "text/csv",
            "The table as it stands on the page.",
        )  # fmt: skip
    _download_button(
        "Settings (JSON)", lambda: settings_json(title, page.settings, address), f"{name}.json", "application/json",
        "Every setting by its name, and the link that brings them back.",
    )  # fmt: skip
    shown = own if page.settings.dataset == OWN else None
    if script(stem, title, page.settings, shown) is not None:
        _download_button(
            "The same in Python", lambda: script(stem, title, page.settings, own, link(page.settings, address)) or "",
            f"{name}.py", "text/x-python", "A short script that computes the numbers of this page and prints them.",
        )  # fmt: skip


def _csv(page: Exports, table: str) -> str:
    return page.of(pd.DataFrame)[table].to_csv()


def _download_button(label: str, make: Callable[[], str], file: str, mime: str, help: str) -> None:
    st.download_button(label, make, file, mime, key=f"take_{file}", on_click="ignore", width="stretch", help=help)


def pictures(title: str, page: Exports, palette: Palette, address: str = "") -> str:
    """Return the page's pictures as one HTML file."""
    return standalone_html.page(
        title, page, palette, f"Made with AKLO Lab. The settings: {link(page.settings, address)}"
    )


def settings_json(title: str, settings: Settings, address: str = "") -> str:
    """Return the settings by name, and a link with them, as JSON."""
    about = {"lab": "AKLO Lab", "version": VERSION, "page": title, "link": link(settings, address)}
    return json.dumps(about | {"settings": dataclasses.asdict(settings)}, indent=2, ensure_ascii=False) + "\n"


def read_settings(text: str) -> tuple[Settings, list[str]]:
    """Return the settings of a file of `settings_json`, validated like an address, and notes on changed values."""
    return read_address(dict(parse_qsl(urlsplit(json.loads(text)["link"]).query)))


def link(settings: Settings, address: str) -> str:
    """Return the page's address with the settings."""
    return f"{address}?{urlencode(settings.address())}"
