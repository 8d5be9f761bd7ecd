"""The paper's bounds, what breaks them, and rules whose bounds hold."""
