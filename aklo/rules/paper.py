"""The paper's six methods by name: `aklo.methods` computes them together, since they share weights and draws."""

from __future__ import annotations

from aklo.rules.rule import Method


class ITOL(Method):
    name = "ITOL"
    about = "A new learner for each task; it asks nobody."


class TOL(Method):
    name = "TOL"
    about = "One learner that goes on learning through all tasks; it asks nobody."


class UnifSample(Method):
    name = "Unif Sample"
    about = "The learner, and one expert drawn at random at each step."


class UnifSum(Method):
    name = "Unif Sum"
    about = "The learner, and the plain average of all experts."


class AkloSample(Method):
    name = "AKLO Sample"
    about = "The learner, and one expert drawn at each step; experts that were right are drawn more often."


class AkloSum(Method):
    name = "AKLO Sum"
    about = "The learner, and the average of all experts; experts that were right count more."
