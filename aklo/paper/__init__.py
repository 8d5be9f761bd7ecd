"""The paper's tables, and their reproduction."""
