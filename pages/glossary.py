"""Words and symbols: every word, symbol and control of the lab, with its formula and its place in the paper."""

import streamlit as st

from aklo.lab import glossary, shell


def contents(sections: dict[str, tuple]) -> str:
    """Links to all entries, a line for each section."""
    lines = [
        f"**{name}**: " + " · ".join(f"[{term.word}](#{term.anchor})" for term in terms)
        for name, terms in sections.items()
    ]
    return "  \n".join([*lines, f"[**{glossary.CONTROLS}**](#{glossary.slug(glossary.CONTROLS)})"])


with shell.page("Words and symbols", "What does that mean, and where is it in the paper?"):
    found = glossary.sections()
    st.markdown(contents(found))
    st.caption(glossary.NUMBERING)
    for section, entries in found.items():
        st.header(section, anchor=glossary.slug(section), divider="gray")
        half = -(-len(entries) // 2)
        for column, some in zip(st.columns(2, gap="large"), (entries[:half], entries[half:]), strict=True):
            column.markdown("\n\n".join(map(glossary.written, some)))
    st.header(glossary.CONTROLS, anchor=glossary.slug(glossary.CONTROLS), divider="gray")
    st.caption(
        "A teacher can leave controls out: add `show=` and their names to a link, such as `show=alpha,task`, and a "
        "class sees only these; `show=none` hides them all. What is hidden keeps its value."
    )
    st.markdown(glossary.controls())
