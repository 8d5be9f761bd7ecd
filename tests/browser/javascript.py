"""Runs the lab's own modules in a browser, without a server: `Modules(page).call("shared/mix.js", "mixTask", ...)`."""

from __future__ import annotations

import base64
from typing import Any

from aklo.lab.components import registry

ADDRESS = "http://modules.test/"


class Modules:
    """The components' modules under addresses of their own, as the browser imports them."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.route(f"{ADDRESS}**", self._answer)
        page.goto(ADDRESS)

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if not path.endswith(".js"):
            route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
        else:
            route.fulfill(body=registry.source(path), content_type="text/javascript")

    def run(self, code: str, argument: Any = None) -> Any:
        """Run the body of an async function of `given`, in which `load(path)` imports a module."""
        return self.page.evaluate(
            f"""async (given) => {{
              const load = (path) => import("{ADDRESS}" + path);
              const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
              {code}
            }}""",
            argument,
        )


def text(block: bytes) -> str:
    """A block as text, which `bytes(...)` in the browser turns back."""
    return base64.b64encode(block).decode()
