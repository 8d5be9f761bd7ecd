"""Texts of the lab and what they are about: lessons, glossary, stories, ranking."""
