"""The frame of every page: menu, sidebar, widgets, fragments and progress."""
