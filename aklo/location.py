"""Where the files of the lab are: its pages, style sheets and lessons, which are not part of any Python module."""

from __future__ import annotations

from pathlib import Path


def lab_folder(package: Path = Path(__file__).parent) -> Path:
    """Return the folder that holds the lab's app.py, pages, assets and .streamlit/config.toml.

    In the repository it is the folder around the package. The wheel has a copy of these files within the package
    (pyproject.toml, force-include), which is taken where there is one.

    Parameters
    ----------
    package
        The folder of the package aklo.
    """
    installed = package / "lab" / "site"
    return installed if installed.is_dir() else package.parent
