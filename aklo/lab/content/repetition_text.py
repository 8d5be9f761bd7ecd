"""What differs between the repetitions of a run, which is all that their intervals cover."""

from __future__ import annotations

from aklo.lab.session import uploads
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings


def data(settings: Settings) -> str:
    """Return what each repetition runs on, to stand after "each on"."""
    if settings.dataset != OWN:
        return "fresh data"
    if _takes_all(settings):
        return "your examples in another order" if uploads.mine().shuffle else "your examples"
    return "another choice of your examples"


def what_varies(settings: Settings) -> str:
    """Return a sentence on what the interval over the repetitions covers."""
    if settings.dataset != OWN:
        return "Each repetition draws new data: the interval covers other data of the same kind."
    shuffle = uploads.mine().shuffle
    if _takes_all(settings):
        varies = "the order of your tasks and examples" if shuffle else "the draws of the sampling methods"
    else:
        varies = "the choice among your tasks and examples" + (", and their order" if shuffle else "")
    return f"Repetitions change {varies}: the interval covers that alone, not other data of the same kind."


def _takes_all(settings: Settings) -> bool:
    """Return whether a stream of the visitor's own tasks holds every example of the file."""
    lengths = uploads.mine().collection.lengths
    return settings.n_tasks == len(lengths) and settings.n_examples >= lengths.max()
