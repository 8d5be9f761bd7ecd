"""The paper's tables, and what it takes to measure them again."""
