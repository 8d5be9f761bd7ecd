"""The page "Your own data", and the lab on what was brought, run without a browser."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

import aklo
from aklo import lab
from aklo.lab.compute import lambda_choice, runs
from aklo.lab.frame.table_options import EACH_CLASS, NO_COLUMN
from aklo.lab.session.uploads import Uploads
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import Settings, read_address
from aklo.readers.examples import EXAMPLE_FILES, tastes_csv

from . import pages
from .pages import alpha_picture, charts, control, mixing, player, sound, told, values
from .test_loaders import GOOD, mail, mat, mines, shoe, zipped
from .test_tables import PETS, parquet_of


def lines(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if trace.get("name") in aklo.METHODS}


def opened(page: str = "data", **query: str) -> AppTest:
    return pages.opened(page, **query)


def drop(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    given = [(name, data, "") for name, data in files]
    return sound(at.get("file_uploader")[0].set_value(given).run())


def brought(data: bytes | None = None, name: str = "tastes.csv") -> AppTest:
    """A visitor whose lab works on a file."""
    at = drop(opened(), (name, tastes_csv() if data is None else data))
    return sound(at.button(key="use").click().run())


def texts(at: AppTest) -> str:
    return " ".join(element.value for element in (*at.markdown, *at.caption, *at.success, *at.info))


@pytest.mark.parametrize("name", list(EXAMPLE_FILES))
def test_example_files_can_be_used_on_every_page(name):
    """Downloaded, dropped, read, used; then every page that the issue of own data touches."""
    at = drop(opened(), (name, EXAMPLE_FILES[name]()))
    assert not at.error and "Read: 16 tasks of 60 examples, 960 in all" in texts(at)
    assert len(at.dataframe[0].value) == 16
    sound(at.button(key="use").click().run())
    settings = at.session_state["settings"]
    assert (settings.dataset, settings.n_tasks, settings.n_examples, settings.lam) == (OWN, 16, 60, 0.1)
    for page in ("watch", "alpha", "compare", "transfer", "theory", "tasks", "world"):
        sound(at.switch_page(f"pages/{page}.py").run())
        assert at.session_state["settings"].dataset == OWN, page


def test_compare_page_shows_the_numbers_of_the_core():
    at = brought()
    sound(at.switch_page("pages/compare.py").run())
    stream = aklo.read_csv(tastes_csv()).sample(16, 60, seed=0)
    np.testing.assert_allclose(at.session_state["uploads"].results["runs._stream"].popitem()[1].X, stream.X)
    run = aklo.run(stream, lam=0.1, **mixing(at))
    drawn = charts(at)["ace"]
    tables = aklo.read_csv(tastes_csv())
    repeats = aklo.repeat(lambda seed: tables.sample(16, 60, seed=seed), 10, lam=0.1, **mixing(at))
    for i, line in enumerate(lines(drawn).values()):
        np.testing.assert_allclose(values(line["y"])[-1], repeats.ace.iloc[:, i].mean())
    assert [row[-1] for row in told(at, "aklo_race")["totals"]] == run.wrong.sum(axis=1).tolist()


BAD = {
    "empty.csv": (b"", "empty"),
    "gap.csv": (GOOD.replace(b"6e1", b""), "Row 4"),
    "text.csv": (GOOD.replace(b"6e1", b"six"), "six"),
    "cut.mat": (mat(mines())[:-30], "cut short"),
    "other.mat": (b"x" * 300, "MATLAB 5"),
    "a.tf": (b"1 3:1\nspam 4:1\n", "spam"),
    "bad.zip": (zipped({"../a.tf": mail(0)}), "outside"),
    "T1.txt": (b"1 2\n3 x\n", "column 2"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_bad_file_is_refused_in_one_sentence(name):
    data, said = BAD[name]
    at = drop(opened(), (name, data))
    assert len(at.error) == 1
    plain = at.error[0].value.replace("\\", "")
    assert said in plain and plain.endswith(".") and "\n" not in plain
    assert "use" not in [button.key for button in at.button] and uploads_of(at).own is None


def uploads_of(at: AppTest) -> Uploads:
    return at.session_state["uploads"]


def test_several_files_of_one_kind_and_of_two():
    at = drop(opened(), ("a.tf", mail(0)), ("b.tf", mail(1)))
    assert "Read: 2 tasks of 6 examples" in texts(at)
    at = drop(at, ("T1.txt", shoe(0)), ("T2.txt", shoe(1)))
    assert "Read: 2 tasks of 4 examples" in texts(at)
    at = drop(at, ("a.tf", mail(0)), ("b.csv", GOOD))
    assert len(at.error) == 1 and "one kind" in at.error[0].value


def test_columns_gaps_and_the_positive_label_can_be_chosen():
    data = b"user,junk,x\nu,spam,1\nu,ham,2\nv,ham,\nv,spam,4\nv,ham,5\n"
    at = drop(opened(), ("table.csv", data))
    assert "needs a choice" in texts(at)
    sound(at.selectbox(key="column_task").set_value("user").run())
    sound(at.selectbox(key="column_y").set_value("junk").run())
    assert "Row 4" in at.error[0].value
    sound(at.toggle(key="drop_gaps").set_value(True).run())
    assert not at.error and "spam is +1" in texts(at) and "1 row was left out" in texts(at).replace("\\", "")
    sound(at.segmented_control(key="plus").set_value("ham").run())
    sound(at.button(key="use").click().run())
    assert at.session_state["uploads"].own.collection.y.tolist() == [-1, 1, -1, 1]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("keep", [True, False])
def test_choices_reach_the_stream(bias, standardise, keep):
    at = drop(opened(), ("tastes.csv", tastes_csv()))
    for key, value in (("bias", bias), ("standardise", standardise), ("keep_order", keep)):
        at.toggle(key=key).set_value(value)
    sound(at.run())
    sound(at.button(key="use").click().run())
    own = at.session_state["uploads"].own
    stream = own.collection.sample(bias=own.bias, shuffle=own.shuffle, seed=3)
    assert stream.d == 3 + bias and (stream.names[0] == "visitor 1") == keep
    assert np.allclose(stream.X[:, :3].mean(axis=0), 0) == standardise


def test_own_tasks_open_at_the_task_at_which_others_do():
    at = brought()
    assert at.session_state["settings"].task == Settings().task < at.session_state["settings"].n_tasks


def ragged() -> bytes:
    """Tasks of 5, 20, 20 and 30 examples."""
    rows = ["task,y,a,b"]
    rows += [f"t{n}{k},{i % 2},{i},{-i}" for k, n in enumerate((5, 20, 20, 30)) for i in range(n)]
    return "\n".join(rows).encode()


def test_tasks_of_different_lengths_are_shown_whole_on_all_pages():
    at = brought(ragged())
    settings = at.session_state["settings"]
    assert (settings.n_tasks, settings.n_examples, settings.task) == (4, 30, 3)
    assert "4 tasks of 5 to 30 examples" in texts(at)
    assert control(at, "setting_n_examples").max == 30 and control(at, "setting_n_tasks").max == 4
    stream = aklo.read_csv(ragged()).sample(seed=0)
    run = aklo.run(stream, lam=0.1, **mixing(at))
    for task in range(4):
        sound(at.switch_page("pages/watch.py").run())
        sound(control(at, "setting_task").set_value(task).run())
        assert player(at)["n"] == stream.lengths[task], task
        sound(at.switch_page("pages/alpha.py").run())
        assert alpha_picture(at)["lengths"] == stream.lengths.tolist()
    sound(at.switch_page("pages/compare.py").run())
    race = told(at, "aklo_race")
    assert race["offsets"] == stream.offsets.tolist()
    assert [row[-1] for row in race["totals"]] == run.wrong.sum(axis=1).tolist()
    for page in ("transfer", "theory", "tasks", "world", "reproduce", "lessons", "glossary"):
        sound(at.switch_page(f"pages/{page}.py").run())
        assert at.session_state["settings"].dataset == OWN, page


def test_fewer_examples_cut_the_longer_tasks_only():
    at = brought(ragged())
    sound(control(at, "setting_n_examples").set_value(10).run())
    sound(control(at, "setting_n_tasks").set_value(3).run())
    stream = aklo.read_csv(ragged()).sample(3, 10, seed=0)
    assert "10 examples" in texts(at) and "1 of 4 is not shown; 3 tasks have more" in texts(at)
    sound(at.switch_page("pages/compare.py").run())
    assert told(at, "aklo_race")["offsets"] == stream.offsets.tolist()


def test_map_of_schedules_says_that_tasks_differ_in_length():
    at = brought(ragged())
    sound(at.switch_page("pages/alpha.py").run())
    sound(control(at, "setting_alpha_part").set_value("How low, how fast?").run())
    assert "These tasks differ in length" in texts(at) and "Not of this family" in texts(at)
    at = brought()
    sound(at.switch_page("pages/alpha.py").run())
    sound(control(at, "setting_alpha_part").set_value("How low, how fast?").run())
    assert "is the corner at the bottom right" in texts(at) and "Not of this family" not in texts(at)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_classes_words_and_a_table_without_tasks(form):
    data = PETS if form == "csv" else parquet_of(PETS)
    at = drop(opened(), (f"pets.{form}", data))
    assert "needs a choice" in texts(at) and not at.error
    choice = at.selectbox(key="positive_class")
    assert choice.options == ["cat", "dog", "fish", EACH_CLASS]
    sound(choice.set_value("dog").run())
    assert "dog is +1" in texts(at) and "the rest is −1" in texts(at) and "with 1 feature" in texts(at)
    sound(at.toggle(key="one_hot").set_value(True).run())
    assert "with 4 features" in texts(at)
    sound(at.selectbox(key="positive_class").set_value(EACH_CLASS).run())
    assert "Read: 5 tasks of 3 examples" in texts(at)
    sound(at.button(key="use").click().run())
    own = at.session_state["uploads"].own.collection
    want = aklo.read_csv(PETS, each_class=True, one_hot=True)
    assert own.names == want.names and own.groups == want.groups
    np.testing.assert_array_equal(own.X, want.X)
    sound(at.switch_page("pages/compare.py").run())


def test_a_table_without_a_column_of_tasks_is_one_task():
    at = drop(opened(), ("pets.csv", PETS.replace(b"task", b"owner")))
    sound(at.selectbox(key="column_task").set_value(NO_COLUMN).run())
    sound(at.selectbox(key="positive_class").set_value("cat").run())
    assert "Read: 1 task of 6 examples" in texts(at)


def test_a_workbook_is_named_for_what_it_is():
    at = drop(opened(), ("a.xlsx", zipped({"xl/workbook.xml": b"<x/>"})))
    assert len(at.error) == 1 and "save the sheet as CSV" in at.error[0].value


def test_lambda_is_chosen_by_the_papers_rule_and_can_be_taken_back():
    at = brought()
    chosen = aklo.choose_lambda(aklo.read_csv(tastes_csv()).sample(16, 60, seed=0))
    errors = values(charts(at)["lambda"]["data"][0]["y"])
    np.testing.assert_allclose(errors, 100 * chosen.errors)
    assert chosen.lam != 0.1  # or the button would be out of use
    sound(at.button(key="use_lambda").click().run())
    assert at.session_state["settings"].lam == chosen.lam and control(at, "setting_lam").value == chosen.lam
    assert at.button(key="use_lambda").disabled
    sound(at.button(key="undo").click().run())
    assert at.session_state["settings"].lam == 0.1


def test_lambda_that_takes_long_is_offered_and_can_be_stopped_and_continued(monkeypatch):
    """Each candidate is kept when it is done, so that after Stop only the others are computed."""
    asked = []

    def call(function, stream, lam, *, meanwhile):
        asked.append(lam)
        if len(asked) == 3:
            raise StopException  # as Streamlit does at a move of the progress bar when Stop was clicked
        return function(stream, lam)

    monkeypatch.setattr(lambda_choice, "UNASKED", 0)
    monkeypatch.setattr(lambda_choice.worker, "call", call)
    at = brought()
    assert "lambda" not in charts(at) and "waits until you ask" in texts(at)
    sound(at.button(key="lambda_start").click().run())
    sound(at.button(key="lambda_stop").click().run())
    assert "lambda" not in charts(at) and at.button(key="lambda_start").label == "Go on, 29\N{NO-BREAK SPACE}% is done"
    sound(at.button(key="lambda_start").click().run())
    want = aklo.choose_lambda(aklo.read_csv(tastes_csv()).sample(16, 60, seed=0))
    np.testing.assert_allclose(values(charts(at)["lambda"]["data"][0]["y"]), 100 * want.errors)
    assert asked == [*aklo.LAMBDAS[:3], *aklo.LAMBDAS[2:]]
    assert at.session_state["uploads"].results["lambda_choice"]  # private, as the data are


def test_own_tasks_are_not_offered_to_another_visitor():
    """Not in the choices, not by a link, and not in any cache that visitors share."""
    first = brought()
    sound(first.switch_page("pages/compare.py").run())
    assert OWN in [*control(first, "setting_dataset").options, OWN]
    address = first.session_state["settings"].address()
    second = opened("compare", **address)
    assert second.session_state["settings"].dataset == "syn1"
    assert any("bring the file again" in caption.value for caption in second.caption)
    assert "your own tasks" not in control(second, "setting_dataset").options
    assert "your own tasks" in control(first, "setting_dataset").options
    for cached in (runs._stream, runs.learned_from, runs.run_from):
        cached.clear()
    sound(first.run())  # the session's own results are still there, and its own


def test_results_of_own_tasks_are_cached_in_the_session():
    at = brought()
    for page in ("compare", "alpha"):
        sound(at.switch_page(f"pages/{page}.py").run())
    sound(control(at, "setting_alpha_part").set_value("How low, how fast?").run())
    kept = at.session_state["uploads"].results
    names = {"runs._stream", "runs.learned_from", "runs.run_from", "repetitions", "alpha_map"}
    assert names <= set(kept)
    assert all(key[0].private for kind in kept for key in kept[kind])


def test_every_cached_function_takes_a_spec_that_says_whether_it_is_private():
    """Functions under `cached` take a spec first; those under another cache take nothing that is made from a stream."""
    seen = 0
    for path in Path(lab.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            decorators = [ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list]
            first = ast.unparse(node.args.args[0].annotation) if node.args.args and node.args.args[0].annotation else ""
            if "cached" in decorators:
                seen += 1
                assert first in ("StreamSpec", "RunSpec", "Spec", "_Key"), f"{path.name}: {node.name}"
            elif any("cache" in decorator for decorator in decorators):
                names = {argument.arg for argument in node.args.args}
                assert not names & {"spec", "settings", "stream", "replay", "own"}, f"{path.name}: {node.name}"
    assert seen >= 8


@pytest.mark.parametrize("keep", [False, True])
def test_compare_says_that_intervals_cover_the_order_alone(keep: bool):
    """Or the choice of examples, or the draws: never other data, which a file does not have."""
    at = drop(opened(), ("tastes.csv", tastes_csv()))
    sound(at.toggle(key="keep_order").set_value(keep).run())
    sound(at.button(key="use").click().run())
    sound(at.switch_page("pages/compare.py").run())
    order = "the draws of the sampling methods" if keep else "the order of your tasks and examples"
    said = f"Repetitions change {order}: the interval covers that alone, not other data of the same kind."
    assert said in texts(at) and "fresh data" not in texts(at)
    sound(control(at, "setting_n_examples").set_value(30).run())
    assert "the choice among your tasks and examples" in texts(at)
    assert (", and their order: " in texts(at)) == (not keep)
    sound(control(at, "setting_dataset").set_value("syn2").run())
    assert "each on fresh data" in texts(at) and "the interval covers other data of the same kind" in texts(at)


def test_two_visitors_have_their_own_tasks():
    first, second = brought(), brought(ragged(), "ragged.csv")
    for at, n in ((first, 16), (second, 4)):
        sound(at.switch_page("pages/compare.py").run())
        assert len(at.session_state["uploads"].results["runs.run_from"].popitem()[1].learned.stream) == n


def test_new_file_replaces_the_old_one_and_forget_removes_it():
    at = brought()
    sound(at.switch_page("pages/compare.py").run())
    assert at.session_state["uploads"].results
    sound(at.switch_page("pages/data.py").run())
    drop(at, ("ragged.csv", ragged()))
    sound(at.button(key="use").click().run())
    assert at.session_state["settings"].n_tasks == 4
    kept = at.session_state["uploads"].results
    assert {dict(key[0].options)["upload"] for found in kept.values() for key in found} == {2}  # none of the first
    sound(at.button(key="forget").click().run())
    held = at.session_state["uploads"]
    assert held.own is None and not held.results  # the file that still lies in the drop zone is read
    assert at.session_state["settings"].dataset == "syn1"
    assert "your own tasks" not in control(at, "setting_dataset").options


def test_own_tasks_can_be_left_and_taken_again():
    at = brought()
    sound(control(at, "setting_dataset").set_value("syn2").run())
    assert at.session_state["settings"].dataset == "syn2" and "another dataset" in texts(at)
    sound(at.button(key="again").click().run())
    assert at.session_state["settings"].dataset == OWN and at.session_state["settings"].n_tasks == 16


def test_page_states_limits_and_offers_example_files():
    at = opened()
    words = texts(at)
    assert "1,000 tasks" in words and "50 MB" in words and "a reload or a closed tab ends it" in words
    assert len(at.get("download_button")) == 3


def test_settings_with_own_tasks_survive_the_address():
    settings = Settings().change(dataset=OWN, n_tasks=7)
    assert read_address(settings.address()) == (settings, [])


def test_cache_of_a_session_is_bounded():
    at = brought()
    for seed in range(1, 8):
        sound(at.switch_page("pages/compare.py").run())
        sound(control(at, "setting_seed").set_value(seed).run())
    kept = at.session_state["uploads"].results
    assert {kind: len(entries) for kind, entries in kept.items()} == {
        "runs._stream": 4,
        "runs.learned_from": 2,
        "runs.run_from": 8,
        "repetitions": 8,
        "repetitions._learned": 4,
        "lambda_choice": 1,
    }
