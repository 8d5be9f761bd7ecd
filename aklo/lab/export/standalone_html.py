"""All pictures of a page as one HTML file, which needs neither a server nor the network.

The file contains plotly.js, the components' scripts and their data. Its content security policy forbids any request.
The pictures stand in the order in which they were drawn, a mark before each. In the export menu the browser puts them
into the order of the page, and the page's texts between them (components/html_button).
"""

from __future__ import annotations

import base64
import html
import json
import re
from typing import Any

from plotly.offline import get_plotlyjs

from aklo.lab.charts.palette import Palette
from aklo.lab.session.exports import Chart, Exports, Picture

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob:; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:"
)

# The file's style sheet. The components use Streamlit's CSS variables.
STYLE = """
:root {{ --st-background-color: {ground}; --st-text-color: {ink}; --st-primary-color: {accent};
  --st-border-color: {grid}; --st-red-color: {wrong}; --st-base-radius: 0.5rem; }}
body {{ margin: 0 auto; padding: 1.5rem; max-width: 90rem; background: {ground}; color: {ink};
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }}
h1 {{ font-size: 1.6rem; margin: 0 0 1rem; }}
figure {{ margin: 0 0 1rem; }}
figure img {{ max-width: 100%; height: auto; }}
.caption, footer {{ color: {soft}; font-size: 0.9rem; overflow-wrap: anywhere; }}
.note {{ margin: 1rem 0; padding: 0.1rem 1rem; border: 1px solid {grid}; border-radius: 0.5rem; background: {panel}; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: 0.3rem 0.6rem; border: 1px solid {grid}; text-align: left; }}
"""

MARK = "<!--aklo:{name}-->"  # before each picture, and without a name before the end
PLOTLY = "<!--plotly-->"  # where plotly.js belongs, if the file is given without it

# Mounts a component as Streamlit does: with its data, and in a shadow root unless it is a chart, as plotly.js adds its
# style sheet to the page.
MOUNT = """
{{
  const host = document.getElementById({id});
  const root = {isolated} ? host.attachShadow({{ mode: "open" }}) : host;
  const sheet = document.createElement("style");
  sheet.textContent = {css};
  const parentElement = document.createElement("div");
  root.append(sheet, parentElement);
  const data = Uint8Array.from(atob({data}), (c) => c.charCodeAt(0));
  const ignore = () => {{}};
  start({{ data, parentElement, setTriggerValue: ignore, setStateValue: ignore, alone: true }});
}}
"""


def page(title: str, shown: Exports, palette: Palette, note: str = "", *, plotly: bool = True) -> str:
    """Return the file: the page's title, its pictures, and a note. plotly: whether to put plotly.js in, if needed."""
    charts = bool(shown.of(Chart))
    code = f"<script>{get_plotlyjs()}</script>" if plotly else PLOTLY
    ready = "<script>window.akloPlotlyLibrary = Promise.resolve(window.Plotly)</script>"
    colours = {name: value for name, value in vars(palette).items() if isinstance(value, str)}
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)} · AKLO Lab</title>",
            f"<style>{STYLE.format(**colours)}</style>\n</head>\n<body>",
            f"<h1>{html.escape(title)}</h1>",
            *([code, ready] if charts else []),
            *(_picture(f"picture-{k}", name, thing) for k, (name, thing) in enumerate(shown.drawn().items())),
            MARK.format(name=""),
            f"<footer>{html.escape(note)}</footer>\n</body>\n</html>\n",
        ]
    )


def _picture(id: str, name: str, thing: Picture | Chart) -> str:
    picture = thing.picture if isinstance(thing, Chart) else thing
    code = picture.script().replace("export default", "const start =", 1)
    data = base64.b64encode(picture.data).decode()
    isolated = _literal(isinstance(thing, Picture))
    mount = MOUNT.format(id=_literal(id), isolated=isolated, css=_literal(picture.css()), data=_literal(data))
    # An HTML parser ends a script at its closing tag, even within a string.
    code = code.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    mark = MARK.format(name=re.sub(r"[^\w-]", "-", name))
    figure = f'<figure data-name="{html.escape(name)}"><div id="{id}"></div></figure>'
    return f'{mark}\n{figure}\n<script type="module">\n{code}{mount}</script>'


def _literal(value: Any) -> str:
    """Return a value as a JavaScript literal that is safe within a script element."""
    return json.dumps(value).replace("<", "\\u003c")
