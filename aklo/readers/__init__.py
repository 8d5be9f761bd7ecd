"""Readers: files of tasks, in several formats, become a `Collection`."""
