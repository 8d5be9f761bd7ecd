"""Home: the idea, and where to go next."""

import streamlit as st

st.set_page_config(page_title="AKLO Lab", page_icon="🎓", layout="wide")
st.title("AKLO Lab")
st.write("Lifelong online learning, made visible.")
