"""Words and symbols: all that the lab shows, explained."""

from aklo.lab import shell

with shell.page("Words and symbols", "What does that mean?"):
    pass
