"""Streamlit's theme, read once.

At every run of a script Streamlit looks for the theme among all its options, six times over; with thirty visitors that
was a tenth of all that the server did.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from streamlit import config


def read_once() -> Callable[[], None]:
    """From now on Streamlit remembers the options of a section until its configuration is read anew. Returns what takes
    that back."""
    plain = config.get_options_for_section
    remembered = cache(plain)
    disconnect = config.on_config_parsed(remembered.cache_clear, force_connect=True)
    config.get_options_for_section = remembered  # type: ignore[assignment]

    def undo() -> None:
        disconnect()
        config.get_options_for_section = plain

    return undo
