"""The keys of the caches: what a stream and a run depend on, and whether they are private."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import aklo
from aklo.datasets import GENERATORS
from aklo.lab.compute import runs, transfer_map
from aklo.lab.compute.stream_spec import RunSpec, StreamSpec
from aklo.lab.server.cache import Cache
from aklo.lab.session import uploads
from aklo.lab.settings.field import OWN
from aklo.lab.settings.schema import FIELDS, Settings, default
from tests.pages import mixing, sound, told
from tests.test_page_data import brought

SMALL = Settings().change(n_tasks=4, n_examples=10, task=2)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> uploads.Own:
    """A visitor's own tasks, without a page."""
    held = uploads.Uploads()
    monkeypatch.setattr(uploads, "held", lambda: held)
    collection = aklo.read_csv(table(seed=0))
    return uploads.bring(collection, bias=True, standardise=False, shuffle=True)


def table(seed: int) -> bytes:
    """A file of 4 tasks with 10 examples each, as CSV."""
    rng = np.random.default_rng(seed)
    rows = [f"t{k},{i % 2},{rng.normal():.6f},{rng.normal():.6f}" for k in range(4) for i in range(10)]
    return "\n".join(["task,y,a,b", *rows]).encode()


@pytest.mark.parametrize("dataset", GENERATORS)
def test_generated_streams_are_public(dataset: str):
    settings = SMALL.change(dataset=dataset)
    assert not StreamSpec.of(settings).private and not RunSpec.of(settings).private


@pytest.mark.usefixtures("own")
def test_own_streams_are_private_in_every_key():
    settings = SMALL.change(dataset=OWN)
    spec = StreamSpec.of(settings)
    assert spec.private and spec.change(n_tasks=2).private
    assert RunSpec.of(settings).private and transfer_map._Key(RunSpec.of(settings), 2).private


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("dataset", [*GENERATORS, OWN])
def test_privacy_does_not_depend_on_the_order_of_options(dataset: str):
    spec = StreamSpec.of(SMALL.change(dataset=dataset))
    turned = dataclasses.replace(spec, options=spec.options[::-1])
    assert turned.private == spec.private == (dataset == OWN)
    one, other = spec.generator(seed=3), turned.generator(seed=3)
    np.testing.assert_array_equal(one.X, other.X)


@pytest.mark.parametrize("dataset", GENERATORS)
def test_spec_changes_exactly_with_what_the_stream_depends_on(dataset: str):
    settings = SMALL.change(dataset=dataset)
    made = {"n_tasks": 3, "n_examples": 9, "share": 0.25, "order": "blocks", "angle": 45.0, "spread": 2.0, "sd": 0.1}
    made |= {name: 1.5 for name in FIELDS if name.startswith(("mean", "vector"))}
    for name, value in made.items():
        same = StreamSpec.of(dataclasses.replace(settings, **{name: value})) == StreamSpec.of(settings)
        assert same == (dataset not in FIELDS[name].datasets), name
    for change in ({"seed": 3}, {"lam": 1.0}, {"alpha": "power:k=1"}, {"task": 1}, {"method": "TOL"}, {"step": 4}):
        assert StreamSpec.of(settings.change(**change)) == StreamSpec.of(settings), change


def test_run_spec_holds_the_schedule_in_force():
    waiting = SMALL.change(alpha="linear:end=0.5", horizon="unknown")
    assert RunSpec.of(waiting) == RunSpec.of(waiting.change(alpha="power:k=0.5"))
    assert RunSpec.of(waiting).schedule == aklo.Power(0.5)
    for name, f in FIELDS.items():
        if not f.preset and name != "challengers":
            other = dataclasses.replace(SMALL, **{name: None})
            assert RunSpec.of(other) == RunSpec.of(SMALL), name
    assert RunSpec.of(SMALL.change(challengers=("One pool",))).methods == (*aklo.METHODS, "One pool")
    assert default("alpha", "syn1") == RunSpec.of(SMALL).alpha


def test_two_visitors_with_data_of_the_same_shape_do_not_see_each_others(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple] = []
    plain = Cache.get
    monkeypatch.setattr(Cache, "get", lambda self, key, make: asked.append(key) or plain(self, key, make))
    visitors = {seed: brought(table(seed), "mine.csv") for seed in (1, 2)}
    seen = {}
    for seed, at in visitors.items():
        for page in ("watch", "alpha", "compare", "transfer"):
            sound(at.switch_page(f"pages/{page}.py").run())
        sound(at.switch_page("pages/compare.py").run())
        settings = at.session_state["settings"]
        run = aklo.run(aklo.read_csv(table(seed)).sample(4, 10, seed=0), lam=settings.lam, seed=0, **mixing(at))
        seen[seed] = [row[-1] for row in told(at, "aklo_race")["totals"]]
        assert seen[seed] == run.wrong.sum(axis=1).tolist()
    first, second = (at.session_state["uploads"].results["runs.run_from"] for at in visitors.values())
    assert first.keys() & second.keys()  # by their specs alone they could not be told apart
    assert not [key for key in asked if key[0].private or key[0] == OWN]
    runs.run_from.clear()
