"""Worksheets as HTML: on the page for teachers, and a class set as one file that needs neither a server nor scripts.

The style sheet assets/worksheet.css fits a worksheet to one page of A4 or Letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from markdown_it import MarkdownIt

from aklo.lab.components.share_dialog.qr_code import qr_code
from aklo.lab.content import lessons
from aklo.lab.content.lab_links import link_to
from aklo.lab.content.worksheets import Picture, Worksheet
from aklo.location import lab_folder

STYLE = lab_folder() / "assets" / "worksheet.css"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
NAMES = {"outcome": "answer", "beside": "to compare"}  # of values whose name in the lesson's file says too little
LINES = 7  # to write the reasons on
_MARKDOWN = MarkdownIt("js-default")  # which shows HTML as text


def lab_link(sheet: Worksheet, root: str) -> str:
    """Return the link to the page that shows the worksheet's tasks. root: the address of the lab, without a slash."""
    return link_to(root, sheet.lesson.page, sheet.lesson.settings)


def worksheet_html(sheet: Worksheet, root: str) -> str:
    """Return the page for a student, as an HTML element. root: as in `lab_link`."""
    lesson = sheet.lesson
    return "\n".join(
        [
            '<article class="aklo-sheet">',
            f"<header><span>AKLO Lab · worksheet {sheet.number} · seed {sheet.seed}</span>",
            "<span>Name<i></i></span><span>Date<i></i></span></header>",
            f"<h2>{escape(lesson.title)}</h2>",
            _MARKDOWN.render(lessons.fill(lesson.question, sheet.facts)),
            _picture(sheet.picture),
            f'<section class="guess"><p><strong>{_inline(lessons.fill(lesson.guess, sheet.facts))}</strong></p>',
            _guess(sheet),
            "</section>",
            '<section class="lines"><p><strong>My reasons</strong></p>' + LINES * "<hr>" + "</section>",
            '<section class="after"><p><strong>What happened</strong><i></i> <strong>Why my guess was right, or was '
            "not</strong></p><hr><hr></section>",
            _footer(sheet, root),
            "</article>",
        ]
    )


def answer_key_html(sheets: Sequence[Worksheet], link: str = "") -> str:
    """Return the teacher's page for worksheets of one lesson: their answers, and what the lesson says about its own.

    link: to the worksheet, if there is one.
    """
    first = sheets[0]
    lesson, alone = first.lesson, len(sheets) == 1
    guess = f"<p>{_inline(lessons.fill(lesson.guess, first.facts))}</p>"
    answer = f'<p class="answer">{escape(first.facts["outcome"])}</p>'
    return "\n".join(
        [
            '<article class="aklo-sheet aklo-key">',
            f"<header><span>AKLO Lab · answer key · worksheet {first.number}</span></header>",
            f"<h2>{escape(lesson.title)}</h2>",
            *([guess, answer] if alone else []),
            _table(_numbers(sheets)),
            f"<p>Each {'column' if alone else 'row'} is computed for its seed. The numbers have their names from the "
            "lesson's file; the text below is about the lesson's own seed.</p>",
            f"<h3>What the lesson says, for seed {first.own_seed}</h3>",
            _MARKDOWN.render(lessons.fill(lesson.look, first.own_facts)),
            f"<p><strong>To keep.</strong> {_inline(lessons.fill(lesson.keep, first.own_facts))}</p>",
            f'<p class="link">This worksheet: {escape(link)}</p>' if link else "",
            "</article>",
        ]
    )


def _numbers(sheets: Sequence[Worksheet]) -> list[tuple[str, ...]]:
    """Return the rows of the key's table: one for each seed, or one for each number if there is one worksheet only."""
    first = sheets[0]
    facts = [(str(sheet.seed), sheet.facts) for sheet in sheets]
    facts.append((f"{first.own_seed}, the lesson's", first.own_facts))
    rows = [
        ("seed", *(NAMES.get(name, name) for name in first.names)),
        *((seed, *(found[name] for name in first.names)) for seed, found in facts),
    ]
    return rows if len(sheets) > 1 else list(zip(*rows, strict=True))


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in body)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>"


def class_set_html(sheets: Sequence[Worksheet], root: str, *, key: bool = False) -> str:
    """Return a file with one worksheet on a page, and the answer key at its end if `key` is set."""
    title = f"Worksheet {sheets[0].number}: {sheets[0].lesson.title}"
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)} · AKLO Lab</title>",
            f'<style>{STYLE.read_text(encoding="utf-8")}</style>\n</head>\n<body class="aklo-set">',
            *(worksheet_html(sheet, root) for sheet in sheets),
            answer_key_html(sheets) if key else "",
            "</body>\n</html>\n",
        ]
    )


def _inline(markdown: str) -> str:
    return _MARKDOWN.renderInline(markdown)


def _guess(sheet: Worksheet) -> str:
    if sheet.choices:
        return "<ul>" + "".join(f"<li>☐ {escape(choice)}</li>" for choice in sheet.choices) + "</ul>"
    return f"<p>My guess<i></i><small>{escape(sheet.range)}</small></p>"


def _picture(picture: Picture | None) -> str:
    if picture is None:
        return ""
    caption = escape(picture.caption)
    if picture.rows:
        shown = _table(picture.rows)
    else:
        # As a file of its own, since Streamlit removes <svg> elements from HTML.
        shown = f'<img alt="{caption}" src="data:image/svg+xml,{quote(picture.svg)}">'
    return f"<figure>{shown}<figcaption>{caption}</figcaption></figure>"


def _footer(sheet: Worksheet, root: str) -> str:
    link = lab_link(sheet, root)
    code = qr_code(link)
    image = f'<img alt="QR code of the link" src="{escape(code)}">' if code else ""
    return (
        f"<footer>{image}<p><strong>Check it when you have written down your guess.</strong> The code opens exactly "
        f"this in the lab, with seed {sheet.seed}:<br>{escape(link)}</p></footer>"
    )
