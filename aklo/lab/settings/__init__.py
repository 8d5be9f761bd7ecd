"""The typed table of settings, presets and wording helpers."""
