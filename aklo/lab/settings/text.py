"""How the lab writes numbers, counts and names that come from outside."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import fields

from aklo.schedules import Schedule

# A schedule's parameter -> its name in the interface, where its own would say too little.
PARAMETERS = {"end": "final α", "value": "α", "k": "exponent k", "at": "last step"}


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(n: int) -> str:
    """A small number as a word, a larger one as digits.

    >>> in_words(6), in_words(40)
    ('six', '40')
    """
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def joined(words: Sequence[str]) -> str:
    """Words as a list in a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage, with one decimal unless `digits` says otherwise.

    >>> percent(0.125), percent(0.5, 0)
    ('12.5\\xa0%', '50\\xa0%')
    """
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"


def points(share: float, digits: int = 1) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(-0.052), points(0.0)
    ('−5.2', '0.0')
    """
    text = f"{100 * share:+.{digits}f}".replace("-", "−")
    return text[1:] if not text[1:].strip("0.") else text


def bound_number(value: float) -> str:
    """A number of mistakes that a bound allows: with two decimals where it is small; in words if there is none.

    >>> bound_number(9.5), bound_number(10.25), bound_number(math.nan)
    ('9.50', '10.2', 'no number')
    """
    if math.isnan(value):
        return "no number"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def parameter_name(field: str) -> str:
    """The name of a schedule's parameter in the interface.

    >>> parameter_name("end"), parameter_name("half_life")
    ('final α', 'half-life')
    """
    return PARAMETERS.get(field, field.replace("_", "-"))


def schedule_title(schedule: Schedule) -> str:
    """A schedule's kind and parameters in words.

    >>> from aklo.schedules import Linear
    >>> schedule_title(Linear(end=0.5))
    'Linear, final α 0.5'
    """
    words = [type(schedule).__name__]
    for field in fields(schedule):
        value = getattr(schedule, field.name)
        several = isinstance(value, tuple)
        words.append(f"{len(value)} points" if several else f"{parameter_name(field.name)} {value:g}")
    return ", ".join(words)


def one_line(text: str) -> str:
    """A text from outside as one line of printable characters.

    >>> one_line("0\\n\\u202e1")
    '0 1'
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def escape_markdown(text: str) -> str:
    """A text from outside on one line, escaped so that Markdown reads no link, image, icon or formula into it.

    Markdown takes a backslash away from before ASCII characters only: others stay as they are.

    >>> print(escape_markdown("[a](b_c) “−1”"))
    \\[a\\]\\(b\\_c\\) “−1”
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", one_line(text))


def escape_plotly(text: str) -> str:
    """A name from a file, escaped so that plotly.js reads no HTML tag or entity into it.

    >>> escape_plotly("<b>R&D</b>")
    '&lt;b&gt;R&amp;D&lt;/b&gt;'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_cell(text: str) -> str:
    """A name from a file, changed so that a spreadsheet takes no formula from it: a quotation mark stands before it.

    >>> escape_cell("=1+1"), escape_cell("-1"), escape_cell("spam")
    ("'=1+1", '-1', 'spam')
    """
    if not text.lstrip().startswith(("=", "+", "-", "@")):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def file_name(title: str) -> str:
    """A title as the name of a file.

    >>> file_name("Watch it learn")
    'watch_it_learn'
    """
    return re.sub(r"\W+", "_", title.lower()).strip("_")
