"""Home: the idea in one moving picture, and where to go next."""

import streamlit as st

from aklo.lab.components.player import task_player
from aklo.lab.frame.navigation import MENU
from aklo.lab.frame.page import page
from aklo.lab.settings.presets import PRESETS

with page(
    "app", title="Learning that lasts", question="Tasks come and go. What should you keep from the last one?"
) as settings:
    st.markdown(
        "**Tasks arrive one after another, their examples one at a time, and each must be predicted before its "
        "label is shown.** A new learner starts each task from nothing; the experts it can ask were frozen at the "
        "end of earlier tasks. AKLO listens to the experts first, finds out which of them are friends, and hands "
        "over to the learner as it grows up."
    )

    story = PRESETS["syn1, as tabulated"].change(task=14)
    task_player(story, key="home", small=True, autoplay=True, choose_method=False)

    st.subheader("Where to go with which question", anchor=False)
    pages = (*MENU["Explore"], *MENU["Check"])
    for at in range(0, len(pages), 3):
        for column, other in zip(st.columns(3), pages[at : at + 3], strict=False):
            with column.container(border=True, height="stretch"):
                other.link(settings, label=f"**{other.name}**")
                st.caption(other.question)

    st.caption(
        "After C. Shui, I. Hedhli and C. Gagné, *Accumulating Knowledge for Lifelong Online Learning*. The paper's "
        "equations and its table do not agree; the lab shows both readings, “as printed” and “as tabulated”."
    )
