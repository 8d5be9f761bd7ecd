"""Functions that compute the data of the pages from the settings, with cached results. Nothing here draws."""
