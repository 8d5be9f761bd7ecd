"""The frame of every page: menu, sidebar, widgets and progress."""
