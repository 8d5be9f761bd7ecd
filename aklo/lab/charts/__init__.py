"""Functions that turn computed data into Plotly figures. They neither compute nor draw on a page."""
