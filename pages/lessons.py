"""Lessons: a question, a guess, and the picture that answers it."""

from aklo.lab import shell

with shell.page("Lessons", "What do you think will happen?", place="lesson"):
    pass
