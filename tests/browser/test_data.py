"""Own data and the paper's claims, as people use them: files dropped, read, refused, used, forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import aklo
from aklo.lab.frame.table_options import EACH_CLASS
from aklo.lab.settings.schema import Settings
from aklo.readers.examples import EXAMPLE_FILES, fields_mat, inboxes_zip, tastes_csv
from tests.browser.steps import chart, export, go_to, healthy, settle
from tests.browser.test_lab import PLAYER
from tests.test_hostile_uploads import HOSTILE, THREE_CLASSES
from tests.test_loaders import mail, shoe, zipped
from tests.test_tables import parquet_of

TITLE = "Your own data"
MARKUP = "img[src='x'], [src*=':9/'], [href*=':9/']"  # what hostile names would be, were they taken for markup
# Of each kind a good file and a bad one, and what is said of each.
KINDS = {
    "csv": [
        ("tastes.csv", tastes_csv(), "Read: 16 tasks of 60 examples"),
        ("bad.csv", tastes_csv().replace(b"no,", b"no,much,", 1), "cells, where the header has 6"),
    ],
    "mat": [
        ("fields.mat", fields_mat(), "Read: 16 tasks of 60 examples"),
        ("bad.mat", fields_mat()[:-100], "is cut short"),
    ],
    "tf": [("inbox.tf", mail(0), "Read: 1 task of 6 examples"), ("bad.tf", b"1 2:3\nham 1:1\n", "begins with 'ham'")],
    "zip": [
        ("inboxes.zip", inboxes_zip(), "Read: 16 tasks of 60 examples"),
        ("bad.zip", zipped({"../out.tf": mail(0)}), "which leads outside"),
    ],
    "txt": [("T1.txt", shoe(0), "Read: 1 task of 4 examples"), ("T2.txt", b"1 2\n3 x\n", "has 'x' in column 2")],
}


def visit(page, address: str, title: str = TITLE) -> None:
    page.goto(address)
    page.get_by_role("heading", name=title, exact=True).wait_for(timeout=60_000)
    settle(page)


def drop(page, *files: tuple[str, bytes], zone: int = 0) -> None:
    given = [{"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files]
    page.locator("[data-testid=stFileUploader] input[type=file]").nth(zone).set_input_files(given)


def clear(page) -> None:
    """Take the dropped file out again."""
    settle(page)
    remove = page.get_by_test_id("stFileUploader").get_by_role("button", name="Remove")
    remove.click()
    remove.wait_for(state="detached")
    settle(page)


def test_the_button_that_uses_a_file_is_on_the_first_screen(serve, visitor):
    page = visitor(width=1366, height=650)
    visit(page, f"{serve('app.py')}/data")
    drop(page, ("tastes.csv", tastes_csv()))
    box = page.get_by_role("button", name="Use these tasks in the lab").bounding_box()
    assert box["y"] + box["height"] <= 650, box


@pytest.mark.thorough
@pytest.mark.parametrize("kind", list(KINDS))
def test_a_good_and_a_bad_file_of_each_kind(serve, page, kind):
    visit(page, f"{serve('app.py')}/data")
    good, bad = KINDS[kind]
    drop(page, bad[:2])
    page.get_by_test_id("stAlert").get_by_text(bad[2]).wait_for()
    assert page.get_by_test_id("stAlert").count() == 1
    assert page.get_by_role("button", name="Use these tasks in the lab").count() == 0
    clear(page)
    page.get_by_test_id("stAlert").wait_for(state="detached")  # the server has heard that the file is gone
    drop(page, good[:2])
    page.get_by_text(good[2]).wait_for()
    page.get_by_role("button", name="Use these tasks in the lab").wait_for()
    healthy(page)


def test_an_example_is_downloaded_dropped_watched_and_gone_after_a_reload(serve, visitor):
    page = visitor()
    visit(page, f"{serve('app.py')}/data")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="tastes.csv").click()
    data = Path(waiting.value.path()).read_bytes()
    assert data == EXAMPLE_FILES["tastes.csv"]()
    drop(page, ("tastes.csv", data))
    page.get_by_role("button", name="Use these tasks in the lab").click()
    page.get_by_text("The lab now works on your tasks: 16 tasks of 60 examples").wait_for()
    page.get_by_test_id("stMain").get_by_role("link", name="Watch it learn").click()
    page.locator(f"{PLAYER}[data-task='{Settings().task}']").wait_for()
    assert "d=own" in page.url
    stream = aklo.read_csv(data).sample(16, 60, seed=0)
    page.locator(PLAYER).get_by_text(stream.names[Settings().task], exact=True).first.wait_for()
    address = page.url
    other = visitor()  # somebody who was sent the link
    visit(other, address, "Watch it learn")
    other.get_by_text("bring the file again").wait_for()
    assert "d=syn1" in other.url
    page.reload()
    page.get_by_text("bring the file again").wait_for()
    healthy(page)


def shops() -> bytes:
    """A table of three classes and a column of words, in six tasks of 6 to 36 examples."""
    rng = np.random.default_rng(0)
    rows = ["shop,kind,size,weight,colour"]
    for k in range(6):
        for _ in range(6 * (k + 1)):
            x = rng.normal(size=2)
            kind = ("cat", "dog", "fish")[int(np.argmax([x[0], x[1], -x[0] - x[1]]))]
            rows.append(f"shop {k},{kind},{x[0]:.2f},{x[1]:.2f},{('red', 'blue')[k % 2]}")
    return "\n".join(rows).encode()


def choose(page, label: str, option: str) -> None:
    """Choose an option of a select box, when the page that holds it is drawn to its end."""
    box = page.get_by_test_id("stMain").get_by_role("combobox", name=label)
    box.wait_for()
    settle(page)
    box.click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.thorough
def test_choices_for_a_table_and_lambda_reach_the_player_whole_and_can_be_undone(serve, page):
    """Columns, classes and words of a Parquet file; tasks of unequal length in the player; lambda, and Undo."""
    visit(page, f"{serve('app.py')}/data")
    drop(page, ("shops.parquet", parquet_of(shops())))
    choose(page, "Which column is the task?", "shop")
    choose(page, "Which column is the label?", "kind")
    choose(page, "Which of the 3 classes is +1?", "dog")
    page.get_by_text("Read: 6 tasks of 6 to 36 examples, 126 in all, with 2 features").wait_for()
    page.get_by_text("dog is +1").wait_for()
    page.get_by_text("Use columns of words").click()
    page.get_by_text("with 4 features").wait_for()
    choose(page, "Which of the 3 classes is +1?", EACH_CLASS)
    collection = aklo.read_csv(shops(), task="shop", y="kind", each_class=True, one_hot=True)
    stream = collection.sample(seed=0)
    said = f"{len(stream)} tasks of 6 to 36 examples"
    page.get_by_text(f"Read: {said}").wait_for()
    page.get_by_role("button", name="Use these tasks in the lab").click()
    page.get_by_text(f"The lab now works on your tasks: {said}").wait_for()
    chosen = aklo.choose_lambda(stream).lam
    chart(page, "lambda")
    page.get_by_role("button", name=f"Use λ = {chosen:g}").click()
    page.get_by_text(f"λ = {chosen:g} is in force").wait_for()
    page.wait_for_url(f"**l={chosen:g}*")
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("λ = 0.1, which is in force").wait_for()
    page.get_by_test_id("stMain").get_by_role("link", name="Watch it learn").click()
    page.locator(f"{PLAYER}[data-task='{Settings().task}']").wait_for()
    page.locator(PLAYER).get_by_text(f"t = 1 of {stream.lengths[Settings().task]}", exact=True).wait_for()
    go_to(page, "Shape alpha")
    picture = page.locator("[data-aklo=alpha]")
    picture.and_(page.locator("[data-errors]")).wait_for()
    run = aklo.run(stream, lam=0.1, alpha=aklo.Linear(end=0.5), clip="advice")
    expected = run.wrong.sum(axis=1).astype(float)
    for method, by_task in run.expected.items():
        expected[aklo.METHODS.index(method)] = np.concatenate(by_task).sum()
    np.testing.assert_allclose(json.loads(picture.get_attribute("data-errors")), expected, atol=1e-6)
    healthy(page)


@pytest.mark.thorough
def test_hostile_names_make_no_request_and_no_markup(serve, page, tmp_path):
    """Labels, tasks and groups that would be images, tags and formulas, on the pages and in the exported file."""
    address = serve("app.py")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visit(page, f"{address}/data?pr=Task by task")
    drop(page, ("classes.csv", THREE_CLASSES))  # three labels
    choose(page, "Which of the 3 classes is +1?", "<b>two</b>")
    page.get_by_text("<b>two</b> is +1").wait_for()
    clear(page)
    drop(page, ("names.csv", HOSTILE))
    page.get_by_role("radio", name="![l]").wait_for()
    page.get_by_role("button", name="Use these tasks in the lab").click()
    page.get_by_text("The lab now works on your tasks").wait_for()
    page.get_by_test_id("stMain").get_by_role("link", name="Compare the methods").click()
    chart(page, "heat")
    page.locator(".aklo-entry").get_by_text("<img src=x>&lt;", exact=True).first.wait_for()
    for name in ("Watch it learn", "Negative transfer", "Compare the methods"):
        go_to(page, name)
        export(page, "Page (HTML)", tmp_path)
        page.keyboard.press("Escape")
        assert page.locator(MARKUP).count() == 0 and not page.evaluate("window.hacked")
    for file in tmp_path.glob("*.html"):
        page.goto(file.as_uri())
        page.locator("figure, [data-aklo]").first.wait_for()
        assert page.locator(MARKUP).count() == 0 and not page.evaluate("window.hacked")
    assert not [url for url in asked if ":9/" in url or url.endswith("/x")]


@pytest.mark.thorough
def test_reproduce_runs_to_its_end(serve, page):
    """syn1 and syn2, ten repetitions each, every table and panel; then a bad and a good file beside them."""
    visit(page, f"{serve('app.py')}/reproduce", "Reproduce the paper")
    page.get_by_text("Measured on this machine: 10 repetitions").wait_for(timeout=60_000)
    core = 100 * aklo.repeat(aklo.syn1, 10, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="advice").table
    mean, std = core.loc["AKLO Sum"]
    page.get_by_role("row").filter(has_text="syn1, as tabulated").get_by_text(f"{mean:.1f} ± {std:.1f}").wait_for()
    for key in ("panel_syn1", "panel_syn2", "panel_last", "lambda"):
        chart(page, key)
    assert page.get_by_text("not measured yet").count() == 0
    assert page.get_by_role("button", name="Cancel").count() == 0
    drop(page, ("LandmineData.mat", fields_mat()[:-100]))
    page.get_by_test_id("stAlert").get_by_text("is cut short").wait_for()
    page.get_by_test_id("stFileUploader").nth(0).get_by_role("button", name="Remove").first.click()
    settle(page)
    drop(page, ("LandmineData.mat", fields_mat()))
    page.get_by_text("Landmine is here").wait_for()
    page.get_by_text("Measured on this machine").wait_for(timeout=60_000)
    chart(page, "panel_landmine")
    healthy(page)
