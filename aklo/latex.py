"""Tables for LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Characters that mean something to LaTeX, or that its default fonts lack -> what stands for them.
_MEANS = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "±": r"$\pm$",
    "−": "$-$",
    "×": r"$\times$",
    "√": r"$\surd$",
    "²": "$^2$",
    "λ": r"$\lambda$",
    "α": r"$\alpha$",
    "“": "``",
    "”": "''",
}
_SPECIAL = re.compile("|".join(map(re.escape, _MEANS)))


def escape(text: str) -> str:
    """Return text that LaTeX prints as it is.

    >>> escape("12.8 ± 3 %, n_tasks")
    '12.8 $\\\\pm$ 3 \\\\%, n\\\\_tasks'
    """
    return _SPECIAL.sub(lambda found: _MEANS[found[0]], text)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, columns: str = "") -> str:
    """Return a table environment, which needs \\\\usepackage{booktabs}.

    columns: LaTeX's letters for the columns; by default the first is on the left and the others on the right.
    """
    lines = [" & ".join(map(escape, row)) + r" \\" for row in [header, *rows]]
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escape(caption)}}}",
            rf"\begin{{tabular}}{{{columns or 'l' + 'r' * (len(header) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
