"""Home: the idea in one moving picture, the tour, stories, and the pages."""

import streamlit as st
from starlette.middleware import Middleware

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.components.player import task_player
from aklo.lab.components.script_route import script_route
from aklo.lab.compute import runs
from aklo.lab.content import findings
from aklo.lab.content.scenes import SCENES, STORIES, TOUR
from aklo.lab.frame.explain import in_words
from aklo.lab.frame.navigation import MENU, PAGES
from aklo.lab.frame.page import finding, page, picture
from aklo.lab.server.room_status import room_route
from aklo.lab.server.web import Gate, open_browser
from aklo.lab.session import guide, state
from aklo.lab.settings.schema import Settings

IN_A_ROW = 3  # cards


def tour_links() -> None:
    """The tour: from its first step, or from where it was left. Whoever has seen the last step is offered all of it."""
    first, last = TOUR[0], SCENES.get(guide.last_step() or "")
    left = last is not None and last is not first and last is not TOUR[-1]
    if left:
        link = f"Resume the tour at step {last.name} of {len(TOUR)}"
        PAGES[last.page].link(last.settings, link, tour=last.name, icon=":material/tour:", width="content")
    start = "Start it again" if left else f"Take the tour{' again' if last is TOUR[-1] else ''}: {len(TOUR)} steps"
    PAGES[first.page].link(first.settings, start, tour=first.name, icon=":material/flag:", width="content")


def story_cards() -> None:
    """A card for each story: a link to its state, and its first sentence."""
    st.subheader("Stories", anchor=False)
    for at in range(0, len(STORIES), IN_A_ROW):
        for column, story in zip(st.columns(IN_A_ROW), STORIES[at : at + IN_A_ROW], strict=False):
            with column.container(border=True, height="stretch"):
                about = PAGES[story.page]
                about.link(story.settings, f"**{story.title}**", tour=story.name)
                st.caption(_capital(story.notice(story.settings)))


def page_cards(settings: Settings) -> None:
    """A card for each page: a link, and the question that it answers."""
    st.subheader("Pages", anchor=False)
    pages = (*MENU["Explore"], *MENU["Check"])
    for at in range(0, len(pages), IN_A_ROW):
        for column, other in zip(st.columns(IN_A_ROW), pages[at : at + IN_A_ROW], strict=False):
            with column.container(border=True, height="stretch"):
                other.link(settings, label=f"**{other.name}**")
                st.caption(other.question)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def home() -> None:
    """Draw the page."""
    with page(
        "app",
        title="Lifelong online learning",
        question="How can what was learnt on earlier tasks help on the next one?",
    ):
        example = Settings()
        finding(
            "Tasks arrive one after another, their examples one at a time, and each is predicted before its label is "
            f"shown. {findings.asking_and_alone(runs.replay(example))}"
        )
        with st.container(key="start", horizontal=True, vertical_alignment="center", gap="small"):
            tour_links()
            in_words("task", "expert", "group", "alpha", "weight")
        with picture():
            about = f"{example.method} on {example.n_examples} examples, with {example.task} experts"
            task_player(example, key="home", small=True, autoplay=True, choose_method=False, about=about)
        story_cards()
        page_cards(state.settings())
        st.caption(
            "After C. Shui, I. Hedhli and C. Gagné, *Accumulating Knowledge for Lifelong Online Learning*, 2018. The "
            "paper's equations and its table do not agree; the lab shows both readings, “as printed” and “as "
            "tabulated”. What came after: C. Shui, W. Wang, I. Hedhli, C. M. Wong, F. Wan, B. Wang and C. Gagné, "
            "*Lifelong Online Learning from Accumulated Knowledge*, ACM TKDD 17(4), 2023, doi 10.1145/3563947."
        )


if __name__ == "__main__":  # a visitor opens this page
    home()
else:  # imported by `streamlit run app.py`, which serves the application that it finds here
    app = st.App(__file__, lifespan=open_browser, middleware=[Middleware(Gate)], routes=[room_route(), script_route()])
