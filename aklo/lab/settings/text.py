"""How the lab writes numbers, counts and names that come from outside."""

from __future__ import annotations

import re
from dataclasses import fields

from aklo.schedules import Schedule


def count(n: int, thing: str) -> str:
    """A number of things, in the singular where it is one.

    >>> count(1, "task"), count(3, "task")
    ('1 task', '3 tasks')
    """
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def points(share: float, digits: int = 1) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(-0.052), points(0.0)
    ('−5.2', '0.0')
    """
    text = f"{100 * share:+.{digits}f}".replace("-", "−")
    return text[1:] if not text[1:].strip("0.") else text


def bound_number(value: float) -> str:
    """A number of mistakes that a bound allows: with two decimals where it is small."""
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def schedule_title(schedule: Schedule) -> str:
    """A schedule's kind and parameters in words.

    >>> from aklo.schedules import Linear
    >>> schedule_title(Linear(end=0.5))
    'Linear, end 0.5'
    """
    words = [type(schedule).__name__]
    for field in fields(schedule):
        value = getattr(schedule, field.name)
        several = isinstance(value, tuple)
        words.append(f"{len(value)} points" if several else f"{field.name.replace('_', '-')} {value:g}")
    return ", ".join(words)


def escape_markdown(text: str) -> str:
    """A text from outside, escaped so that Markdown reads no link, icon or formula into it.

    >>> escape_markdown("[a](b)")
    '\\\\[a\\\\]\\\\(b\\\\)'
    """
    return re.sub(r"([^\w\s])", r"\\\1", text)


def escape_markup(text: str) -> str:
    """A name from a file, changed so that a chart reads no HTML tag into it."""
    return text.replace("<", "‹").replace(">", "›")


def file_name(title: str) -> str:
    """A title as the name of a file.

    >>> file_name("Watch it learn")
    'watch_it_learn'
    """
    return re.sub(r"\W+", "_", title.lower()).strip("_")
