"""What the methods and the words of a page mean, one click away from where they are met."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

from aklo.lab.content import glossary
from aklo.rules import METHODS, RULES

BESIDE = "Beside the paper's six, each with the learner as a member of the pool unless it says otherwise:"


def terms_button(*anchors: str, challengers: Sequence[str] = ()) -> None:
    """Draw a button that opens the methods, and some terms of the glossary, in plain words.

    anchors: of the terms, as in `glossary.terms()`; challengers: the rules that are shown beside the six.
    """
    with st.popover("Terms", icon=":material/dictionary:"):
        st.markdown(methods(challengers))
        if anchors:
            st.markdown(terms(anchors))


def methods(challengers: Sequence[str] = ()) -> str:
    """Return the methods in words, as Markdown. An expert is said first, since four of them ask experts."""
    first = "An **expert** is the learner of an earlier task, as it was when that task ended."
    beside = ["", BESIDE, "", *map(_about, challengers)] if challengers else []
    return "\n".join([first, "", *map(_about, METHODS), *beside])


def _about(method: str) -> str:
    return f"- **{method}**: {RULES[method].about}"


def where_files_go() -> str:
    """Return what happens to the files that a visitor brings, and how large each may be."""
    return (
        f"Up to {st.get_option('server.maxUploadSize')} MB each. What you bring is kept in the server's memory, for "
        "this visit only: no other visitor sees it, and a reload or a closed tab ends it. On its way there, a file "
        "above 1 MB passes through an unnamed temporary file on the server."
    )


@cache
def terms(anchors: tuple[str, ...]) -> str:
    """Return some terms of the glossary as Markdown, each with a link to its entry. An unknown one raises KeyError."""
    known = glossary.terms()
    return "\n".join(f"- [**{known[a].word}**](glossary#{a}){_symbol(known[a])}: {known[a].says}" for a in anchors)


def _symbol(term: glossary.Term) -> str:
    return f" ${term.symbol}$" if term.symbol else ""
