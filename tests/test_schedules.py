"""The alpha schedules against the contract's formulas, and at their edges."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aklo

from . import reference

share = st.floats(0, 1)
PARAMETERS = {
    "Linear": st.tuples(share),
    "Cosine": st.just(()),
    "Custom": st.lists(share, min_size=1, max_size=12).map(lambda points: (sorted(points, reverse=True),)),
    "Constant": st.tuples(share),
    "Exponential": st.tuples(st.floats(0.5, 1000)),
    "Power": st.tuples(st.floats(0, 10)),
    "Step": st.tuples(st.integers(0, 250)),
    "Logistic": st.tuples(st.floats(-50, 250), st.floats(0.5, 100)),
}
CONTRACT = [
    (aklo.Linear(end=0.0), "Linear", (0.0,)),
    (aklo.Linear(), "Linear", (0.0,)),
    (aklo.Constant(1.0), "Constant", (1.0,)),
    (aklo.Exponential(half_life=20), "Exponential", (20,)),
    (aklo.Power(0.5), "Power", (0.5,)),
    (aklo.Step(at=30), "Step", (30,)),
    (aklo.Logistic(middle=50, width=10), "Logistic", (50, 10)),
    (aklo.Cosine(), "Cosine", ()),
    (aklo.Custom([1, 0.8, 0.5]), "Custom", ([1, 0.8, 0.5],)),
]
schedules = st.sampled_from(sorted(PARAMETERS)).flatmap(lambda name: st.tuples(st.just(name), PARAMETERS[name]))


def ids(value):
    """Readable test names."""
    return repr(value) if not isinstance(value, (tuple, str)) else ""


@pytest.mark.parametrize(("schedule", "name", "parameters"), CONTRACT, ids=ids)
def test_values_match_the_reference(schedule, name, parameters):
    """The keywords of the contract, and its formulas."""
    for n in (1, 2, 3, 7, 100):
        values = schedule.values(n)
        assert isinstance(values, np.ndarray)
        assert values.shape == (n,)
        assert values.dtype == float
        assert values == pytest.approx(reference.SCHEDULES[name](n, *parameters), rel=1e-12, abs=1e-15)


@settings(max_examples=300)
@given(schedules, st.integers(1, 200))
def test_values_match_the_formula_and_never_rise(schedule, n):
    """Any legal parameters: the literal formula, never rising, inside [0, 1], without a warning."""
    name, parameters = schedule
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = getattr(aklo, name)(*parameters).values(n)
    assert values.shape == (n,)
    assert values == pytest.approx(reference.SCHEDULES[name](n, *parameters), rel=1e-9, abs=1e-12)
    assert np.all((values >= 0) & (values <= 1))
    assert np.all(np.diff(values) <= 0)


def test_values_match_hand_computations():
    """A few that anybody can check."""
    assert aklo.Linear().values(4).tolist() == [1, 0.75, 0.5, 0.25]
    assert aklo.Linear(end=0.5).values(4).tolist() == [1, 0.875, 0.75, 0.625]
    assert aklo.Cosine().values(2) == pytest.approx([1, 0.5])
    assert aklo.Custom([1, 0.8, 0.5]).values(3) == pytest.approx([1, 0.8, 0.5])
    assert aklo.Custom([1, 0.5, 0]).values(5) == pytest.approx([1, 0.75, 0.5, 0.25, 0])
    assert aklo.Custom([0.3]).values(3) == pytest.approx([0.3] * 3)
    assert aklo.Constant(0.25).values(2).tolist() == [0.25, 0.25]
    assert aklo.Exponential(half_life=2).values(5) == pytest.approx([1, 2**-0.5, 0.5, 2**-1.5, 0.25])
    assert aklo.Power(1).values(4) == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert aklo.Step(at=2).values(4).tolist() == [1, 1, 0, 0]
    s = [1 / (1 + math.exp(-z)) for z in (1, 0, -1)]
    assert aklo.Logistic(middle=2, width=1).values(3) == pytest.approx([1, s[1] / s[0], s[2] / s[0]])


@pytest.mark.parametrize(
    ("make", "parameters"),
    [
        (aklo.Custom, ([0.2, 0.9],)),
        (aklo.Custom, ([1, 0.5, 0.6],)),
        (aklo.Custom, ([1.5, 0.5],)),
        (aklo.Custom, ([1, -0.5],)),
        (aklo.Custom, ([1, math.nan, 0.5],)),
        (aklo.Custom, ([],)),
        (aklo.Constant, (1.01,)),
        (aklo.Constant, (-0.01,)),
        (aklo.Constant, (math.nan,)),
        (aklo.Linear, (1.5,)),
        (aklo.Linear, (-0.5,)),
        (aklo.Linear, (math.nan,)),
        (aklo.Exponential, (0,)),
        (aklo.Exponential, (-3,)),
        (aklo.Exponential, (math.nan,)),
        (aklo.Logistic, (50, 0)),
        (aklo.Logistic, (50, -10)),
        (aklo.Logistic, (math.nan, 10)),
        (aklo.Power, (-0.5,)),
        (aklo.Power, (math.nan,)),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value),
)
def test_bad_parameters_are_refused(make, parameters):
    """Rising, outside [0, 1] or not a number: ValueError in one sentence, at the latest when the values are asked."""
    with pytest.raises(ValueError, match=r"\.\Z") as caught, np.errstate(all="ignore"):
        make(*parameters).values(50)
    assert "\n" not in str(caught.value)


def test_only_some_schedules_need_the_horizon():
    """Exactly the starred ones of the table, told by the class and by its instances."""
    for schedule, name, _ in CONTRACT:
        assert schedule.needs_horizon is (name in reference.NEED_HORIZON)
        assert getattr(aklo, name).needs_horizon is (name in reference.NEED_HORIZON)


@pytest.mark.parametrize(("schedule", "name"), [(schedule, name) for schedule, name, _ in CONTRACT], ids=ids)
def test_unknown_horizon_refuses_schedules_that_need_it(schedule, name):
    """A schedule that needs N is refused by name when N is unknown; the others run."""
    rng = np.random.default_rng(0)
    tasks = [(rng.normal(size=(5, 2)), rng.choice([-1, 1], size=5)) for _ in range(3)]
    learned = aklo.learn(aklo.TaskStream.of(tasks), lam=0.5)
    if name not in reference.NEED_HORIZON:
        assert aklo.mix(learned, alpha=schedule, clip="sum", horizon="unknown", seed=0).ace.notna().all()
        return
    with pytest.raises(ValueError, match=rf"{name}.*\.\Z"):  # . is no newline: one line
        aklo.mix(learned, alpha=schedule, clip="sum", horizon="unknown", seed=0)
    with pytest.raises(ValueError, match=rf"{name}.*\.\Z"):
        aklo.play(*tasks[0], experts=np.eye(2), lam=0.5, alpha=schedule, clip="sum", horizon="unknown", seed=0)


@pytest.mark.parametrize("n", [1, 2, 200])
@pytest.mark.parametrize(
    ("schedule", "second"),
    [
        (aklo.Logistic(middle=-1000, width=0.01), math.exp(-100)),  # both s underflow, their ratio does not
        (aklo.Logistic(middle=1e6, width=0.01), 1.0),
        (aklo.Logistic(middle=50, width=1e-6), 1.0),
        (aklo.Logistic(middle=1, width=1e-6), 0.0),
        (aklo.Exponential(1e-3), 2.0**-1000),
        (aklo.Exponential(1e-6), 0.0),
        (aklo.Exponential(1e12), 1.0),
        (aklo.Power(50), 2.0**-50),
        (aklo.Power(5000), 0.0),
        (aklo.Power(0), 1.0),
        (aklo.Step(at=0), 0.0),
        (aklo.Step(at=10**9), 1.0),
    ],
    ids=repr,
)
def test_extreme_parameters_give_valid_values(schedule, second, n):
    """No NaN, no warning, and alpha_2 as computed by hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = schedule.values(n)
    assert np.all((values >= 0) & (values <= 1))
    assert np.all(np.diff(values) <= 0)
    if not isinstance(schedule, aklo.Step):
        assert values[0] == 1
    if n > 1:
        assert values[1] == pytest.approx(second, rel=1e-6, abs=1e-300)


@pytest.mark.parametrize("text", ["custom:1,0.5,0.9", "custom:points=1,0.5", "linear:end=0.5,end=0.7"])
def test_parameter_that_is_given_twice_is_refused(text):
    """Not the last one taken without a word; several numbers are separated by a slash."""
    with pytest.raises(ValueError, match="given twice") as caught:
        aklo.Schedule.parse(text)
    assert ("1/0.8/0.5" in str(caught.value)) == text.startswith("custom")
