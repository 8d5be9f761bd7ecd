"""Glossary: every word, symbol and control of the lab, with its formula and its place in the paper."""

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.components.scroll_to_anchor import scroll_to_anchor
from aklo.lab.content import glossary
from aklo.lab.frame.page import page

WIDE = 150  # letters of LaTeX: a formula of more does not fit into half a page


def contents(sections: dict[str, tuple]) -> str:
    """Links to all entries, a line for each section."""
    lines = [
        f"**{name}**: " + " · ".join(f"[{term.word}](#{term.anchor})" for term in terms)
        for name, terms in sections.items()
    ]
    return "  \n".join([*lines, f"[**{glossary.CONTROLS}**](#{glossary.slug(glossary.CONTROLS)})"])


with page("glossary", anchors=True):
    found = glossary.sections()
    st.markdown(contents(found))
    st.caption(glossary.NUMBERING)
    for section, entries in found.items():
        st.header(section, anchor=glossary.slug(section), divider="gray")
        wide = any(len(term.formula) > WIDE for term in entries)
        half = len(entries) if wide else -(-len(entries) // 2)
        columns = [st.container()] if wide else st.columns(2, gap="large")
        for column, some in zip(columns, (entries[:half], entries[half:]), strict=False):
            column.markdown("\n\n".join(map(glossary.written, some)))
    st.header(glossary.CONTROLS, anchor=glossary.slug(glossary.CONTROLS), divider="gray")
    st.caption(
        "A teacher can leave controls out: add `show=` and their names to a link, such as `show=alpha,task`, and a "
        "class sees only these; `show=none` hides them all. What is hidden keeps its value."
    )
    st.markdown(glossary.controls())
    scroll_to_anchor()
