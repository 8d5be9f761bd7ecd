"""What a visitor sees of a page: its controls with their values, its numbers, and its address."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from tests.browser.steps import arrive, settle

# Control -> the value that it shows, read from its fields.
CONTROLS = """() => {
  const found = {};
  const shown = (control) => {
    const field = control.querySelector('select, input[type=range], input.field, input[role=switch]');
    if (!field) return [...control.querySelectorAll('.option:has(:checked)')].map((e) => e.textContent).join(', ');
    if (field.matches('select')) return field.selectedOptions[0]?.textContent;
    if (field.matches('[role=switch]')) return String(field.checked);
    if (field.matches('.field')) return field.value;
    return control.querySelector('.word:not([hidden])')?.textContent ?? control.querySelector('.box').value;
  };
  for (const element of document.querySelectorAll('[class*="st-key-controls_"] [data-testid=stBidiComponentIsolated]'))
    for (const control of element.shadowRoot?.querySelectorAll('[data-aklo=control]') ?? [])
      found[control.dataset.name] = shown(control);
  for (const element of document.querySelectorAll('[class*="st-key-tasks_page-"]')) {
    found.tasks_page = element.querySelector('[aria-current=page]')?.textContent.trim() ?? '';
  }
  return found;
}"""
# Pictures in words: the lab's components say what they show, and so do its texts.
NUMBERS = """() => {
  const shadows = (root) => [...root.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const inside = (root) => shadows(root).flatMap((shadow) => [shadow, ...inside(shadow)]);
  const roots = [document, ...inside(document)].flatMap((root) => [...root.querySelectorAll('[data-aklo]')]);
  const words = (e) => e.getAttribute('aria-label') ?? e.textContent;
  const pictures = roots.map((root) => [root.dataset.aklo, root.dataset.task, root.dataset.t,
    root.dataset.alpha ?? words(root),
    ...[...root.querySelectorAll('[role=img], [aria-label], [data-aklo=player] .spoken')].map(words)]);
  const main = document.querySelector('[data-testid=stMain]');
  const texts = [...main.querySelectorAll('[data-testid=stMarkdownContainer]')].map((e) => e.innerText);
  return JSON.stringify([pictures, texts]);
}"""
# Whether nothing is still to come: no placeholder of an element, no component without content (its style sheet comes
# first), no chart that waits for plotly.js.
LOADED = """() => !document.querySelector('[data-testid=stSkeleton]')
  && document.querySelector('.st-key-window_watch [data-testid=stBidiComponentIsolated]')
  && [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')].every((e) =>
    e.shadowRoot && e.shadowRoot.children.length > e.shadowRoot.querySelectorAll('div > style:only-child').length)
  && [...document.querySelectorAll('[data-aklo=chart] .aklo-plot')].every((e) => e.matches('.js-plotly-plot'))"""
# What is seen as a text, or null while something is still to come: a placeholder, a chart, the value of a control.
LOOK = f"""
const controls = {CONTROLS}, numbers = {NUMBERS}, loaded = {LOADED};
const running = () => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState !== 'notRunning';
const look = () => {{
  const found = controls();
  const mayBeEmpty = ['reading', 'setting_challengers'];
  const empty = Object.keys(found).some((name) => !found[name] && !mayBeEmpty.includes(name));
  if (running() || !loaded() || empty) return null;
  return JSON.stringify([found, numbers(), location.search.slice(1)]);
}};
const pause = () => new Promise((resolve) => setTimeout(resolve, 40));
"""
# The page looks at itself, which takes less time than being asked again and again.
UNTIL_RESTING = f"""async (looks) => {{
  {LOOK}
  let seen = null;
  for (let same = 0, tries = 0; tries < 500; tries++) {{
    const before = seen;
    seen = look();
    same = seen !== null && seen === before ? same + 1 : 0;
    if (same === looks) return seen;
    await pause();
  }}
  return null;
}}"""
UNTIL_SEEN = f"""async (expected) => {{
  {LOOK}
  const same = (text) => {{
    if (text === null) return false;
    const [controls, numbers, query] = JSON.parse(text);
    const entries = Object.fromEntries(new URLSearchParams(query));
    const equal = (one, other) => Object.keys(one).length === Object.keys(other).length
      && Object.entries(one).every(([name, value]) => other[name] === value);
    return numbers === expected[1] && equal(controls, expected[0]) && equal(entries, expected[2]);
  }};
  for (let tries = 0; tries < 250; tries++) {{
    if (same(look())) return true;
    await pause();
  }}
  return false;
}}"""
RESTING = 8  # looks that have to find the same


@dataclass(frozen=True)
class Seen:
    """What a visitor sees. controls: name -> value; numbers: the pictures and texts; query: of the address."""

    controls: dict[str, str]
    numbers: str
    query: dict[str, str]

    @property
    def search(self) -> str:
        """The query as it stands in the address."""
        return urlencode(self.query)


def observe(page) -> Seen:
    """What is seen when the page has come to rest: every control has a value, and nothing changes any more."""
    settle(page)
    text = page.evaluate(UNTIL_RESTING, RESTING)
    assert text is not None, f"The page did not come to rest: {page.evaluate(CONTROLS)}, {page.evaluate(NUMBERS)}"
    controls, numbers, search = json.loads(text)
    return Seen(controls, numbers, dict(parse_qsl(search)))


def assert_seen(page, expected: Seen) -> None:
    """Wait until all is seen as expected, and fail with what differs if that does not come."""
    settle(page)
    if page.evaluate(UNTIL_SEEN, [expected.controls, expected.numbers, expected.query]):
        return
    seen = observe(page)
    assert seen.controls == expected.controls, page.url
    assert seen.query == expected.query, page.url
    first = next((k for k, (a, b) in enumerate(zip(seen.numbers, expected.numbers, strict=False)) if a != b), 0)
    here = slice(max(first - 60, 0), first + 60)  # the whole text would be cut before the place
    assert seen.numbers == expected.numbers, f"{page.url}: {seen.numbers[here]!r}, not {expected.numbers[here]!r}"


def shows(page, control: str) -> str:
    """The value that a control shows."""
    return page.evaluate(CONTROLS)[control]


class FreshVisits:
    """What is seen on a fresh visit at an address, in a tab of its own. known: address -> what was seen there."""

    def __init__(self, tab, known: dict[str, Seen]) -> None:
        self.tab, self.known = tab, known

    def __call__(self, address: str) -> Seen:
        if address not in self.known:
            arrive(self.tab, address)
            self.known[address] = observe(self.tab)
        return self.known[address]


def check_true(page, fresh: FreshVisits) -> Seen:
    """Assert that all is seen as on a fresh visit at the page's address; returns what is seen."""
    seen = observe(page)
    expected = fresh(page.url)
    if seen != expected:
        assert_seen(page, expected)
    return expected
