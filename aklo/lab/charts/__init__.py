"""Charts: data in, Plotly figure out. Nothing here draws or computes."""
