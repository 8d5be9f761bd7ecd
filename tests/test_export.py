"""What a page exports: scripts that print its numbers, one HTML file of its pictures, settings, tables."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import aklo
from aklo.lab.charts.palette import DARK, LIGHT
from aklo.lab.export import menu
from aklo.lab.export.python_script import script
from aklo.lab.export.python_script_pages import PAGES
from aklo.lab.frame import navigation
from aklo.lab.frame.table_options import EACH_CLASS
from aklo.lab.session import exports
from aklo.lab.session.exports import Chart, Exports, Picture
from aklo.lab.settings.presets import PRESETS
from aklo.lab.settings.schema import FIELDS, VERSION, Settings
from aklo.lab.settings.text import percent
from aklo.methods import KNOWING
from aklo.readers.examples import tastes_csv
from tests.pages import both_ends, control, opened, sound, standing, steady, told  # noqa: F401 - a fixture
from tests.sent import read_block, read_settings
from tests.test_page_data import brought, drop
from tests.test_tables import PETS

ROOT = Path(__file__).parents[1]
SMALL = {"n_tasks": 12, "n_examples": 40, "repetitions": 3, "task": 5}
# A preset for each of the three pages whose script is run as a reader runs it; the others run in this process.
AS_A_READER = {
    ("watch", "syn1, as printed"),
    ("alpha", "The rule changes half-way"),
    ("compare", "Two groups, opposite rules"),
}


def printed(text: str, folder: Path | None = None, *words: str) -> str:
    """What a script prints: as a reader runs it where there is a folder, else in this process."""
    if folder is None:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, "script", "exec"), {"__name__": "__main__"})
        return out.getvalue()
    file = folder / "script.py"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", str(file), *words]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown(at) -> Exports:
    return at.session_state["exports"]


def counts(text: str) -> list[float]:
    """The number behind each method's name and a colon, in the methods' order."""
    return [float(re.search(rf"^{method}: (\d+)", text, re.M)[1]) for method in aklo.METHODS]


def rows(text: str, first: str) -> list[list[str]]:
    """The words of each line of a table, from the one after the line that starts with some words up to a blank one."""
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(first)) + 1
    end = next((k for k in range(start, len(lines)) if not lines[k].strip()), len(lines))
    return [line.split() for line in lines[start:end]]


def run_of(page: str, preset: str, tmp_path: Path, **more: object):
    """A page at a preset, small, and what its script prints."""
    at = opened(page, PRESETS[preset].change(**{**SMALL, **more}))
    text = script(page, navigation.PAGES[page].name, shown(at).settings)
    return at, printed(text, tmp_path if (page, preset) in AS_A_READER else None)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_script_of_watch_prints_the_numbers_of_the_page(preset, tmp_path):
    at, out = run_of("watch", preset, tmp_path)
    header, arrays = read_block(shown(at).of(Picture)["watch"].data)
    n = header["n"]
    errors = arrays["errors"].reshape(6, n)
    assert counts(out) == errors.sum(axis=1).tolist()
    assert f"Task 5: {n} examples, {header['T']} experts" in out
    # The sentence under the picture, step by step.
    steps = np.array([[float(word) for word in row] for row in rows(out, "AKLO Sum, step by step")[2:]])
    t, own, word, alpha, says, truth, mistakes = steps.T
    assert t.tolist() == list(range(1, n + 1))
    np.testing.assert_allclose(own, arrays["own"], atol=6e-4)
    np.testing.assert_allclose(word, arrays["words"].reshape(4, n)[KNOWING.index("AKLO Sum")], atol=6e-4)
    np.testing.assert_allclose(alpha, arrays["alpha"], atol=6e-4)
    np.testing.assert_array_equal(truth, arrays["labels"])
    np.testing.assert_array_equal(says != truth, errors[5].astype(bool))
    np.testing.assert_array_equal(mistakes, errors[5].cumsum())


@pytest.mark.parametrize("method", aklo.METHODS)
@pytest.mark.parametrize("task", [0, 3])
def test_script_of_watch_prints_the_mistakes_of_each_method(method, task):
    at, out = run_of("watch", "syn2, as tabulated", Path(), method=method, task=task)
    errors = read_block(shown(at).of(Picture)["watch"].data)[1]["errors"].reshape(6, -1)
    assert int(out.split()[-1]) == errors[aklo.METHODS.index(method)].sum()


@pytest.mark.parametrize("preset", list(PRESETS))
def test_script_of_alpha_prints_the_table_of_the_page(preset, tmp_path):
    at, out = run_of("alpha", preset, tmp_path, alpha_part="In numbers", kept="linear:end=0.5;step:at=9")
    table = shown(at).things["schedules"]
    lines = [line.split(")", 1)[1].split() for line in out.splitlines() if ")" in line]
    assert len(lines) == len(table)
    for words, (_, row) in zip(lines, table.iterrows(), strict=True):
        mean, wrong, *shares = map(float, words)
        assert mean == pytest.approx(row["Mean alpha"], abs=0.006) and wrong == row["Wrong in task 5"]
        assert shares[2:] == pytest.approx([row[f"{method}, %"] for method in KNOWING], abs=0.006)


def test_script_of_alpha_prints_the_map(steady):  # noqa: F811
    at, out = run_of("alpha", "syn1, as tabulated", Path(), alpha_part="How low, how fast?")
    cells = np.array([[float(word) for word in row[1:]] for row in rows(out, "ACE of AKLO Sum")[1:]])
    z = np.asarray(shown(at).of(Chart)["alpha_map"].figure.to_dict()["data"][0]["z"], dtype=object)
    best = next(text.value for text in at.markdown if text.value.startswith("**Least error"))
    assert cells.shape == (11, 11) and z.size
    assert cells.min() == pytest.approx(float(re.search(r"with ([\d.]+)", best)[1]), abs=0.06)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_script_of_compare_prints_the_ranking_of_the_page(preset, tmp_path, steady):  # noqa: F811
    at, out = run_of("compare", preset, tmp_path)
    totals = [row[-1] for row in told(at, "aklo_race")["totals"]]
    assert counts(out) == totals
    found = {" ".join(row[:-3]): row[-3:] for row in rows(out, "Average error (ACE) in %, mean")[1:]}
    table = standing(at)
    for method, row in table.iterrows():
        mean, sd, rank = found[method]
        assert row["Wrong"] == f"{mean} ± {sd}\xa0%" and row["Rank"] == rank
    pairs = [line.split() for line in out.splitlines() if line.startswith("ITOL ") and line.count(".") == 3]
    for *names, mean, low, high in pairs:
        said = table.loc[" ".join(names[1:]), "Points against ITOL"]
        theirs = [float(word.replace("−", "-")) for word in re.findall(r"[+−]?\d+\.\d+", said)]
        assert theirs == pytest.approx([-float(mean), -float(high), -float(low)], abs=0.06)
    assert len(pairs) == 5


@pytest.mark.parametrize("part", FIELDS["race_part"].choices[1:])
def test_script_of_compare_prints_the_part_that_is_shown(part, steady):  # noqa: F811
    at, out = run_of("compare", "syn1, as tabulated", Path(), race_part=part, expected=True)
    totals = [row[-1] for row in told(at, "aklo_race")["totals"]]
    assert counts(out) == pytest.approx(totals, abs=0.51)
    alt = next(iter(shown(at).of(Chart).values())).alt
    if part == "The last task":
        said = [float(count) for count in re.findall(r" (\d+)[,.]", alt)[-6:]]
        assert counts(out[out.index("Errors in the last task") :]) == said
    elif part == "Regret":
        said = [float(number) for number in re.findall(r" (-?\d+)[,.]", alt)[-6:]]
        assert [float(row[-2]) for row in rows(out, "Regret over the stream")[1:]] == said
    else:
        cells = np.array([[float(word) for word in row[1:]] for row in rows(out, "Wrong predictions in each")[1:]])
        assert cells.shape == (12, 6) and f"with {round(cells.max())}\N{NO-BREAK SPACE}%" in alt


@pytest.mark.parametrize("preset", ["syn1, as printed", "One odd task among twenty"])
def test_script_of_tasks_prints_the_table_of_the_page(preset):
    at, out = run_of("tasks", preset, Path(), tasks_part="In numbers")
    found = [[int(word) for word in row[1:]] for row in rows(out, "group")]
    table = at.table[0].value
    assert [row[:2] for row in found] == table[["Tasks", "Examples"]].astype(int).values.tolist()
    assert [percent(plus / n, 0) for _, n, plus in found] == table["Labelled +1"].tolist()


def test_scripts_of_transfer_and_theory_print_the_numbers_of_the_page(steady):  # noqa: F811
    at, out = run_of("transfer", "Two groups, opposite rules", Path())
    verdict = next(text.value for text in at.markdown if text.value.startswith("At 180°"))
    gains = rows(out, "Gain in points")[-1]
    assert float(gains[0]) == 180 and f"{max(map(float, gains[2:])):+.1f}".replace("-", "−") in verdict
    for statement in FIELDS["statement"].choices:
        assert_promised(*run_of("theory", "syn1, as tabulated", Path(), statement=statement, stated_rate=True))
    looks = [{"theory_part": "Counterexamples", "case": "A loud liar", "loudness": 3}]
    looks += [{"theory_part": "Bounds that hold", "mended_on": data} for data in FIELDS["mended_on"].choices[:2]]
    for more in looks:
        assert_promised(*run_of("theory", "syn2, as tabulated", Path(), **more))


def assert_promised(at, out: str) -> None:
    """The verdicts on the page have the script's numbers."""
    said = [text.value for text in at.markdown if re.search(r" allows .* mistakes", text.value)]
    found = re.findall(r"at most ([\d.]+) mistakes are allowed, (\d+) were made", out)
    assert len(found) == len(said) > 0
    for words, (promised, made) in zip(said, found, strict=True):
        assert float(re.search(r"allows (?:at most )?([\d.]+)", words)[1]) == pytest.approx(float(promised), abs=0.06)
        assert re.search(rf"made {made}\b", words)


@pytest.mark.parametrize("dataset", ["syn1", "syn2", "conflict", "digits"])
def test_every_script_runs_at_both_ends_of_every_setting(dataset):
    looks = ["horizon", "alpha", "clip", "challengers", "method", "regret", "task", "repetitions", "expected"]
    looks += ["race_part", "alpha_part", "kept"]
    looks += ["theory_part", "statement", "stated_rate", "case", "mended_on", "share", "order", "angle", "mean1_x"]
    for settings in both_ends(dataset, looks):
        for page in PAGES:
            small = settings.change(n_tasks=3, n_examples=6, repetitions=min(settings.repetitions, 2))
            assert printed(script(page, navigation.PAGES[page].name, small)), page


def test_script_reads_own_tasks_from_a_file(tmp_path, steady):  # noqa: F811
    at = sound(brought().switch_page("pages/compare.py").run())
    settings, own = at.session_state["settings"], at.session_state["uploads"].own
    text = script("compare", "Compare the methods", settings, own)
    assert "Your own tasks are not in this script" in text
    file = tmp_path / "mine.csv"
    file.write_bytes(tastes_csv())
    out = printed(text, tmp_path, str(file))
    assert counts(out) == [row[-1] for row in told(at, "aklo_race")["totals"]]
    for page in PAGES:
        compile(script(page, navigation.PAGES[page].name, settings, own), page, "exec")


def test_script_reads_own_tasks_with_the_choices_that_were_made(tmp_path, steady):  # noqa: F811
    """Tasks of unequal length, a task for each class, and columns of words: the page's numbers, without a change."""
    at = drop(opened("data"), ("pets.csv", PETS + b"b,fish,1,red\n"))
    sound(at.selectbox(key="positive_class").set_value(EACH_CLASS).run())
    sound(at.toggle(key="one_hot").set_value(True).run())
    sound(at.button(key="use").click().run())
    sound(at.switch_page("pages/compare.py").run())
    settings, own = at.session_state["settings"], at.session_state["uploads"].own
    file = tmp_path / "pets.csv"
    file.write_bytes(PETS + b"b,fish,1,red\n")
    assert len(set(own.collection.lengths.tolist())) == 2
    out = printed(script("compare", "Compare the methods", settings, own), tmp_path, str(file))
    assert counts(out) == [row[-1] for row in told(at, "aklo_race")["totals"]]
    out = printed(script("alpha", "Shape alpha", settings, own), tmp_path, str(file))
    sound(at.switch_page("pages/alpha.py").run())
    table = shown(at).things["schedules"]
    for schedule, alpha in zip(out.splitlines()[-len(table) :], table["Mean alpha"], strict=True):
        assert f" {alpha:.2f} " in schedule


@pytest.mark.parametrize("name", list(PRESETS))
def test_exported_settings_can_be_read_again(name):
    for page in ("watch", "compare"):
        settings = PRESETS[name].change(task=3, raced=2, expected=True)
        text = menu.settings_json(navigation.PAGES[page].name, settings, f"http://somewhere/{page}")
        assert read_settings(text) == (settings, [])
        told = json.loads(text)
        assert told["settings"]["n_tasks"] == settings.n_tasks and told["link"].startswith(
            f"http://somewhere/{page}?v={VERSION}&"
        )


# What a browser would fetch: addresses in attributes and style sheets, imports, and what a script could open.
FETCHED = re.compile(r"""(src|href|action|poster)\s*=\s*["']?https?:|url\(\s*["']?https?:|@import|<link|<iframe""")


@pytest.mark.parametrize("page", ["watch", "alpha", "compare", "tasks"])
def test_html_file_needs_no_network(page):
    at = opened(page, Settings().change(n_tasks=8, n_examples=30, task=3, repetitions=1))
    text = menu.pictures("A <b>title</b>", shown(at), LIGHT, "http://somewhere/")
    from plotly.offline import get_plotlyjs

    own = text.replace(get_plotlyjs(), "")  # Plotly names the servers of its maps, which no chart here has
    assert not FETCHED.search(own)
    assert "default-src 'none'" in own and "<b>title" not in own
    assert own.count("<script") == own.count("</script>")
    assert DARK.ground in menu.pictures("x", shown(at), DARK)
    if page == "watch":
        assert len(text) < 400_000  # without a chart there is no need for Plotly


def test_exports_are_what_the_page_shows_now():
    at = opened("compare", Settings().change(n_tasks=8, n_examples=30, repetitions=1))
    assert set(shown(at).things) == {"race", "ace"}
    sound(control(at, "setting_race_part").set_value("Task by task").run())
    assert set(shown(at).things) == {"race", "heat"} and shown(at).settings.race_part == "Task by task"
    sound(at.switch_page("pages/tasks.py").run())
    assert "race" not in shown(at).things


@pytest.mark.parametrize("page", ["theory", "tasks"])
def test_table_can_be_exported_as_shown(page):
    part = {"theory_part": "Bounds that hold", "tasks_part": "In numbers"}
    at = opened(page, Settings().change(n_tasks=8, n_examples=30, task=3, **part))
    (table,) = shown(at).of(exports.pd.DataFrame).values()
    assert at.table[0].value.shape == table.shape and table.to_csv().count("\n") > 2


@pytest.mark.parametrize("page", [None, "watch", "glossary", "theory"])
def test_export_menu_is_empty_until_it_is_opened(page):
    at = opened(page, Settings().change(n_tasks=4, n_examples=10, task=2))
    found = [block for block in blocks(at.main) if getattr(block, "type", "") == "popover"]
    assert [block.proto.popover.label for block in found][:1] == ["Export"]
    assert not found[0].children


def blocks(block) -> list:
    return [block, *(below for child in getattr(block, "children", {}).values() for below in blocks(child))]
