"""The panel of weights: the list of experts, and how many of them count."""

from __future__ import annotations

import numpy as np

from aklo.lab.compute import runs
from aklo.lab.content.scenes import SCENES
from tests.browser.steps import arrive

# Names in the list, as they are seen from top to bottom.
SEEN = """list => [...list.children].filter((row) => !row.hidden)
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
  .map((row) => [row.querySelector('.name').textContent, row.querySelector('.p').textContent])"""


def test_experts_are_listed_by_weight_now_with_the_effective_number(page, serve):
    scene = SCENES["finding-friends"]
    replay, names = runs.replay(scene.settings), runs.stream(scene.settings).task_names
    arrive(page, f"{serve('app.py')}/watch?tour={scene.name}")
    panel = page.locator("[data-aklo=player] .weights")
    for step in (11, 100):
        page.get_by_label("Time", exact=True).fill(str(step))
        page.locator(f"[data-aklo=player][data-t='{step}']").wait_for()
        p = replay.weights[step - 1]
        *rows, others = panel.locator(".experts").evaluate(SEEN)
        weights = [p[names.index(name)] for name, _ in rows]
        assert weights == sorted(weights, reverse=True) and others[0].startswith("others (")
        effective = 1 / (p**2).sum()
        most = int(np.searchsorted(np.cumsum(np.sort(p)[::-1]), 0.9 - 1e-6)) + 1
        words = f"{effective:.1f} effective experts, {most} hold{'s' if most == 1 else ''} 90 %"
        assert panel.locator(".asked-now").inner_text() == words


def test_name_of_an_expert_tells_its_group_once(page, serve):
    arrive(page, f"{serve('app.py')}/watch?d=conflict&T=12&N=20&t=8")
    experts = page.locator("[data-aklo=player] .experts button")
    experts.first.wait_for()
    titles = experts.evaluate_all("all => all.map((e) => e.title)")
    assert titles and all(title.count("(D") == 1 for title in titles)


def test_numbers_of_the_sentence_carry_labels(page, serve):
    arrive(page, f"{serve('app.py')}/watch?T=12&N=20&t=8&i=5")
    formula = page.locator("[data-aklo=player] .formula")
    formula.get_by_text("knowledge").wait_for()
    labels = formula.locator(".what:not(:empty)").all_inner_texts()
    assert [label.strip() for label in labels] == ["α", "learner", "α", "knowledge"]
