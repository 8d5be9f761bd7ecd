"""Servers that start at once: `python -m tests.browser.warm` loads what the lab leans on, nothing of the lab itself.
It forks a server for each port that it is told, and answers with that server's process id."""

from __future__ import annotations

import os
import signal
import sys

import joblib.externals.loky
import pandas
import plotly.basedatatypes
import scipy.sparse
import scipy.special
import streamlit.web.bootstrap
import streamlit.web.server.starlette
from streamlit.web.cli import main

from tests.browser.conftest import ROOT, options

LOADED = (joblib, pandas, plotly, scipy, streamlit)

if __name__ == "__main__":
    assert not any(name.startswith("aklo") for name in sys.modules)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those who have ended need not be asked how
    for line in sys.stdin:
        server = os.fork()
        if not server:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.argv = ["streamlit", "run", str(ROOT / "app.py"), *options(int(line))]
            main()
        print(server, flush=True)
