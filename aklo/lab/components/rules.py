"""What the browser is told of rules beside the paper's six: with the data, as they may be registered at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from aklo.rules import Rule, rules_of
from aklo.styles import STROKES


def about_rules(methods: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return what the browser is told of each of the methods that is none of the paper's six.

    `field` is how it predicts at any point of the plane: by the weighted mean of the advice, by the vote of
    `aklo.rules.one_pool`, or in a way that only its class knows ("").
    """
    return {
        rule.name: {
            "about": rule.about,
            "stroke": asdict(STROKES[rule.name]),
            "setsAlpha": rule.sets_alpha,
            "joint": rule.joint,
            "field": "vote" if rule.votes else "mean" if type(rule).confidence is Rule.confidence else "",
        }
        for rule in rules_of(methods)
    }
