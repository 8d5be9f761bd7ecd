"""The route by which browsers load the scripts of the lab's components: `scripts/player/player.js?v=…`.

Streamlit would send a component's script along with every message, which is more than all the rest of an answer. The
address holds a digest of the script, so a browser may keep it for good.
"""

from __future__ import annotations

from functools import cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from aklo.lab.components.registry import HERE, SCRIPTS, digest, packed
from aklo.lab.server import web

FOR_GOOD = "public, max-age=31536000, immutable"


def script_route() -> Route:
    """Return the route, below the path that the lab is served at."""
    return web.route(f"{SCRIPTS}/{{entry:path}}", _serve)


@cache
def _entries() -> frozenset[str]:
    return frozenset(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.js"))


async def _serve(request: Request) -> Response:
    entry = request.path_params["entry"]
    if entry not in _entries():
        return PlainTextResponse("There is no such script.", 404)
    # Another digest is that of another version of the lab, which a browser still shows.
    kept = FOR_GOOD if request.query_params.get("v") == digest(entry) else "no-store"
    return Response(packed(entry), media_type="text/javascript", headers={"Cache-Control": kept})
