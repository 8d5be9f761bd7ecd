"""All pictures of a page as one HTML file, which needs neither a server nor the network.

The file contains plotly.js, the components' scripts and their data. Its content security policy forbids any request.
"""

from __future__ import annotations

import base64
import html
import json
from typing import Any

from plotly.offline import get_plotlyjs
from plotly.utils import PlotlyJSONEncoder

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
figure {{ margin: 0 0 2rem; }}
figcaption, footer {{ color: {soft}; font-size: 0.9rem; overflow-wrap: anywhere; }}
"""

# Mounts a component as Streamlit does: in a shadow root, with its data.
MOUNT = """
{{
  const root = document.getElementById({place}).attachShadow({{ mode: "open" }});
  const sheet = document.createElement("style");
  sheet.textContent = {css};
  const parentElement = document.createElement("div");
  root.append(sheet, parentElement);
  const data = Uint8Array.from(atob({data}), (c) => c.charCodeAt(0));
  const ignore = () => {{}};
  start({{ data, parentElement, setTriggerValue: ignore, setStateValue: ignore, alone: true }});
}}
"""


def page(title: str, shown: Exports, palette: Palette, note: str = "") -> str:
    """Return the file: the page's title, its components, its charts, and a note."""
    moving = [_picture(f"picture-{k}", name, p) for k, (name, p) in enumerate(shown.of(Picture).items())]
    charts = [_chart(f"chart-{k}", name, c) for k, (name, c) in enumerate(shown.of(Chart).items())]
    plotly = [f"<script>{get_plotlyjs()}</script>"] if charts else []
    colours = {name: value for name, value in vars(palette).items() if isinstance(value, str)}
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)} · AKLO Lab</title>",
            f"<style>{STYLE.format(**colours)}</style>\n</head>\n<body>",
            f"<h1>{html.escape(title)}</h1>",
            *moving,
            *plotly,
            *charts,
            f"<footer>{html.escape(note)}</footer>\n</body>\n</html>\n",
        ]
    )


def _picture(place: str, name: str, picture: Picture) -> str:
    code = picture.script().replace("export default", "const start =", 1)
    data = base64.b64encode(picture.data).decode()
    mount = MOUNT.format(place=_literal(place), css=_literal(picture.css()), data=_literal(data))
    # An HTML parser ends a script at its closing tag, even within a string.
    code = code.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    figure = f'<figure data-name="{html.escape(name)}"><div id="{place}"></div></figure>'
    return f'{figure}\n<script type="module">\n{code}{mount}</script>'


def _chart(place: str, name: str, chart: Chart) -> str:
    """Return the HTML of a chart that is as wide as the window."""
    figure = chart.figure.to_dict()
    config = {"displaylogo": False, "responsive": True, "toImageButtonOptions": {"format": "svg", "filename": name}}
    arguments = ", ".join(map(_literal, (place, figure["data"], figure["layout"], config)))
    return (
        f'<figure data-name="{html.escape(name)}"><div id="{place}"></div>\n'
        f"<script>Plotly.newPlot({arguments})</script>\n"
        f"<figcaption>{html.escape(chart.alt)}</figcaption></figure>"
    )


def _literal(value: Any) -> str:
    """Return a value as a JavaScript literal that is safe within a script element."""
    return json.dumps(value, cls=PlotlyJSONEncoder).replace("<", "\\u003c")
