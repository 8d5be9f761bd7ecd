"""Settings in, data out, cached. Nothing here draws."""
