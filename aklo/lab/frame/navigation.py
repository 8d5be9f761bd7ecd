"""The pages of the lab, and the menu that leads to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from aklo.lab.session import visible_controls
from aklo.lab.settings.schema import Settings


@dataclass(frozen=True)
class Page:
    """One page. path: of its script; name, icon: in the menu; question: the one that it answers."""

    path: str
    name: str
    icon: str
    question: str

    @property
    def stem(self) -> str:
        """The name of its script, by which pages are told apart: "watch" for pages/watch.py."""
        return self.path.rpartition("/")[2].removesuffix(".py")

    def link(self, settings: Settings, label: str | None = None, **options: Any) -> None:
        """Draw a link to the page with these settings."""
        query = settings.address() | visible_controls.address()
        st.page_link(self.path, label=label or self.name, icon=self.icon, query_params=query, **options)


MENU = {
    "Start": (
        Page("app.py", "Home", ":material/home:", "What is this?"),
        Page("pages/lessons.py", "Lessons", ":material/school:", "Six questions: guess first, then see."),
        Page("pages/glossary.py", "Words and symbols", ":material/menu_book:", "What does that mean?"),
    ),
    "Explore": (
        Page("pages/watch.py", "Watch it learn", ":material/play_circle:", "What happens, example by example?"),
        Page(
            "pages/tasks.py", "Make the tasks", ":material/scatter_plot:", "What kind of world do the tasks come from?"
        ),
        Page(
            "pages/alpha.py", "Shape alpha", ":material/trending_down:", "When should one stop listening to the past?"
        ),
        Page("pages/compare.py", "Race the six", ":material/leaderboard:", "Which method wins, and is it luck?"),
        Page("pages/transfer.py", "When knowledge hurts", ":material/call_split:", "Who gains by the past, who pays?"),
        Page("pages/world.py", "You are the world", ":material/touch_app:", "Can it guess what you have in mind?"),
    ),
    "Check": (
        Page("pages/theory.py", "Does the promise hold?", ":material/gavel:", "What is promised, and is it kept?"),
        Page("pages/reproduce.py", "Does it really do that?", ":material/fact_check:", "Do the claims come out again?"),
        Page("pages/data.py", "Bring your own tasks", ":material/upload_file:", "What about my data?"),
    ),
}
PAGES = {page.stem: page for section in MENU.values() for page in section}


def menu(settings: Settings) -> None:
    """Draw the menu. Its links carry the settings, so that they also open in a new tab."""
    for section, pages in MENU.items():
        st.caption(section)
        for page in pages:
            page.link(settings, help=page.question, width="stretch")
