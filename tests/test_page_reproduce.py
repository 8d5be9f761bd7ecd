"""The page "Reproduce the paper", run without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.compute import paper
from aklo.lab.session.uploads import Uploads
from aklo.paper import report
from aklo.paper.notes import LAMBDA, OPEN, verdict
from aklo.paper.reproduction import DATASETS, REPETITIONS, reproduce, study

from . import pages
from .pages import charts, control, sound, values
from .test_loaders import mail, mat, shoe

FEW = 2
STOPPED = (paper.GENERATED, False)  # in the session: the visitor has stopped measuring


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch):
    """Fewer repetitions than the page's ten; what one test has measured is there for the next."""
    monkeypatch.setattr(paper, "REPETITIONS", FEW)


@pytest.fixture
def _nothing_measured(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paper, "_SHARED", {"syn1": {}, "syn2": {}})


def page(**state) -> AppTest:
    at = pages.closed("reproduce")
    for name, value in state.items():
        at.session_state[name] = value
    return at


def lines(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if trace.get("name") in aklo.METHODS}


def opened(**state) -> AppTest:
    return sound(page(**state).run())


def mines(n=40) -> bytes:
    rng = np.random.default_rng(0)
    return mat([(rng.normal(size=(n, 9)), (np.arange(n) < n // 5).astype(np.uint8)) for _ in range(4)])


def test_tables_show_the_numbers_of_the_core():
    at = opened()
    assert any("Measured on this machine" in caption.value for caption in at.caption)
    table = at.table[0].value
    assert len(table) == 5 + 2 * 2  # five rows of the paper, two readings of two datasets
    for dataset in ("syn1", "syn2"):
        outcome = reproduce(study(dataset), FEW)
        for reading in aklo.READINGS:
            rows = outcome.table[outcome.table["reading"] == reading]
            cells = [report.cell(*row) for row in rows[report.CELL].values]
            assert table.loc[f"{dataset}, {reading}"].tolist() == cells
    assert table.loc["Shoes, the paper", "AKLO Sum"] == "20.7 ± 3.2"
    seconds = at.table[1].value
    assert seconds.loc["Spam", "All six, s"] == "9.99" and seconds.loc["Spam", "Faster"] == "–"
    assert float(seconds.loc["syn1", "Faster"].split()[0]) > 0


@pytest.mark.parametrize("reading", list(aklo.READINGS))
def test_panels_show_the_numbers_of_the_core(reading):
    at = opened()
    sound(control(at, "setting_figure_reading").set_value(reading).run())
    for dataset in ("syn1", "syn2"):
        after = 100 * reproduce(study(dataset), FEW).repeats(reading).ace_after
        drawn = lines(charts(at)[f"panel_{dataset}"])
        for i, method in enumerate(aklo.METHODS):
            np.testing.assert_allclose(values(drawn[method]["y"]), after[:, i].mean(axis=0))
    last = reproduce(study("syn2"), FEW).last_task(reading)
    np.testing.assert_allclose(values(lines(charts(at)["panel_last"])["TOL"]["y"]), last[:, 1].mean(axis=0))
    assert set(charts(at)) == {"panel_syn1", "panel_syn2", "panel_last", "lambda"}
    assert sum("Needs its file" in caption.value for caption in at.caption) == 3


@pytest.mark.usefixtures("_nothing_measured")
def test_lambda_and_conventions_are_those_of_the_core():
    at = opened()
    curve = charts(at)["lambda"]["data"][0]
    np.testing.assert_allclose(values(curve["y"]), 100 * study("syn1").choose_lambda().errors)
    table = at.table[2].value
    assert len(table) == 6 and not (table == "not measured yet").to_numpy().any()
    ours = 100 * aklo.repeat(aklo.syn1, FEW, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="advice").table["mean"]
    other = 100 * aklo.repeat(aklo.syn1, FEW, lam=1e-3, alpha=aklo.Linear(end=0.5), clip="sum").table["mean"]
    expected = f"{ours['AKLO Sum']:.1f} → {other['AKLO Sum']:.1f}"
    assert table.loc["Where the clip stands (syn1)", "AKLO Sum"].replace("\xa0", " ") == expected
    assert table.loc["sign(0) (syn1)", "ITOL"].startswith(f"{ours['ITOL']:.1f}")


@pytest.mark.usefixtures("_nothing_measured")
def test_stopped_measurement_shows_what_is_done_and_can_be_continued():
    at = opened(reproduce_decision=STOPPED)
    assert len(at.table[0].value) == 5 and at.button(key="reproduce_start").label == "Go on, 0\xa0% is done"
    assert not charts(at)
    sound(at.button(key="reproduce_start").click().run())
    assert len(at.table[0].value) == 9 and "reproduce_start" not in [button.key for button in at.button]


@pytest.mark.usefixtures("_nothing_measured")
def test_stopped_work_keeps_what_is_done():
    class Stopped(Exception):
        pass

    def stop(done: int) -> None:
        if done == FEW + 1:
            raise Stopped

    with pytest.raises(Stopped):
        paper.work(paper.jobs(), stop)
    at = opened(reproduce_decision=STOPPED)
    assert list(at.table[0].value.index[:3]) == ["syn1, the paper", "syn1, as printed", "syn1, as tabulated"]
    assert len(at.table[0].value) == 7  # syn2 has one repetition only, which has no spread


def test_page_says_near_and_tests_the_means():
    """Near the paper's by single repetitions, and by Welch's test on the means; both as the core has them."""
    at = opened()
    said = " ".join(text.value for text in at.markdown)
    outcomes = [reproduce(study(dataset), FEW) for dataset in ("syn1", "syn2")]
    for reading in aklo.READINGS:
        assert verdict(outcomes, reading) in said
        rows = [outcome.table[outcome.table["reading"] == reading] for outcome in outcomes]
        near, same = (sum(int(f(r).sum()) for r in rows) for f in (lambda r: r.sds.abs() <= 2, lambda r: r.p >= 0.05))
        assert f"{near} of 12 cells of Table 1 are near the paper's, and {same} have means that agree" in said


@pytest.mark.parametrize("dataset", ["landmine", "spam", "shoes"])
def test_page_says_what_the_report_says_about_open_choices(dataset):
    """The share of +1 and lambda on Landmine, what a search found there and on Spam, and Shoes' column of ones."""
    files = {"landmine": mines(), "spam": [(f"task_b_u{k:02d}_eval_lab.tf", mail(k, n=12)) for k in range(14)],
             "shoes": [(f"T{k}_test.txt", shoe(k, n=10)) for k in (1, 2)]}  # fmt: skip
    studied = study(dataset, files[dataset])
    at = opened(uploads=Uploads(paper={dataset: studied}))
    said = " ".join(text.value for text in (*at.markdown, *at.caption))
    written = report.markdown([reproduce(studied, FEW)], {})
    for note in (OPEN[dataset], *([LAMBDA] if dataset != "shoes" else [])):
        assert note in said and note in written
    row = {"landmine": "Lambda below the grid (Landmine)", "spam": "Users; losses behind p_t; ε (Spam)",
           "shoes": "Column of ones (Shoes)"}[dataset]  # fmt: skip
    assert row in at.table[2].value.index and "not measured" not in " ".join(at.table[2].value.loc[row])


def test_uploaded_dataset_is_measured_in_its_session_only():
    at = opened(uploads=Uploads(paper={"landmine": study("landmine", mines())}))
    assert {"Landmine, as printed", "Landmine, as tabulated"} <= set(at.table[0].value.index)
    assert "Share of +1 (Landmine)" in at.table[2].value.index
    assert any("Landmine** is here" in words.value for words in at.markdown)
    assert "panel_landmine" in charts(at)
    other = opened()
    assert "Landmine, as printed" not in other.table[0].value.index
    assert set(paper._SHARED) == {"syn1", "syn2"}
    sound(at.button(key="forget_landmine").click().run())
    assert "Landmine, as printed" not in at.table[0].value.index
    assert at.session_state["uploads"].paper_results == {}


@pytest.mark.parametrize(
    ("dataset", "name", "good", "bad", "said"),
    [
        ("landmine", "LandmineData.mat", mines(), mines()[:-50], "cut short"),
        ("spam", "task_b_u00_eval_lab.tf", mail(0, n=12), b"ham 1:2\n", "ham"),
        ("shoes", "T1_test.txt", b"1 2\n3 4\n", b"1 2\n3 x\n", "column 2"),
    ],
)
def test_good_files_are_read_and_bad_ones_refused(dataset, name, good, bad, said):
    at = opened()
    several = dataset != "landmine"
    given = [(name, bad, "")] if several else (name, bad, "")
    sound(at.get("file_uploader")[list(DATASETS[2:]).index(dataset)].set_value(given).run())
    assert len(at.error) == 1 and said in at.error[0].value and "\n" not in at.error[0].value
    given = [(name, good, "")] if several else (name, good, "")
    sound(at.get("file_uploader")[list(DATASETS[2:]).index(dataset)].set_value(given).run())
    assert not at.error and len(at.get("file_uploader")) == 2
    assert len(at.table[0].value) == 11


def test_ten_repetitions_as_in_the_paper():
    assert REPETITIONS == 10
