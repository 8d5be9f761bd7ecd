"""Streamlit components: pictures that the browser draws, with their JavaScript and CSS."""
