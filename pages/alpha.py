"""Placeholder while the pages are built."""
from aklo.lab import shell
settings = shell.page("alpha", "?", ("Stream","Generator","Learner","Knowledge","View","Repetitions"))
