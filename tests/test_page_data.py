"""The page "Bring your own tasks", and the lab on what was brought, run without a browser."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import aklo
from aklo.lab.compute import runs
from aklo.lab.session import uploads
from aklo.lab.settings.schema import OWN, Settings, read_address
from aklo.readers.examples import EXAMPLE_FILES, tastes_csv

from .pages import charts, moved, sound, values
from .test_loaders import GOOD, mail, mat, mines, shoe, zipped

PAGE = "pages/data.py"


def lines(figure: dict) -> dict[str, dict]:
    return {trace["name"]: trace for trace in figure["data"] if trace.get("name") in aklo.METHODS}


def opened(page: str = PAGE, **query: str) -> AppTest:
    at = AppTest.from_file("../app.py", default_timeout=60).switch_page(page)
    for name, value in query.items():
        at.query_params[name] = value
    return sound(at.run())


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
def test_the_examples_go_all_the_way(name):
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


def test_the_race_is_the_cores_on_the_file():
    at = brought()
    sound(at.switch_page("pages/compare.py").run())
    stream = aklo.read_csv(tastes_csv()).sample(16, 60, seed=0)
    run = aklo.run(stream, lam=0.1)
    np.testing.assert_allclose(at.session_state["uploads"]["results"]["_stream"].popitem()[1].X, stream.X)
    drawn = charts(at)["ace"]
    repeats = aklo.repeat(lambda seed: aklo.read_csv(tastes_csv()).sample(16, 60, seed=seed), 10, lam=0.1)
    for i, line in enumerate(lines(drawn).values()):
        np.testing.assert_allclose(values(line["y"])[-1], repeats.ace.iloc[:, i].mean())
    assert run.ace.between(0, 1).all()


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
def test_a_bad_file_is_told_in_one_sentence(name):
    data, said = BAD[name]
    at = drop(opened(), (name, data))
    assert len(at.error) == 1
    plain = at.error[0].value.replace("\\", "")
    assert said in plain and plain.endswith(".") and "\n" not in plain
    assert "use" not in [button.key for button in at.button] and uploads_of(at).get("own") is None


def uploads_of(at: AppTest) -> dict:
    return at.session_state["uploads"]


def test_several_files_of_one_kind_and_of_two():
    at = drop(opened(), ("a.tf", mail(0)), ("b.tf", mail(1)))
    assert "Read: 2 tasks of 6 examples" in texts(at)
    at = drop(at, ("T1.txt", shoe(0)), ("T2.txt", shoe(1)))
    assert "Read: 2 tasks of 4 examples" in texts(at)
    at = drop(at, ("a.tf", mail(0)), ("b.csv", GOOD))
    assert len(at.error) == 1 and "one kind" in at.error[0].value


def test_gaps_columns_and_the_label_that_is_plus():
    data = b"user,junk,x\nu,spam,1\nu,ham,2\nv,ham,\nv,spam,4\nv,ham,5\n"
    at = drop(opened(), ("table.csv", data))
    assert "choose them above" in texts(at).replace("\\", "")
    sound(at.selectbox(key="column_task").set_value("user").run())
    sound(at.selectbox(key="column_y").set_value("junk").run())
    assert "Row 4" in at.error[0].value
    sound(at.toggle(key="drop_gaps").set_value(True).run())
    assert not at.error and "spam is +1" in texts(at) and "1 row was left out" in texts(at).replace("\\", "")
    sound(at.segmented_control(key="plus").set_value("ham").run())
    sound(at.button(key="use").click().run())
    assert at.session_state["uploads"]["own"].collection.y.tolist() == [-1, 1, -1, 1]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("standardise", [True, False])
@pytest.mark.parametrize("keep", [True, False])
def test_choices_reach_the_stream(bias, standardise, keep):
    at = drop(opened(), ("tastes.csv", tastes_csv()))
    for key, value in (("bias", bias), ("standardise", standardise), ("keep_order", keep)):
        at.toggle(key=key).set_value(value)
    sound(at.run())
    sound(at.button(key="use").click().run())
    own = at.session_state["uploads"]["own"]
    stream = own.collection.sample(bias=own.bias, shuffle=own.shuffle, seed=3)
    assert stream.d == 3 + bias and (stream.names[0] == "visitor 1") == keep
    assert np.allclose(stream.X[:, :3].mean(axis=0), 0) == standardise


def ragged() -> bytes:
    """Tasks of 5, 20, 20 and 30 examples."""
    rows = ["task,y,a,b"]
    rows += [f"t{n}{k},{i % 2},{i},{-i}" for k, n in enumerate((5, 20, 20, 30)) for i in range(n)]
    return "\n".join(rows).encode()


def test_tasks_of_different_lengths_are_shown_in_one():
    at = brought(ragged())
    settings = at.session_state["settings"]
    assert (settings.n_tasks, settings.n_examples, settings.task) == (3, 20, 2)
    assert "1 of 4 is left out" in texts(at)
    high = {slider.key: slider.max for slider in at.sidebar.slider}
    assert high["setting_n_examples"] == 30 and high["setting_n_tasks"] == 3
    sound(at.sidebar.slider(key="setting_n_examples").set_value(30).run())
    assert at.session_state["settings"].n_tasks == 1
    sound(at.sidebar.slider(key="setting_n_examples").set_value(5).run())
    sound(at.sidebar.slider(key="setting_n_tasks").set_value(4).run())
    for page in ("watch", "alpha", "compare"):
        sound(at.switch_page(f"pages/{page}.py").run())


def test_nobody_else_sees_it():
    """Not in the choices, not by a link, and not in any cache that visitors share."""
    first = brought()
    sound(first.switch_page("pages/compare.py").run())
    assert OWN in [*first.sidebar.selectbox(key="setting_dataset").options, OWN]
    address = first.session_state["settings"].address()
    second = opened("pages/compare.py", **address)
    assert second.session_state["settings"].dataset == "syn1"
    assert any("bring the file again" in caption.value for caption in second.caption)
    assert "your own tasks" not in second.sidebar.selectbox(key="setting_dataset").options
    assert "your own tasks" in first.sidebar.selectbox(key="setting_dataset").options
    for cached in (runs._stream, runs._learned, runs._run):
        cached.clear()
    sound(first.run())  # the session's own results are still there, and its own


def test_all_that_is_kept_of_it_is_kept_in_the_session():
    at = brought()
    for page in ("compare", "alpha"):
        sound(at.switch_page(f"pages/{page}.py").run())
    sound(at.segmented_control(key="setting_alpha_part").set_value("How low, how fast?").run())
    kept = at.session_state["uploads"]["results"]
    assert {"_stream", "_learned", "_run", "_shelf", "_sheet"} <= set(kept)
    assert all('"dataset": "own"' in key[0] for kind in kept if kind != "of a length" for key in kept[kind])


def test_no_cache_of_all_visitors_asks_for_a_stream():
    """But those of the world page, which own tasks never reach: it plays with groups that can be made up."""
    lab = Path(uploads.__file__).parent
    for path in lab.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and path.parent.name != "world":
                shared = any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
                names = {argument.arg for argument in node.args.args}
                assert not shared or not names & {"spec", "settings", "stream", "replay"}, f"{path.name}: {node.name}"


def test_two_visitors_have_two_files():
    first, second = brought(), brought(ragged(), "ragged.csv")
    for at, n in ((first, 16), (second, 3)):
        sound(at.switch_page("pages/compare.py").run())
        assert len(at.session_state["uploads"]["results"]["_run"].popitem()[1].learned.stream) == n


def test_a_new_file_replaces_the_old_one_and_forget_forgets():
    at = brought()
    sound(at.switch_page("pages/compare.py").run())
    assert at.session_state["uploads"]["results"]
    sound(at.switch_page(PAGE).run())
    drop(at, ("ragged.csv", ragged()))
    sound(at.button(key="use").click().run())
    assert at.session_state["settings"].n_tasks == 3 and "results" not in at.session_state["uploads"]
    sound(at.button(key="forget").click().run())
    assert not {"own", "results"} & set(
        at.session_state["uploads"]
    )  # the file that still lies in the drop zone is read
    assert at.session_state["settings"].dataset == "syn1"
    assert "your own tasks" not in at.sidebar.selectbox(key="setting_dataset").options


def test_another_dataset_and_back():
    at = brought()
    sound(at.sidebar.selectbox(key="setting_dataset").set_value("syn2").run())
    assert at.session_state["settings"].dataset == "syn2" and "another dataset" in texts(at)
    sound(at.button(key="again").click().run())
    assert at.session_state["settings"].dataset == OWN and at.session_state["settings"].n_tasks == 16


def test_names_cannot_fool_a_chart():
    link = b'"<a href=""javascript:x"">"'
    data = b"task,y,x\n<b>bold</b>,1,1\n<b>bold</b>,0,2\n" + link + b",1,3\n" + link + b",0,4\n"
    at = brought(data)
    sound(at.switch_page("pages/compare.py").run())
    names = at.session_state["uploads"]["results"]["_stream"].popitem()[1].names
    assert not any("<" in name or ">" in name for name in names)


def test_limits_are_stated_and_examples_offered():
    at = opened()
    words = texts(at)
    assert "1,000 tasks" in words and "50 MB" in words and "gone after a reload" in words
    assert len(at.get("download_button")) == 3


def test_a_link_to_own_tasks_is_settings_like_any():
    settings = Settings().change(dataset=OWN, n_tasks=7)
    assert read_address(settings.address()) == (settings, [])


def test_a_session_keeps_no_more_than_its_share():
    at = brought()
    for seed in range(1, 8):
        sound(at.switch_page("pages/compare.py").run())
        moved(at.sidebar.number_input(key="setting_seed").set_value(seed))
    kept = at.session_state["uploads"]["results"]
    assert {kind: len(entries) for kind, entries in kept.items()} == {
        "_stream": 4,
        "_learned": 2,
        "_run": 8,
        "_shelf": 8,
        "_learned_repetitions": 4,
        "of a length": 1,
    }
