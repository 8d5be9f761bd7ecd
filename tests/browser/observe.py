"""What a visitor sees of a page: its controls with their values, its numbers, and its address."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.browser.steps import arrive, settle

# Control -> the value that it shows. A control's key ends with a number, which says nothing about what is shown.
CONTROLS = """() => {
  const found = {};
  for (const element of document.querySelectorAll('[class*="st-key-"]')) {
    const key = [...element.classList].find((name) => /^st-key-(setting|alpha|preset|tasks_page).*-[0-9]+$/.test(name));
    if (!key) continue;
    const slider = element.querySelector('input[type=range]');
    const toggle = element.querySelector('input[type=checkbox]');
    const pressed = element.querySelector('[aria-pressed=true], [aria-checked=true], [aria-current=page]');
    const text = element.querySelector('input:not([type=range])');
    found[key.replace(/^st-key-/, '').replace(/-[0-9]+$/, '')] =
      slider ? slider.value : toggle ? String(toggle.checked) : pressed ? pressed.textContent.trim()
        : text ? text.value || element.innerText : element.innerText;
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
# Whether nothing is still to come: no placeholder of an element, no chart that waits for plotly.js.
LOADED = """() => !document.querySelector('[data-testid=stSkeleton]')
  && [...document.querySelectorAll('[data-aklo=chart] .aklo-plot')].every((e) => e.matches('.js-plotly-plot'))"""
RESTING = 10  # looks that have to find the same


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
    seen, same = None, 0
    for _ in range(300):
        before, seen = seen, (page.evaluate(CONTROLS), page.evaluate(NUMBERS))
        complete = page.evaluate(LOADED) and "" not in [v for name, v in seen[0].items() if name != "preset"]
        same = same + 1 if seen == before and complete else 0
        if same == RESTING:
            return Seen(*seen, dict(parse_qsl(urlsplit(page.url).query)))
        page.wait_for_timeout(40)
    raise AssertionError(f"The page did not come to rest: {seen}")


def assert_seen(page, expected: Seen) -> None:
    """Wait until all is seen as expected, and fail with what differs if that does not come."""
    settle(page)
    for _ in range(200):
        query = dict(parse_qsl(urlsplit(page.url).query))
        if Seen(page.evaluate(CONTROLS), page.evaluate(NUMBERS), query) == expected:
            return
        page.wait_for_timeout(40)
    seen = observe(page)
    assert seen.controls == expected.controls, page.url
    assert seen.query == expected.query, page.url
    first = next((k for k, (a, b) in enumerate(zip(seen.numbers, expected.numbers, strict=False)) if a != b), 0)
    here = slice(max(first - 60, 0), first + 60)  # the whole text would be cut before the place
    assert seen.numbers == expected.numbers, f"{page.url}: {seen.numbers[here]!r}, not {expected.numbers[here]!r}"


def shows(page, control: str) -> str:
    """The value that a control shows."""
    return page.evaluate(CONTROLS)[control]


def check_true(page, fresh) -> Seen:
    """Assert that all is seen as on a fresh visit at the page's address, which is made in another tab."""
    seen = observe(page)
    arrive(fresh, page.url)
    assert_seen(fresh, seen)
    return seen
