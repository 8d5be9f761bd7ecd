"""The least that Streamlit can do with a slider: redraw one small Plotly chart. The lab's speed is held against it."""

import plotly.graph_objects as go
import streamlit as st

value = st.slider("Value", 0.0, 1.0, 0.5)
layout = {"height": 250, "title": {"text": f"value {value}"}}
figure = go.Figure(go.Scatter(x=[0, 1, 2], y=[0, value, 1]), layout=layout)
st.plotly_chart(figure, key="chart")
