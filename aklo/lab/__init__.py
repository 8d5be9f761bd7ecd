"""The lab: everything that knows Streamlit or draws. It asks the core for numbers and does no maths of its own."""
