"""Prediction rules: the paper's six methods, and rules that weigh a pool of learner and experts. One file a rule."""

# Importing a module registers its methods, in this order: the paper's six first.
from aklo.rules import (  # noqa: F401, I001
    paper,
    one_pool,
    aklo_half_rate,
    two_levels,
    fixed_share,
    adahedge,
)
from aklo.rules.pool import Pool
from aklo.rules.rule import METHODS, RULES, Method, Rule, adopt, checked_methods, rules_of

__all__ = ["METHODS", "RULES", "Method", "Pool", "Rule", "adopt", "checked_methods", "rules_of"]
