"""The key with which guesses are signed: a secret of the host, or a public one that finds accidents only."""

from __future__ import annotations

from aklo.signing_key import Key


def handin_key() -> Key:
    """Return the key of this server: that of its secret, or the public one where it has none that can be used."""
    try:
        return Key.from_environment()
    except ValueError:
        return Key.public()


def fault() -> str | None:
    """Return a sentence on what is wrong with the server's secret, or None."""
    try:
        Key.from_environment()
    except ValueError as error:
        return str(error)
    return None
