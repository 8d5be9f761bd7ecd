"""The pages of the lab, and the menu that leads to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import streamlit as st

from aklo.lab.components import menu as component
from aklo.lab.components.menu import Link
from aklo.lab.session import guide, visible_controls
from aklo.lab.settings.schema import Settings

SYNTHETIC = ("syn1", "syn2")  # streams that another one may replace: nothing of the visitor's is lost


@dataclass(frozen=True)
class Page:
    """One page.

    Parameters
    ----------
    path : of its script.
    name, icon : in the menu.
    question : the one that it answers, below its name.
    dataset : the dataset that it is about. A visitor who comes with syn1 or syn2 is given this one.
    """

    path: str
    name: str
    icon: str
    question: str
    dataset: str = ""

    @property
    def stem(self) -> str:
        """The name of its script, by which pages are told apart: "watch" for pages/watch.py."""
        return self.path.rpartition("/")[2].removesuffix(".py")

    @property
    def address(self) -> str:
        """Its path in the address, below the lab's root; Home's is empty."""
        return "" if self.stem == "app" else self.stem

    def opening(self, settings: Settings) -> Settings:
        """The settings with which the page opens for a visitor who comes with these."""
        return settings.change(dataset=self.dataset) if self.dataset and settings.dataset in SYNTHETIC else settings

    def link(self, settings: Settings, label: str | None = None, *, tour: str = "", **options: Any) -> None:
        """Draw a link to the page with these settings. tour: the scene that is explained there (session/guide.py)."""
        query = _query(self.opening(settings)) | ({guide.KEY: tour} if tour else {})
        options = {"icon": self.icon} | options
        st.page_link(self.path, label=label or self.name, query_params=query, **options)

    def go(self, settings: Settings) -> NoReturn:
        """Go to the page with these settings."""
        st.switch_page(self.path, query_params=_query(settings))


def _query(settings: Settings) -> dict[str, str]:
    return settings.address() | visible_controls.address()


MENU = {
    "Start": (
        Page("app.py", "Home", ":material/home:", "What is lifelong online learning?"),
        Page("pages/lessons.py", "Lessons", ":material/school:", "Questions: guess first, then see the answer."),
        Page("pages/room.py", "Room", ":material/groups:", "A class guesses together; then everybody sees the answer."),
        Page("pages/teachers.py", "For teachers", ":material/co_present:", "How can it be taught in one lesson?"),
        Page("pages/glossary.py", "Glossary", ":material/menu_book:", "What does a word or a symbol mean?"),
    ),
    "Explore": (
        Page("pages/watch.py", "Watch it learn", ":material/play_circle:", "What happens, example by example?"),
        Page(
            "pages/tasks.py",
            "Design the tasks",
            ":material/scatter_plot:",
            "What do the tasks look like?",
        ),
        Page(
            "pages/alpha.py",
            "Shape alpha",
            ":material/trending_down:",
            "How long should the learner listen to earlier tasks?",
        ),
        Page(
            "pages/compare.py",
            "Compare the methods",
            ":material/leaderboard:",
            "Which method errs least, and how surely?",
        ),
        Page(
            "pages/transfer.py",
            "Negative transfer",
            ":material/call_split:",
            "When does knowledge help, and when does it hurt?",
            dataset="conflict",
        ),
        Page("pages/world.py", "Sandbox", ":material/touch_app:", "You place the examples: what is predicted?"),
    ),
    "Check": (
        Page("pages/theory.py", "Error bounds", ":material/gavel:", "How many mistakes does the theory allow?"),
        Page(
            "pages/reproduce.py",
            "Reproduce the paper",
            ":material/fact_check:",
            "Can the paper's results be reproduced?",
        ),
        Page("pages/data.py", "Your own data", ":material/upload_file:", "Does it work on my data?"),
    ),
}
PAGES = {page.stem: page for section in MENU.values() for page in section}


def menu(current: str, settings: Settings) -> None:
    """Draw the menu. Its links carry the settings, so that they also open in a new tab. current: the page's stem."""
    opened = {page.opening(settings) for page in PAGES.values()}
    queries = {opening: _query(opening) for opening in opened}  # nearly all pages open with the same settings
    links = {
        section: [Link(page.name, page.icon, page.address, queries[page.opening(settings)]) for page in pages]
        for section, pages in MENU.items()
    }
    component.menu(links, PAGES[current].address)
