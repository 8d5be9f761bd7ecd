"""The paper's figures: the project has them all, and both readings come out as they were first measured."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import aklo

SHARED = Path(__file__).parents[2] / "shared" / "paper"
REPETITIONS = 10

# First measured with 10 repetitions, lambda = 1e-3; ACE in percent, methods in the order of METHODS.
MEASURED = {
    ("syn1", "as printed"): [40.3, 22.5, 39.3, 43.2, 28.4, 32.3],
    ("syn1", "as tabulated"): [40.3, 22.5, 41.6, 37.2, 15.9, 12.8],
    ("syn2", "as printed"): [38.9, 41.1, 42.7, 42.9, 27.2, 28.3],
    ("syn2", "as tabulated"): [38.9, 41.1, 50.3, 41.7, 15.3, 10.9],
}
datasets = pytest.mark.parametrize("dataset", ["syn1", "syn2"])
protocols = pytest.mark.parametrize("protocol", ["fresh", "shuffled"])


def paper(dataset):
    """(6,) means and (6,) standard deviations of Table 1."""
    rows = aklo.paper_table(1).set_index(["dataset", "method"]).loc[dataset].loc[list(aklo.METHODS)]
    return rows["mean"].to_numpy(), rows["std"].to_numpy()


def measured(dataset, protocol, reading, seed=0):
    """(6,) means and (6,) standard deviations in percent: fresh draws, or the paper's one stream in new orders."""
    make = getattr(aklo, dataset)
    reading = aklo.READINGS[reading]
    source = make if protocol == "fresh" else make(seed=seed)
    table = 100 * aklo.repeat(source, REPETITIONS, lam=1e-3, alpha=reading.alpha, clip=reading.clip, seed=seed).table
    return table["mean"].to_numpy(), table["std"].to_numpy()


def far_from_paper(dataset, protocol, seed=0):
    """The cells of Table 1 that 'as tabulated' misses by more than two combined standard deviations.

    Three for syn2's ITOL: the paper leaves that stream's mean open.
    """
    (want, s_paper), (got, s_ours) = paper(dataset), measured(dataset, protocol, "as tabulated", seed)
    allowed = np.where([dataset == "syn2" and method == "ITOL" for method in aklo.METHODS], 3, 2)
    z = np.abs(got - want) / np.sqrt(s_paper**2 + s_ours**2)
    return {m: (g, w) for m, g, w, far in zip(aklo.METHODS, got, want, z > allowed, strict=True) if far}


def far_from_measured(dataset, protocol, reading, seed=0):
    """The values first measured that are missed by more than four standard errors of the difference.

    Both sides are means of 10 repetitions, so their difference has the standard error s sqrt(2/10), s being known to
    one part in four only (9 degrees of freedom): beyond four of them lie 0.3 % of cells, and there are 48 cells.
    """
    got, s = measured(dataset, protocol, reading, seed)
    want = np.array(MEASURED[dataset, reading])
    z = np.abs(got - want) / (s * np.sqrt(2 / REPETITIONS))
    return {m: (g, w) for m, g, w, far in zip(aklo.METHODS, got, want, z > 4, strict=True) if far}


@datasets
@protocols
def test_as_tabulated_is_near_the_paper_s_table(dataset, protocol):
    """Every cell, with the seed that is the default."""
    assert far_from_paper(dataset, protocol) == {}


@datasets
@protocols
@pytest.mark.parametrize("reading", aklo.READINGS)
def test_both_readings_match_recorded_means(dataset, protocol, reading):
    """What was measured before by other code comes out again."""
    assert far_from_measured(dataset, protocol, reading) == {}


@datasets
@protocols
def test_as_printed_misses_the_paper_s_aklo_cells(dataset, protocol):
    """By 5 to 11 of the paper's standard deviations, which is why there are two readings."""
    (want, s_paper), (got, _) = paper(dataset), measured(dataset, protocol, "as printed")
    assert ((got - want) / s_paper)[4:].min() > 4


@datasets
def test_order_of_the_methods_as_tabulated_is_the_paper_s(dataset):
    """AKLO Sum is best, AKLO Sample next, and all the others are well behind."""
    got, _ = measured(dataset, "fresh", "as tabulated")
    ace = dict(zip(aklo.METHODS, got, strict=True))
    assert ace["AKLO Sum"] < ace["AKLO Sample"] < min(got[:4]) - 3


@pytest.mark.parametrize("number", [1, 2])
def test_paper_tables_have_every_dataset_and_method(number):
    """Five datasets by six methods, each once."""
    table = aklo.paper_table(number)
    assert list(table.columns) == ["dataset", "method", "mean", "std"]
    cells = [(d, m) for d in ("syn1", "syn2", "landmine", "spam", "shoes") for m in aklo.METHODS]
    assert list(zip(table["dataset"], table["method"], strict=True)) == cells
    assert (table[["mean", "std"]] > 0).all(axis=None)


@pytest.mark.parametrize(("number", "name"), [(1, "table1_error.csv"), (2, "table2_seconds.csv")])
def test_paper_tables_match_the_given_files(number, name):
    """Equal to the figures that the project was given, where they are at hand."""
    if not (SHARED / name).exists():
        pytest.skip(f"{SHARED / name} is not there to compare with.")
    given = pd.read_csv(SHARED / name).set_axis(["dataset", "method", "mean", "std"], axis=1)
    given["dataset"] = given["dataset"].str.lower()
    pd.testing.assert_frame_equal(aklo.paper_table(number), given, check_exact=True)
