"""Readers of task files in several formats; each returns a `Collection`."""
