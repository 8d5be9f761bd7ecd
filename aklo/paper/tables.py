"""The numbers that the paper prints in its Tables 1 and 2."""

from __future__ import annotations

from importlib import resources

import pandas as pd

FILES = {1: "table1_error.csv", 2: "table2_seconds.csv"}


def paper_table(number: int) -> pd.DataFrame:
    """Load one of the paper's tables.

    Parameters
    ----------
    number
        1 for the errors in percent, 2 for the running times in seconds.

    Returns
    -------
    A data frame with the columns dataset, method, mean and std.
    """
    if number not in FILES:
        raise ValueError(f"The paper has tables 1 and 2, and {number} was asked for.")
    with resources.files("aklo.paper").joinpath(FILES[number]).open(encoding="utf-8") as file:
        return pd.read_csv(file)
