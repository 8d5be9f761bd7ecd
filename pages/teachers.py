"""For teachers: a plan for fifty minutes, misconceptions, worksheets with answer keys, and how a class gets there."""

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

import aklo  # noqa: F401  all of it, before any of its modules: see tests/test_imports.py
from aklo.lab.content import lesson_answers, teaching, worksheets
from aklo.lab.export.worksheet_html import STYLE, answer_key_html, worksheet_html
from aklo.lab.frame.navigation import PAGES
from aklo.lab.frame.page import page
from aklo.lab.frame.widgets import controlled_widget, controls
from aklo.lab.server.web import LOOPBACK
from aklo.lab.session import state, url
from aklo.lab.settings.schema import Settings
from aklo.lab.settings.text import escape_markdown

PARAMETER = "sheet"  # in the address: the lesson of the worksheet
ONLY_HERE = "The QR code leads to this computer only: open the lab by the address at which students reach it."


def plan(settings: Settings) -> None:
    """Goals, and the steps of the plan, each in a box."""
    st.markdown(teaching.text("goals"))
    st.subheader("The plan", anchor=False)
    for step in teaching.plan():
        with st.container(border=True):
            st.markdown(f"#### {step.begins}–{step.ends} min · {step.title}\n\n{step.text}")


def misconceptions(settings: Settings) -> None:
    st.markdown(teaching.text("misconceptions"))


def running(settings: Settings) -> None:
    st.markdown(f"### A room for the class\n\n{teaching.text('room')}")
    PAGES["room"].link(state.settings(), "Open a room")
    for text, commands in teaching.commands("class"):
        st.markdown(text)
        if commands:
            st.code(commands, language=None, wrap_lines=True)


def choose_lesson(titles: list[str], *, value: int, **options: Any) -> int:
    return st.selectbox(
        "Lesson", range(1, len(titles) + 1), index=value - 1,
        format_func=lambda number: f"{number} · {titles[number - 1]}",
        help="The lesson whose question is on the worksheet.", **options,
    )  # fmt: skip


def printable(settings: Settings) -> None:
    """A lesson's worksheet for the seed, as it will be on paper."""
    every = lesson_answers.all_lessons()
    if not every:
        st.info("There are no lessons, and so no worksheets: the folder assets/lessons has no file that can be read.")
        return
    asked = url.parameter(PARAMETER) or "1"
    if asked not in map(str, range(1, len(every) + 1)):
        st.caption(f":material/info: Lesson {escape_markdown(asked[:20])} does not exist: here is the first one.")
        url.go(PARAMETER, None)
        asked = "1"
    number = int(asked)
    with st.container(key="sheet_choice", horizontal=True, vertical_alignment="top", gap="medium"):
        draw = partial(choose_lesson, [lesson.title for lesson in every])
        controlled_widget("sheet_lesson", number, draw, lambda chosen: url.go(PARAMETER, str(chosen)))
        controls("seed", "answer_key")
    here = (st.context.url or "").split("?")[0]
    st.caption(
        "Print this page: a worksheet is one sheet of A4 or Letter, and the answer key another. Another seed gives "
        "other tasks and mostly another answer, so each student can have a worksheet of their own. For a class set: "
        f"`aklo worksheets --lesson {number} --seeds 1-30 --key --html class.html`."
        + (f" {ONLY_HERE}" if urlsplit(here).hostname in LOOPBACK else "")
    )
    with st.spinner("Computing the answer …"):
        sheet = worksheets.worksheet(number, every[number - 1], settings.seed)
    st.html(STYLE)
    html = worksheet_html(sheet, url.lab_address())
    if settings.answer_key:
        html += answer_key_html([sheet], f"{here}?pp=Worksheets&{PARAMETER}={number}&s={sheet.seed}")
    st.html(html)


PARTS = {"Plan": plan, "Misconceptions": misconceptions, "Worksheets": printable, "Running it": running}

with page("teachers", place=PARAMETER) as settings:
    controls("teachers_part")
    PARTS[settings.teachers_part](settings)
