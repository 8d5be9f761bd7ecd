"""Tasks told one example at a time: the same numbers as for the whole stream, and nothing that peeks."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo
from aklo.lab.session import sandbox_story
from aklo.world import World, answer, said

from . import reference

SCHEDULES = [aklo.Power(0.5), aklo.Constant(0.7), aklo.Step(at=3), aklo.Exponential(5), aklo.Logistic(4, 2)]


def told_tasks(seed: int, lengths: list[int], whole: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    """What somebody clicked; on whole numbers, where margins and ties are hit exactly."""
    rng = np.random.default_rng(seed)
    tasks = []
    for n in lengths:
        X = rng.integers(-3, 4, (n, 2)).astype(float) if whole else rng.normal(0, 2, (n, 2)).round(4)
        tasks.append((X, rng.choice([-1.0, 1.0], n)))
    return tasks


def one_by_one(world: World, tasks: list) -> list[dict]:
    """Ask about each example, then tell its label, then finish the task: what every method said and got wrong."""
    found = []
    for X, y in tasks:
        confidence = {m: [] for m in aklo.METHODS}
        wrong = {m: [] for m in aklo.METHODS}
        for t in range(len(y)):
            asked = world.ask(X[:t], y[:t], X[t])
            assert len(asked) == t + 1
            for method, says in said(asked).items():
                confidence[method].append(asked.confidence[method][-1])
                wrong[method].append(says != y[t])
        found.append({"confidence": confidence, "errors": wrong, "weights": world.play(X, y).weights, "world": world})
        world = world.finish(X, y)
    return found


@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.sampled_from(SCHEDULES),
    st.sampled_from(aklo.CLIPS),
    st.sampled_from([1e-3, 0.1, 1.0]),
    st.booleans(),
)
@settings(max_examples=60)
def test_interactive_tasks_equal_the_whole_stream(seed, n_base, lengths, alpha, clip, lam, whole):
    """All six methods, predictions and errors: example by example, and as one stream by learn and mix."""
    base = told_tasks(seed + 1, [6] * n_base, whole)
    tasks = told_tasks(seed, lengths, whole)
    world = World.after(aklo.learn(aklo.TaskStream.of(base), lam=lam), alpha=alpha, clip=clip, seed=seed)
    told = one_by_one(world, tasks)

    run = aklo.run(aklo.TaskStream.of([*base, *tasks]), lam=lam, alpha=alpha, clip=clip, horizon="unknown", seed=seed)
    # The sampling methods' draws come from elsewhere than in a stream whose length is known: give the run the same.
    u = run.u.copy()
    offsets = run.learned.offsets[n_base:]
    for k, found in enumerate(told):
        u[:, offsets[k] : offsets[k + 1]] = found["world"].uniform_draws(len(tasks[k][1]))
    run = replace(run, u=u)
    for k, found in enumerate(told):
        batch = run.replay(n_base + k)
        np.testing.assert_allclose(found["world"].experts, run.learned.experts[0][: n_base + k], atol=1e-9, rtol=1e-12)
        np.testing.assert_allclose(found["weights"], batch.weights, atol=1e-12)
        for method in aklo.METHODS:
            seen, core = np.array(found["confidence"][method]), batch.confidence[method]
            np.testing.assert_allclose(seen, core, atol=1e-9)
            clear = np.abs(core) > 1e-9  # below, a tie beyond floating point: either sign is right
            np.testing.assert_array_equal(np.array(found["errors"][method])[clear], batch.errors[method][clear])
            if method not in aklo.SAMPLING:
                np.testing.assert_array_equal(batch.errors[method], run.errors[method][n_base + k])


def test_predictions_match_the_reference():
    """The reference knows nothing of worlds: it plays the knowledge base's tasks and the told ones as one stream."""
    base = aklo.syn1(5, 20, seed=3)
    tasks = [(t.X, t.y) for t in (aklo.syn1(2, 15, seed=8)[k] for k in range(2))]
    world = World.after(aklo.learn(base, lam=0.01), alpha=aklo.Power(0.5), clip="advice")
    told = one_by_one(world, tasks)
    literal = reference.run(
        [(base[k].X, base[k].y) for k in range(5)] + tasks, 0.01, lambda n: reference.power(n, 0.5), "advice", "unknown"
    )
    for k, found in enumerate(told):
        for method in ("ITOL", "TOL", "Unif Sum", "AKLO Sum"):
            np.testing.assert_allclose(found["confidence"][method], literal.confidence[method][5 + k], atol=1e-9)
            np.testing.assert_array_equal(found["errors"][method], literal.errors[method][5 + k])


@pytest.mark.parametrize("clip", aklo.CLIPS)
def test_prediction_does_not_depend_on_the_coming_label(clip):
    """Nor do those after it: what was said stays said, the draws too."""
    world = World.after(aklo.learn(aklo.syn1(4, 30), lam=0.1), clip=clip, seed=5)
    X = np.random.default_rng(1).normal(10, 2, (12, 2))
    plus, minus = world.play(X, np.append(np.ones(11), 1)), world.play(X, np.append(np.ones(11), -1))
    asked = world.ask(X[:7], np.ones(7), X[7])
    for method in aklo.METHODS:
        np.testing.assert_array_equal(plus.confidence[method], minus.confidence[method])
        assert asked.confidence[method][-1] == plus.confidence[method][7]
    for method in aklo.SAMPLING:
        np.testing.assert_array_equal(asked.drawn[method], plus.drawn[method][:8])


def test_tol_continues_after_the_stream():
    base, (X, y) = aklo.syn2(3, 40, seed=2), told_tasks(4, [10], whole=False)[0]
    world = World.after(aklo.learn(base, lam=0.1))
    joined = aklo.TaskStream.of([*((base[k].X, base[k].y) for k in range(3)), (X, y)])
    learned = aklo.learn(joined, lam=0.1)
    np.testing.assert_array_equal(world.play(X, y).joint.score, learned.joint_score[-10:])
    assert world.joint[1] == 120 and world.finish(X, y).joint[1] == 130


def test_adversary_makes_the_method_wrong_at_every_step():
    world = World.after(aklo.learn(aklo.syn1(6, 40), lam=0.001), clip="advice")
    X, y = aklo.syn1(1, 30, seed=9).X, []
    for t in range(30):
        y.append(-said(world.ask(X[:t], y, X[t]))["AKLO Sum"])
    errors = world.play(X, y).errors
    assert errors["AKLO Sum"].all()
    assert any(not wrong.all() for wrong in errors.values())


def test_schedules_that_need_the_horizon_are_refused():
    world = World.after(aklo.learn(aklo.syn1(2, 5), lam=0.1), alpha=aklo.Linear())
    with pytest.raises(ValueError, match="Linear needs to know the number of examples"):
        world.ask([], [], [1.0, 2.0])


def test_answer_is_the_sign_of_the_inner_product():
    assert [answer(np.array([1.0, -1.0]), x) for x in ([2.0, 1.0], [1.0, 2.0], [1.0, 1.0])] == [1, -1, 1]


# ------------------------------------------------------------------------------------ what a browser sends


def test_a_story_is_read():
    found, note = sandbox_story.read({"serial": 7, "tasks": [[1, 2.5, 1, 3, 4, -1]], "now": [0, 0, 1], "ask": [5, 6]})
    assert note == "" and found.serial == 7 and found.ask == (5.0, 6.0)
    np.testing.assert_array_equal(found.tasks[0].X, [[1, 2.5], [3, 4]])
    np.testing.assert_array_equal(found.now.y, [1])
    nothing, note = sandbox_story.read(None)
    assert (note, len(nothing.tasks), len(nothing.now.y), nothing.ask, nothing.serial) == ("", 0, 0, None, 0)


@pytest.mark.parametrize(
    "sent",
    [
        "text",
        [1, 2],
        {"now": [1, 2]},
        {"now": [1, 2, 0]},
        {"now": [1, 2, True]},
        {"now": ["1", 2, 1]},
        {"now": [float("nan"), 2, 1]},
        {"now": [float("inf"), 2, 1]},
        {"now": [1e9, 2, 1]},
        {"now": [10**400, 2, 1]},
        {"now": "abc"},
        {"now": {"a": 1}},
        {"ask": [1]},
        {"ask": [1, None]},
        {"ask": [1, float("nan")]},
        {"ask": 3},
        {"tasks": [[]]},
        {"tasks": 5},
        {"tasks": [[1, 1, 1]] * (sandbox_story.TASKS + 1)},
        {"now": [1, 1, 1] * (sandbox_story.IN_A_TASK + 1)},
        {"tasks": [[1, 1, 1] * sandbox_story.IN_A_TASK] * 10},
        {"serial": "x"},
        {"serial": -1},
    ],
)
def test_what_is_not_a_story_is_refused_in_a_sentence(sent):
    if isinstance(sent, dict):
        sent = {"serial": 3, "tasks": [], "now": [], "ask": None} | sent
    found, note = sandbox_story.read(sent)
    assert note.endswith(".") and "\n" not in note
    assert not found.tasks and not len(found.now.y) and found.ask is None


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["now", "tasks", "ask"]), inner),
    max_leaves=20,
)


@given(st.fixed_dictionaries({"serial": json, "tasks": json, "now": json, "ask": json}) | json)
@settings(max_examples=150)
def test_anything_is_answered(sent):
    found, note = sandbox_story.read(sent)
    assert isinstance(note, str)
    assert np.isfinite(found.now.X).all() and found.now.X.shape == (len(found.now.y), 2)
