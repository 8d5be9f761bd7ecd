"""Runs the lab's own modules in a browser, without a server: `Modules(page).call("shared/mix.js", "mixTask", ...)`."""

from __future__ import annotations

import base64
from typing import Any

from aklo.lab.components import registry
from aklo.lab.components.registry import Component

ADDRESS = "http://modules.test/"


class Modules:
    """The components' modules under addresses of their own, as the browser imports them."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.route(f"{ADDRESS}**", self._answer)
        page.goto(ADDRESS)

    def _answer(self, route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
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


class Mounted:
    """A component without a server: the test says what Python sends, and when, and reads what Python is told."""

    def __init__(self, modules: Modules, component: Component) -> None:
        self.modules = modules
        modules.run(
            """
            document.body.dataset.testConnectionState = "CONNECTED";
            document.body.innerHTML = "<script type=module src=/static/js/></script>"; // Streamlit's own
            const place = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
            place.append(Object.assign(document.createElement("style"), { textContent: given.sheet }));
            const { default: call } = await load(given.entry);
            const told = [];
            const tell = (name, value) => { told.push([name, value]); };
            const send = (block) => call({
              parentElement: place, data: bytes(block), setStateValue: tell, setTriggerValue: tell,
            });
            window.mounted = { place, told, send };
            """,
            {"entry": component.entry, "sheet": component.style_sheet()},
        )

    def run(self, code: str, **blocks: bytes) -> Any:
        """Run the body of an async function, all of it between two frames if it awaits nothing.

        `send(block)` brings what Python sends, `told` is what Python was told so far, as [name, value], `press(name)`
        clicks a button, `says(name)` is what the component's element says, and `until(condition)` waits.
        """
        return self.modules.run(
            f"""
            const {{ place, told, send }} = window.mounted;
            const says = (name) => place.querySelector("[data-aklo]")?.dataset[name];
            const named = (button) => button.getAttribute("aria-label") ?? button.textContent;
            const press = (name) => [...place.querySelectorAll("button")].find((one) => named(one) === name).click();
            const until = async (condition) => {{
              for (let tries = 0; !condition(); tries++) {{
                if (tries === 1000) throw new Error(`never came: ${{condition}}`);
                await new Promise((done) => setTimeout(done, 20));
              }}
            }};
            {code}
            """,
            {name: text(block) for name, block in blocks.items()},
        )
