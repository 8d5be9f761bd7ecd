"""What a page says a computation will take follows from what such work took on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from aklo.lab.compute import alpha_map, effort
from aklo.lab.server import work_rate
from aklo.lab.settings.schema import Settings


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, float, float], None]]:
    """A function that does work of a kind: of so many units, in so many seconds of a clock of its own."""
    now = [0.0]
    monkeypatch.setattr(work_rate.time, "perf_counter", lambda: now[0])

    def done(kind: str, units: float, seconds: float) -> None:
        with work_rate.measured(kind, units):
            now[0] += seconds

    work_rate.clear()
    yield done
    work_rate.clear()


def test_rate_is_a_guess_before_the_first_work_and_measured_after_it(work):
    assert work_rate.rate("map", 3.0) == 3.0
    work("map", 10, 120.0)
    assert work_rate.rate("map", 3.0) == 12.0
    work("map", 10, 40.0)  # the machine is less busy now: the newest counts for half
    assert work_rate.rate("map", 3.0) == 8.0
    assert work_rate.rate("line", 3.0) == 3.0


def test_work_that_is_too_short_or_cut_short_is_not_counted(work):
    work("map", 10, 0.001)
    with pytest.raises(KeyboardInterrupt), work_rate.measured("map", 10):
        raise KeyboardInterrupt
    assert work_rate.rate("map", 3.0) == 3.0


def test_map_is_announced_with_the_time_that_a_smaller_one_took(work):
    """Four times slower than guessed: so is what is said about a larger map."""
    small, large = (Settings().change(n_tasks=200, n_examples=n) for n in (500, 1000))
    guessed = alpha_map.results(large).seconds
    units = effort.units(small)
    work(alpha_map.results(small).kind, units, 4 * alpha_map.COST * units)
    assert alpha_map.results(large).seconds == pytest.approx(4 * guessed)
