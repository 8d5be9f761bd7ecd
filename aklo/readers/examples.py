"""Small example files in three formats."""

from __future__ import annotations

import io
import zipfile

import numpy as np

TASKS, EXAMPLES = 16, 60
TASTES = np.array([[1.5, -1.0, 0.5], [-1.0, 1.5, 0.8]])  # weights of the features for two groups of visitors


def tastes_csv(seed: int = 0) -> bytes:
    """Return a CSV table: sixteen visitors of two groups rate sixty dishes each as yes or no.

    The columns are task, group, y, and three numbers about the dish.

    >>> tastes_csv().splitlines()[0]
    b'task,group,y,salt,heat,crunch'
    """
    rng = np.random.default_rng(seed)
    rows = ["task,group,y,salt,heat,crunch"]
    for k, group in enumerate(rng.permutation(np.arange(TASKS) % 2)):
        X = rng.normal(size=(EXAMPLES, 3)).round(2)
        likes = X @ TASTES[group] + rng.normal(0, 0.2, EXAMPLES) > 0
        for x, like in zip(X, likes, strict=True):
            numbers = ",".join(f"{value:g}" for value in x)
            rows.append(f"visitor {k + 1},{'sweet' if group else 'hearty'},{'yes' if like else 'no'},{numbers}")
    return ("\n".join(rows) + "\n").encode()


def fields_mat(seed: int = 0) -> bytes:
    """Return a MATLAB 5 file like Landmine's: cells `feature` (60 × 9) and `label` (60 × 1, 0 or 1) for each field."""
    from scipy.io import savemat  # imported here, because only this function needs it

    rng = np.random.default_rng(seed)
    feature, label = (np.empty((1, TASKS), dtype=object) for _ in range(2))
    soils = rng.normal(size=(2, 9))
    for k in range(TASKS):
        X = rng.normal(size=(EXAMPLES, 9))
        score = X @ soils[k % 2] + rng.normal(0, 0.5, EXAMPLES)
        feature[0, k] = X
        label[0, k] = (score > np.quantile(score, 0.8)).astype(np.uint8)[:, None]
    buffer = io.BytesIO()
    savemat(buffer, {"feature": feature, "label": label})
    data = buffer.getvalue()
    return b"MATLAB 5.0 MAT-file, made by AKLO Lab".ljust(116) + data[116:]  # scipy's header holds the time


def inboxes_zip(seed: int = 0) -> bytes:
    """Return a .zip of .tf files: sixteen inboxes of sixty mails, `label word:count ...`, 1 being spam."""
    rng = np.random.default_rng(seed)
    words = 200
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for k in range(TASKS):
            spam = rng.permutation(np.arange(EXAMPLES) % 2)
            rates = np.full((2, words), 0.06)
            rates[1, 20 * (k % 3) : 20 * (k % 3) + 20] = 0.5  # three kinds of spam, each with its own words
            lines = []
            for label, counts in zip(spam, rng.poisson(rates[spam]), strict=True):
                pairs = " ".join(f"{word + 1}:{counts[word]}" for word in np.flatnonzero(counts))
                lines.append(f"{1 if label else -1} {pairs}".rstrip())
            name = zipfile.ZipInfo(f"inbox_{k:02d}.tf")  # with a fixed date, so that the same seed gives the same file
            name.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(name, "\n".join(lines) + "\n")
    return buffer.getvalue()


EXAMPLE_FILES = {"tastes.csv": tastes_csv, "fields.mat": fields_mat, "inboxes.zip": inboxes_zip}
