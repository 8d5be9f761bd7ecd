"""Tests in a real browser. Where there is none they are skipped, and say so."""
