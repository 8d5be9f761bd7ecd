"""Serves revision_app.py together with the scripts of the lab's components."""

from pathlib import Path

import streamlit as st

from aklo.lab.components.script_route import script_route

app = st.App(Path(__file__).with_name("revision_app.py"), routes=[script_route()])
