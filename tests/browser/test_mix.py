"""The browser's mix against `aklo.mix`, prediction by prediction, and its schedules against `aklo.schedules`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import aklo
from aklo.lab.components.alpha_picture import IN_BROWSER
from aklo.lab.compute import mix_data
from aklo.learned import draws
from aklo.schedules import SCHEDULES
from tests.browser.javascript import Modules, text
from tests.sent import read_block
from tests.test_exact import SCHEDULES as PARAMETERS
from tests.test_exact import make_stream

# Mixes every task, and the whole stream.
MIX = """
  const { prepare, mixTask, mixStream } = await load("shared/mix.js");
  const { parseSchedule, scheduleValues } = await load("shared/schedules.js");
  const tasks = prepare(bytes(given.block));
  return given.cases.map(([spec, clip, horizon]) => {
    const schedule = parseSchedule(spec);
    const alphaOf = (n) => scheduleValues(schedule, n);
    const reading = { clip, horizon };
    const found = tasks.map((task) => mixTask(task, alphaOf(task.n), reading));
    const plain = (name) => found.map((one) => Array.from(one[name]));
    return {
      mistakes: Array.from(mixStream(tasks, alphaOf, reading)),
      ...Object.fromEntries(given.names.map((name) => [name, plain(name)])),
    };
  });
"""
VALUES = """
  const { parseSchedule, scheduleSpec, scheduleValues } = await load("shared/schedules.js");
  return given.map(([spec, n]) => {
    const schedule = parseSchedule(spec);
    return [scheduleSpec(schedule), Array.from(scheduleValues(schedule, n))];
  });
"""
NAMES = ("alpha", "weights", "values", "wrong", "drawn", "expected")
READINGS = [(clip, horizon) for clip in aklo.CLIPS for horizon in aklo.HORIZONS]


@pytest.fixture
def modules(visitor) -> Modules:
    return Modules(visitor(fresh=True))


def mixed(modules: Modules, block: bytes, cases: list) -> list[dict]:
    """What the browser finds for each case (spec, clip, horizon)."""
    return modules.run(MIX, {"block": text(block), "cases": cases, "names": NAMES})


def schedules(horizon: str) -> list[aklo.Schedule]:
    """Every kind with the parameters that it starts with, and the ends of alpha."""
    ends = [aklo.Constant(0.0), aklo.Constant(0.5), aklo.Linear(0.5), aklo.Step(1), aklo.Step(0), aklo.Power(1)]
    found = [kind() for kind in SCHEDULES.values()] + ends
    return [one for one in found if horizon == "known" or not one.needs_horizon]


def ties(n: int) -> list:
    """Tasks on whole numbers, whose experts contradict one another: scores, sums and mixtures that are exactly 0."""
    rng = np.random.default_rng(5)
    tasks = []
    for k in range(6):
        X = rng.integers(-1, 2, size=(n, 2)).astype(float)
        y = np.where(X[:, 0] >= 0, 1, -1) * (1 if k % 2 else -1)
        tasks.append((X, y))
    return tasks


STREAMS = {
    "plane": (make_stream(1, [40] * 9, 2, scale=3.0), 1e-3),
    "small steps": (make_stream(2, [33] * 7, 2), 1.0),
    "many features, so that scores are sent": (make_stream(3, [12] * 6, 30), 0.1),
    "sparse": (make_stream(4, [15] * 5, 40, sparse=True), 0.1),
    "unequal lengths": (make_stream(6, [5, 1, 17, 64, 2, 33], 3), 0.01),
    "one example each": (make_stream(7, [1] * 5, 2), 0.1),
    "one task": (make_stream(8, [20], 2), 0.1),
    "two tasks, one expert": (make_stream(9, [20, 20], 2), 0.1),
    "ties": (ties(16), 1.0),
    "ties, scores far beyond the clip": (ties(16), 1e-3),
    "syn1": ([(task.X, task.y) for task in aklo.syn1(n_tasks=12, n_examples=100, seed=3)], 1e-3),
}


def assert_same(found: dict, run: aklo.Run) -> None:
    """All that the browser has computed is what the library says."""
    learned = run.learned
    counts = []
    for k, n in enumerate(learned.lengths.tolist()):
        replay = run.replay(k)
        about = f"task {k}, {run.alpha}, {run.clip}, {run.horizon}"
        values = np.array(found["values"][k]).reshape(6, n)
        np.testing.assert_allclose(values, list(replay.confidence.values()), rtol=0, atol=1e-9, err_msg=about)
        np.testing.assert_array_equal(
            np.array(found["wrong"][k]).reshape(6, n), [run.errors[name][k] for name in aklo.METHODS], err_msg=about
        )
        np.testing.assert_array_equal(
            np.array(found["drawn"][k]).reshape(2, n), list(replay.drawn.values()), err_msg=about
        )
        np.testing.assert_allclose(
            np.array(found["weights"][k]).reshape(n, -1), replay.weights.reshape(n, -1), rtol=1e-9, atol=1e-12
        )
        np.testing.assert_allclose(found["alpha"][k], replay.alpha, rtol=1e-13, atol=1e-15)
        expected = [run.expected[name][k] for name in aklo.SAMPLING]
        np.testing.assert_allclose(
            np.array(found["expected"][k]).reshape(2, n), expected, rtol=1e-9, atol=1e-12, err_msg=about
        )
        sums = {name: float(errors[k].sum()) for name, errors in (run.errors | run.expected).items()}
        counts.append([sums[name] for name in aklo.METHODS])
    np.testing.assert_allclose(np.array(found["mistakes"]).reshape(6, -1), np.transpose(counts), rtol=1e-9, atol=1e-9)


@pytest.mark.thorough
@pytest.mark.parametrize("name", STREAMS)
def test_every_schedule_and_reading_is_mixed_as_in_the_library(modules, name):
    tasks, lam = STREAMS[name]
    learned = aklo.learn(aklo.TaskStream.of(tasks), lam=lam)
    block = mix_data.pack(learned, draws(11, len(learned.y)), range(len(tasks)))
    cases = [(schedule, clip, horizon) for clip, horizon in READINGS for schedule in schedules(horizon)]
    results = mixed(modules, block, [(schedule.spec, clip, horizon) for schedule, clip, horizon in cases])
    for found, (schedule, clip, horizon) in zip(results, cases, strict=True):
        assert_same(found, aklo.mix(learned, alpha=schedule, clip=clip, horizon=horizon, seed=11))


@st.composite
def readings(draw: st.DrawFn) -> tuple:
    name = draw(st.sampled_from(sorted(PARAMETERS)))
    schedule = getattr(aklo, name)(*draw(PARAMETERS[name]))
    horizon = "known" if schedule.needs_horizon else draw(st.sampled_from(aklo.HORIZONS))
    return schedule, draw(st.sampled_from(aklo.CLIPS)), horizon


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    seed=st.integers(0, 2**31),
    lengths=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    d=st.integers(1, 5),
    lam=st.sampled_from([1e-3, 0.1, 1.0, 10.0]),
    cases=st.lists(readings(), min_size=1, max_size=4),
)
def test_random_streams_are_mixed_as_in_the_library(modules, seed, lengths, d, lam, cases):
    learned = aklo.learn(aklo.TaskStream.of(make_stream(seed, lengths, d)), lam=lam)
    block = mix_data.pack(learned, draws(seed, len(learned.y)), range(len(lengths)))
    results = mixed(modules, block, [(schedule.spec, clip, horizon) for schedule, clip, horizon in cases])
    for found, (schedule, clip, horizon) in zip(results, cases, strict=True):
        assert_same(found, aklo.mix(learned, alpha=schedule, clip=clip, horizon=horizon, seed=seed))


def test_weights_that_would_underflow_are_kept(modules):
    """A tiny sum of alpha gives a huge eps: only the experts with the least loss keep a weight."""
    tasks = make_stream(12, [60] * 5, 2)
    learned = aklo.learn(aklo.TaskStream.of(tasks), lam=0.1)
    block = mix_data.pack(learned, draws(0, len(learned.y)), range(5))
    for alpha in (aklo.Constant(1e-9), aklo.Constant(1e-4), aklo.Exponential(0.5)):
        found = mixed(modules, block, [(alpha.spec, "advice", "known")])[0]
        assert_same(found, aklo.mix(learned, alpha=alpha, clip="advice"))


def test_a_block_of_one_task_is_mixed_alike(modules):
    tasks, lam = STREAMS["plane"]
    learned = aklo.learn(aklo.TaskStream.of(tasks), lam=lam)
    run = aklo.mix(learned, seed=4)
    block = mix_data.pack(learned, run.u, [7])
    found = mixed(modules, block, [("linear:end=0", "sum", "known")])[0]
    assert found["wrong"][0] == [int(e) for name in aklo.METHODS for e in run.errors[name][7]]


def test_schedules_are_those_of_the_library(modules):
    cases = [(kind(), n) for kind in SCHEDULES.values() for n in (1, 2, 3, 50, 101, 1000)]
    cases += [(aklo.Custom(points), n) for points in ([0.7], [1, 0.25], [1, 0.9, 0.9, 0.1, 0]) for n in (1, 2, 41, 100)]
    cases += [(aklo.Power(k), 100) for k in (0, 0.05, 0.5, 1, 2, 3)]
    cases += [(aklo.Logistic(m, w), 100) for m in (1, 50, 1000) for w in (0.5, 10, 300)]
    cases += [(aklo.Step(at), 40) for at in (0, 1, 12.5, 40, 1000)]
    found = modules.run(VALUES, [(schedule.spec, n) for schedule, n in cases])
    for (spec, values), (schedule, n) in zip(found, cases, strict=True):
        assert spec == schedule.spec
        np.testing.assert_allclose(values, schedule.values(n), rtol=4e-15, atol=1e-300, err_msg=spec)
        if isinstance(schedule, aklo.Linear | aklo.Ramp | aklo.Custom | aklo.Step | aklo.Constant):
            np.testing.assert_array_equal(values, schedule.values(n), err_msg=spec)


def test_python_knows_which_schedules_the_browser_computes(modules):
    code = 'const { canCompute } = await load("shared/schedules.js"); return given.filter(canCompute);'
    assert set(modules.run(code, list(SCHEDULES))) == set(IN_BROWSER) == set(SCHEDULES)


def test_the_exponential_is_exact_to_two_units_in_the_last_place(modules):
    z = np.concatenate([np.linspace(0, 3, 5000), np.linspace(3, 700, 5000), [0.0, 5e-324, 1e-17]])
    code = 'const { expMinus } = await load("shared/exponential.js"); return given.map(expMinus);'
    np.testing.assert_allclose(modules.run(code, z.tolist()), np.exp(-z), rtol=5e-16, atol=0)
    assert modules.run(code, [0, 746, 1e300]) == [1, 0, 0]


def test_the_default_stream_fits_into_700_kilobytes():
    learned = aklo.learn(aklo.syn1(seed=0), lam=1e-3)
    block = mix_data.pack(learned, draws(0, len(learned.y)), range(50))
    assert len(block) < 700_000
    _, arrays = read_block(block)
    assert "S" not in arrays and arrays["X"].size == 2 * 5000


def test_scores_are_sent_where_they_are_shorter():
    learned = aklo.learn(aklo.TaskStream.of(make_stream(4, [15] * 5, 40, sparse=True)), lam=0.1)
    assert sp.issparse(learned.stream.X)
    _, arrays = read_block(mix_data.pack(learned, draws(0, 75), range(5)))
    assert arrays["S"].size == 15 * (1 + 2 + 3 + 4) and "X" not in arrays
