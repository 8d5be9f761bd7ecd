"""The rules beside the paper's six: equal to the literal reference, found everywhere by name, and easily added."""

import io
import math
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import aklo
from aklo.cli.main import cli
from aklo.knowledge import build_slab, scores
from aklo.rules import Pool
from aklo.rules.one_pool import SURELY_RIGHT, SURELY_WRONG, TIE
from aklo.styles import SPARE, STROKES

from . import reference
from .test_bad_input import refused
from .test_exact import Case, cases, close, same_errors

OTHERS = tuple(reference.RULES)
ALL = (*aklo.METHODS, *OTHERS)


# ---------------------------------------------------------------------------------------- against the reference


def check_rules(case: Case, names=OTHERS):
    """Errors of a run, and errors, confidence, alpha and weights of its replays, against the reference."""
    learned = aklo.learn(aklo.TaskStream.of(case.tasks), lam=case.lam)
    run = aklo.mix(learned, methods=names, **case.options)
    truth = case.reference()
    for name in names:
        values, weights = reference.run_rule(name, truth, case.dense, case.alpha)
        first = 2 if name == "One pool with TOL" else 1
        for task, (_, y) in enumerate(case.dense):
            replay, p = run.replay(task), weights[task]
            wrong = (values[task] >= 0) != (y > 0)
            same_errors(run.errors[name][task], wrong, values[task])
            same_errors(replay.errors[name], wrong, values[task])
            close(replay.confidence[name], values[task])
            close(replay.method_alpha[name], 1 - p[:, 0])
            shares = replay.method_weights[name] * replay.method_alpha[name][:, None]
            close(shares, p[:, first:] if task else np.zeros((len(y), 0)))


@settings(max_examples=80)
@given(cases())
def test_rules_match_the_reference(case):
    check_rules(case)


levels = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(levels, levels, st.sampled_from([-1, 1])), min_size=1, max_size=12),
    st.lists(st.tuples(levels, levels), min_size=1, max_size=5),
    st.booleans(),
)
def test_rules_match_the_reference_where_experts_tie(examples, experts, sparse):
    """Experts that agree, contradict each other and say 0; the learner's own advice is taken as the library has it."""
    X, y = np.array([e[:2] for e in examples]), np.array([e[2] for e in examples])
    schedule = aklo.Power(0.5)
    X = sp.csr_array(X) if sparse else X
    replay = aklo.play(X, y, experts=experts, lam=0.5, alpha=schedule, clip="advice", methods=ALL)
    c, alphas = replay.confidence["ITOL"].tolist(), schedule.values(len(y)).tolist()
    for name in OTHERS:
        learners = [[own] * (2 if name == "One pool with TOL" else 1) for own in c]  # TOL is the learner here
        found = list(reference.RULES[name](learners, replay.advice.tolist(), y.tolist(), alphas))
        values, p = np.array([value for value, _ in found]), np.array([p for _, p in found])
        close(replay.confidence[name], values)
        same_errors(replay.errors[name], (values >= 0) != (y > 0), values)
        close(replay.method_alpha[name], 1 - p[:, 0])
        exact = np.abs(values) < 1e-15  # a tie that the reference sees as well
        np.testing.assert_array_equal(replay.errors[name][exact], y[exact] < 0)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(levels, levels, st.sampled_from([-1, 1])), min_size=1, max_size=12),
    st.lists(st.tuples(levels, levels), min_size=1, max_size=5),
    st.sampled_from(["One pool", "One pool with TOL"]),
    st.sampled_from([1, 400]),
)
@example(
    [(-2.0, -2.0, -1)] * 3 + [(-1.0, -0.5, -1), (0.5, -2.0, -1), (1.0, -2.0, -1), (-2.0, -2.0, -1)],
    [(-2.0, -2.0)] * 4 + [(0.0, 0.0)], "One pool", 400,
)  # fmt: skip
def test_mistakes_of_one_pool_are_the_signs_of_its_confidence(examples, experts, name, times):
    """Ties and near ties, which the total weight does not decide; repeated, so that weights would underflow."""
    X, y = np.array([e[:2] for e in examples] * times), np.array([float(e[2]) for e in examples] * times)
    W, rule = np.array(experts), aklo.RULES[name]
    G = 3  # tasks of one, some and all experts: the first two have members that do not exist
    n_experts = np.array([1, 1 + len(W) // 2, len(W)])
    slab = build_slab(np.tile(y[:, None], G), lambda g, out: scores(X, W[: n_experts[g]], out), n_experts=n_experts)
    own = np.clip(X @ [0.5, -0.25], -1.0, 1.0)
    pool = Pool(slab, np.tile(y[:, None], G), np.tile(own[:, None, None], (1, G, 2 if rule.joint else 1)))
    different = rule.mistakes(pool) != ((rule.confidence(pool) >= 0) != (y[:, None] > 0))
    plus, minus = ((rule.weights(pool) * np.exp(-((pool.advice - label) ** 2) / 2)).sum(axis=2) for label in (1, -1))
    # Which side of the limit of ties a difference is on that lies at this limit itself, is a matter of rounding.
    at_the_limit = np.isclose(np.abs(plus - minus) / (plus + minus), TIE, rtol=0.2, atol=0)
    assert not (different & ~at_the_limit).any()


def test_limits_of_one_pools_sure_mistakes_hold():
    """exp(-a^2/2) cosh(a) is between its values at 1 and at 0, with room for rounding at both limits."""
    a = np.linspace(-1, 1, 100_001)
    share = np.exp(-(a**2) / 2) * np.cosh(a)
    assert -0.5 + np.log(share.max()) + 1e-4 < SURELY_RIGHT
    assert -0.5 + np.log(share.min()) - 1e-4 > SURELY_WRONG


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("label", [1, -1])
@pytest.mark.parametrize("expert", [4.0, 0.5])
def test_rules_predict_plus_one_at_an_exact_tie(name, label, expert):
    """Two experts that contradict each other, and a learner at 0: a tie is +1; a hair more decides it."""
    for lean, says in ((0.0, 1), (1e-6, 1), (-1e-6, -1)):
        experts = [[expert, lean], [-expert, lean]]
        replay = aklo.play([[1.0, 1.0]], [label], experts=experts, lam=1.0, methods=[name])
        if expert > 1:  # beyond the clip the lean is cut off on one side only, if at all
            says = 1
            assert replay.confidence[name][0] == 0
        assert replay.errors[name][0] == (says != label)


@pytest.mark.parametrize("name", OTHERS)
def test_rules_are_stable_on_long_tasks(name):
    """5000 examples: sums of losses far beyond what an exponential can hold, and members that change their place."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 2))
    y = np.where(X[:, 0] * np.where(np.arange(5000) < 2500, 1, -1) >= 0, 1, -1)
    case = Case([(X[:3], y[:3]), (X[3:6], -y[3:6]), (X, y)], 0.1, "Linear", (0.5,), "advice", "known")
    truth = case.reference()
    values, _ = reference.run_rule(name, truth, case.dense, case.alpha)
    run = aklo.mix(aklo.learn(aklo.TaskStream.of(case.tasks), lam=0.1), methods=[name], **case.options)
    assert np.isfinite(run.replay(2).confidence[name]).all()
    same_errors(run.errors[name][2], (values[2] >= 0) != (y > 0), values[2])


@pytest.mark.parametrize("name", OTHERS)
def test_rules_do_not_peek(name):
    """A label changes nothing that was said up to its own example."""
    rng = np.random.default_rng(1)
    X, y, W = rng.normal(size=(12, 2)), rng.choice([-1, 1], 12), rng.normal(size=(3, 2))
    options = {"experts": W, "lam": 0.5, "methods": [name], "alpha": aklo.Power(0.5), "clip": "advice"}
    before = aklo.play(X, y, **options)
    for t in range(12):
        changed = y.copy()
        changed[t] = -y[t]
        after = aklo.play(X, changed, **options)
        close(after.confidence[name][: t + 1], before.confidence[name][: t + 1])
        close(after.method_weights[name][: t + 1], before.method_weights[name][: t + 1])
        close(after.method_alpha[name][: t + 1], before.method_alpha[name][: t + 1])


whole = st.integers(-2, 2).map(float)
told_tasks = st.lists(
    st.lists(st.tuples(whole, whole, st.sampled_from([-1, 1])), min_size=1, max_size=8), min_size=1, max_size=4
)


@settings(max_examples=80, deadline=None)
@given(told_tasks, st.integers(0, 2), st.sampled_from([0.5, 1.0, 3.0]))
def test_sandbox_matches_the_reference_step_by_step(examples, n_base, lam):
    """Each example is asked about before its label is told, on whole numbers, where ties are exact.

    The first tasks are the sandbox's stream; without any it has no experts. What learners and experts say is taken as
    the library has it, since test_world compares that with the reference.
    """
    tasks = [(np.array([e[:2] for e in task]), np.array([float(e[2]) for e in task])) for task in examples]
    n_base = min(n_base, len(tasks) - 1)
    options = {"alpha": aklo.Power(0.5), "clip": "advice", "methods": ALL}
    if n_base:
        world = aklo.World.after(aklo.learn(aklo.TaskStream.of(tasks[:n_base]), lam=lam), **options)
    else:
        world = aklo.World(np.zeros((0, 2)), (np.zeros(2), 0), lam, seed=0, **options)
    for X, y in tasks[n_base:]:
        asked = [world.ask(X[:t], y[:t], X[t]) for t in range(len(y))]
        own, tol = ([float(one.confidence[name][-1]) for one in asked] for name in ("ITOL", "TOL"))
        advice = [one.advice[-1].tolist() for one in asked]
        for name in OTHERS:
            learners = [[c, j] if name == "One pool with TOL" else [c] for c, j in zip(own, tol, strict=True)]
            alphas = reference.power(len(y), 0.5).tolist()
            found = (
                list(reference.RULES[name](learners, advice, y.astype(int).tolist(), alphas))
                if len(world.experts)
                else [(c, [1.0]) for c in own]  # the learner predicts alone
            )
            values, alone = np.array([value for value, _ in found]), np.array([p[0] for _, p in found])
            close(np.array([one.confidence[name][-1] for one in asked]), values)
            close(np.array([one.method_alpha[name][-1] for one in asked]), 1 - alone)
            said = np.array([aklo.world.said(one)[name] for one in asked])
            same_errors(said < 0, values < 0, values)
            np.testing.assert_array_equal(said[np.abs(values) < 1e-15], 1)  # a tie that the reference sees as well
        world = world.finish(X, y)


@pytest.mark.parametrize("name", OTHERS)
def test_sandbox_predicts_plus_one_at_a_tie_and_follows_a_hair_on_either_side(name):
    """Two experts of opposite tasks, the second a hair fainter, as loud or a hair louder than the first."""
    for hair, says in ((1e-6, 1), (0.0, 1), (-1e-6, -1)):
        tasks = [(np.array([[1.0, 0.0]]), np.array([1.0])), (np.array([[1.0 - hair, 0.0]]), np.array([-1.0]))]
        world = aklo.World.after(aklo.learn(aklo.TaskStream.of(tasks), lam=4.0), methods=[name])
        asked = world.ask([], [], [1.0, 0.0])
        assert aklo.world.said(asked)[name] == says
        assert (asked.confidence[name][0] == 0) == (hair == 0)
        for label in (1.0, -1.0):  # whatever the label turns out to be
            assert world.play([[1.0, 0.0]], [label]).errors[name][0] == (says != label)


def test_a_rule_that_sets_its_own_alpha_depends_on_no_setting():
    """Not on schedule, clip, horizon or seed, and its errors are computed once."""
    learned = aklo.learn(aklo.syn1(6, 20), lam=1e-3)
    own = [name for name in OTHERS if aklo.RULES[name].sets_alpha]
    assert len(own) == 5
    first = aklo.mix(learned, methods=own)
    again = aklo.mix(learned, alpha=aklo.Power(0.5), clip="advice", horizon="unknown", seed=3, methods=own)
    np.testing.assert_array_equal(first.wrong, again.wrong)
    assert {rule.name for rule in learned.rule_errors} == set(own)
    scheduled = [
        aklo.mix(learned, alpha=alpha, methods=["AKLO, rate 1/2"]).wrong
        for alpha in (aklo.Linear(), aklo.Constant(0.0))
    ]
    assert (scheduled[0] != scheduled[1]).any()


def test_two_levels_keeps_its_bound():
    """Mistakes <= min(sum (c - y)^2, min_i L_i + 8 ln T) + 8 ln 2, on data meant to hurt."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        N, T = int(rng.integers(1, 60)), int(rng.integers(1, 6))
        X, W = rng.normal(size=(N, 2)), 3 * rng.normal(size=(T, 2))
        y = np.where((X @ W[0] >= 0) ^ (np.arange(N) > rng.integers(0, 60)), 1, -1)
        replay = aklo.play(X, y, experts=W, lam=1.0, methods=["ITOL", "Two levels"])
        own = ((replay.confidence["ITOL"] - y) ** 2).sum()
        experts = ((replay.advice - y[:, None]) ** 2).sum(axis=0).min() + 8 * math.log(T)
        assert replay.errors["Two levels"].sum() <= min(own, experts) + 8 * math.log(2) + 1e-9


# ---------------------------------------------------------------------------------------- asked for by name


def test_methods_are_the_papers_six_and_rules_are_all():
    assert tuple(aklo.METHODS) == reference.METHODS
    assert tuple(aklo.RULES) == ALL
    assert all(method.about.endswith(".") for method in aklo.RULES.values())
    assert not any(aklo.RULES[name].sets_alpha for name in (*aklo.METHODS, "AKLO, rate 1/2"))


def test_a_method_does_not_depend_on_which_others_are_asked_for():
    stream = aklo.conflict(90, n_tasks=7, n_examples=15, seed=2)
    options = {"lam": 0.1, "alpha": aklo.Linear(0.5), "clip": "advice", "seed": 4}
    whole = aklo.run(stream, methods=ALL, **options)
    six = aklo.run(stream, **options)
    assert six.methods == aklo.METHODS and list(whole.ace.index) == list(ALL) == list(whole.errors)
    np.testing.assert_array_equal(whole.wrong[:6], six.wrong)
    for names in (["One pool"], ["AKLO Sum", "One pool with TOL", "ITOL"], ["TOL"]):
        some = aklo.run(stream, methods=names, **options)
        assert list(some.ace.index) == names
        for name in names:
            np.testing.assert_array_equal(some.wrong[names.index(name)], whole.wrong[ALL.index(name)])
            np.testing.assert_array_equal(some.replay(5).errors[name], whole.replay(5).errors[name])
        assert some.replay(0).methods == some.replay(5).methods == tuple(names)


def test_large_streams_give_the_same_errors_without_cached_scores():
    learned = [aklo.learn(aklo.syn1(9, 12, seed=1), lam=1e-3, budget=budget) for budget in (0, 2**28)]
    small, large = (aklo.mix(one, methods=ALL).wrong for one in learned)
    np.testing.assert_array_equal(small, large)


def test_repeat_sweep_transfer_and_choose_lambda_take_methods():
    source = aklo.syn2(6, 15, seed=3)
    names = ("ITOL", "AKLO Sum", "One pool")
    repeats = aklo.repeat(source, 3, lam=0.01, methods=names)
    assert repeats.task_errors.shape == (3, 3, 6) and list(repeats.table.index) == list(names)
    assert len(repeats.differences()) == 3 and list(repeats.against("One pool").index) == list(names)
    refused(lambda: repeats.against("TOL"), "TOL")
    six = aklo.repeat(source, 3, lam=0.01)
    np.testing.assert_array_equal(repeats.task_errors[:, :2], six.task_errors[:, [0, 5]])
    [part] = aklo.sweep(source, aklo.grid([0.01], [aklo.Linear()]), n=3, methods=names)
    assert list(part["method"]) == 3 * list(names)  # a row for each repetition
    np.testing.assert_allclose(part.groupby("method", sort=False)["ace"].mean(), repeats.table["mean"])
    table = aklo.Transfer.of(repeats.task_errors, names).table
    assert list(table.index) == list(names) and table.loc["ITOL", "mean"] == 0
    refused(lambda: aklo.Transfer.of(repeats.task_errors, names[1:]), "ITOL", "AKLO Sum")
    [(_, found)] = aklo.transfer_map([(90, 0.5)], 2, lam=0.1, methods=names)
    assert found.ace.shape == (2, 3)
    for method in ("TOL", "AKLO Sum", "One pool"):
        errors = {lam: aklo.run(source, lam=lam, methods=[method]).ace[method] for lam in aklo.LAMBDAS}
        choice = aklo.choose_lambda(source, method=method)
        assert choice.errors.to_dict() == pytest.approx(errors) and choice.errors[choice.lam] == min(errors.values())


def test_unknown_repeated_and_missing_methods_are_refused():
    stream = aklo.syn1(3, 5)
    refused(lambda: aklo.run(stream, lam=0.1, methods=["AKLO"]), "'AKLO'", "One pool")
    refused(lambda: aklo.run(stream, lam=0.1, methods=[]), "at least one")
    refused(lambda: aklo.run(stream, lam=0.1, methods=["TOL", "TOL"]), "twice")
    refused(lambda: aklo.repeat(stream, 2, lam=0.1, methods=["Nobody"]), "'Nobody'")
    refused(lambda: aklo.choose_lambda(stream, method="Nobody"), "'Nobody'")
    assert list(aklo.run(stream, lam=0.1, methods="TOL").ace.index) == ["TOL"]


def test_command_line_takes_methods(tmp_path: Path):
    small = ["--n-tasks", "4", "--n-examples", "9", "-R", "2"]
    done = CliRunner().invoke(cli, ["run", *small, "--method", "One pool", "--method", "ITOL"])
    assert done.exit_code == 0, done.output
    assert [line.rsplit(maxsplit=2)[0] for line in done.stdout.splitlines()[2:]] == ["One pool", "ITOL"]
    done = CliRunner().invoke(cli, ["run", *small, "--method", "all", "--csv"])
    assert list(pd.read_csv(io.StringIO(done.stdout))["method"]) == list(aklo.RULES)
    assert "One pool" in str(CliRunner().invoke(cli, ["run", "--method", "Nobody"]).exception)
    table = tmp_path / "sweep.csv"
    words = ["sweep", *small, "--reading", "printed", "--csv", str(table)]
    for more, rows in (([], 6), (["--method", "One pool", "--method", "ITOL"], 7), (["--method", "all"], 12)):
        done = CliRunner().invoke(cli, [*words, *more])
        assert done.exit_code == 0, done.output
        found = pd.read_csv(table)
        assert len(found) == 2 * rows and not found[["method", "repetition"]].duplicated().any()


# ---------------------------------------------------------------------------------------- own rules


SCRIPT = """
import numpy as np
import aklo

class Leader(aklo.Rule):
    name = "Leader"
    about = "Trusts the best member so far alone."

    def weights(self, pool):
        losses = np.where(pool.prior > 0, pool.losses, np.inf)
        return (losses == losses.min(axis=-1, keepdims=True)).astype(float)
"""
USE = (
    SCRIPT
    + """
if __name__ == "__main__":
    stream = aklo.syn1(5, 20)
    run = aklo.run(stream, lam=1e-3, methods=(*aklo.METHODS, "Leader"))
    assert list(run.ace.index)[-1] == "Leader"
    replay = run.replay(4)
    wanted = [np.count_nonzero(e) for e in run.errors["Leader"]][4]
    assert replay.errors["Leader"].sum() == wanted
    assert np.allclose(replay.method_weights["Leader"].sum(axis=1)[replay.method_alpha["Leader"] > 0], 1)
    cells = aklo.grid([1e-3, 1e-2], [aklo.Linear()])
    names = ["Leader", "ITOL"]
    one, two = ([p.to_csv() for p in aklo.sweep(stream, cells, n=2, jobs=jobs, methods=names)] for jobs in (1, 2))
    assert one == two and "Leader" in one[0]
    print(aklo.styles.STROKES["Leader"].dash, run.ace["Leader"])
"""
)


def test_a_script_registers_a_rule_and_uses_it_in_several_processes(tmp_path: Path):
    path = tmp_path / "leader.py"
    path.write_text(USE)
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(SPARE[0].dash)


def test_command_line_loads_a_file_of_rules(tmp_path: Path):
    path = tmp_path / "leader.py"
    path.write_text(SCRIPT)
    words = ["run", "--n-tasks", "4", "--n-examples", "9", "-R", "2", "--rules", str(path), "--method", "Leader"]
    try:
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0 and "Leader" in done.stdout, done.output
        sweep = ["sweep", *words[1:], "--csv", str(tmp_path / "t.csv"), "--jobs", "2"]
        done = CliRunner().invoke(cli, sweep)
        assert done.exit_code == 0, done.output
        assert set(pd.read_csv(tmp_path / "t.csv")["method"]) == {"Leader"}
    finally:
        aklo.RULES.pop("Leader", None)
        STROKES.pop("Leader", None)
    bad = CliRunner().invoke(cli, ["run", "--rules", str(tmp_path / "none.py")])
    assert "none.py" in bad.output + str(bad.exception)
    path.write_text("1/0")
    bad = CliRunner().invoke(cli, ["run", "--rules", str(path)])
    assert "ZeroDivisionError" in bad.output + str(bad.exception)


@pytest.fixture
def clean_registry():
    rules, strokes = dict(aklo.RULES), dict(STROKES)
    yield
    aklo.RULES.clear(), aklo.RULES.update(rules)
    STROKES.clear(), STROKES.update(strokes)


def test_defining_a_rule_again_replaces_it(clean_registry):
    """As happens when a notebook's cell is run again."""
    learned = aklo.learn(aklo.syn1(4, 30), lam=1e-3)
    found = []
    for member in (0, 1):

        class Dictator(aklo.Rule):
            name = "Dictator"
            about = "One member alone."
            chosen = member

            def weights(self, pool):
                p = np.zeros(pool.shape)
                p[:, :, self.chosen] = 1.0
                return p

        found.append(aklo.mix(learned, methods=["Dictator"]).wrong)
    np.testing.assert_array_equal(found[0][0], learned.baseline_errors[0])
    assert (found[0] != found[1]).any()
    assert list(aklo.RULES)[-1] == "Dictator" and STROKES["Dictator"] in SPARE


def test_bad_rules_are_refused(clean_registry):
    refused(lambda: type("Fake", (aklo.Rule,), {"name": "AKLO Sum"}), "AKLO Sum", "another name")
    refused(lambda: type("Fake", (aklo.Rule,), {"name": "two\nlines"}), "two")
    for value in (0.0, -1.0, np.nan, np.inf):
        type("Empty", (aklo.Rule,), {"name": "Empty", "weights": lambda self, pool, v=value: np.full(pool.shape, v)})
        refused(lambda: aklo.run(aklo.syn1(3, 5), lam=0.1, methods=["Empty"]), "Empty", "finite")
    type("Short", (aklo.Rule,), {"name": "Short", "weights": lambda self, pool: pool.prior})
    refused(lambda: aklo.run(aklo.syn1(3, 5), lam=0.1, methods=["Short"]), "Short", "shape")
    doubled = {"weights": lambda self, pool: np.multiply(pool.losses, 2, out=pool.losses)}
    type("Greedy", (aklo.Rule,), {"name": "Greedy", **doubled})
    with pytest.raises(ValueError, match="read-only"):
        aklo.run(aklo.syn1(3, 5), lam=0.1, methods=["Greedy"])


def test_registered_methods_survive_pickling():
    for rule in aklo.RULES.values():
        assert pickle.loads(pickle.dumps(rule)).name == rule.name


# ---------------------------------------------------------------------------------------- colours


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_every_method_has_a_colour_and_a_dash_of_its_own():
    from aklo.lab.charts.palette import DARK, LIGHT

    strokes = [*STROKES.values(), *SPARE]
    assert tuple(STROKES) == ALL
    for part in ("light", "dark", "dash", "pattern"):
        assert len({getattr(stroke, part) for stroke in strokes}) == len(strokes), part
    for stroke in strokes:
        for colour, ground in ((stroke.light, LIGHT.ground), (stroke.dark, DARK.ground)):
            high, low = sorted((luminance(colour), luminance(ground)), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= 3, (stroke, colour, ground)
