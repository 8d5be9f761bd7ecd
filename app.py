"""Home: the idea in one moving picture, and where to go next."""
from aklo.lab import shell

settings = shell.page("Learning that lasts", "q", ("Stream", "Learner", "Knowledge", "View"))
