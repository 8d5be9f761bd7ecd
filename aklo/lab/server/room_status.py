"""How a screen hears of its room: every second it asks the server for `rooms/CODE`.

Streamlit has nothing to do meanwhile; a page is drawn anew only when the teacher has changed something. Whatever the
number of screens, the database is asked no more than five times a second for each room.
"""

from __future__ import annotations

import asyncio
from asyncio import Future
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from aklo.lab.server import web
from aklo.lab.server.room_records import read_code
from aklo.lab.server.rooms import rooms
from aklo.lab.server.rooms_database import Refused, Unavailable

PATH = "rooms"
FRESH = 0.2  # seconds for which an answer is given again
MOST = 2000  # rooms of which an answer is remembered
AT_ONCE = 25  # students' screens that are drawn anew within a second, when the teacher has gone on

_answers: dict[str, tuple[float, Future[dict[str, Any]]]] = {}  # code -> until when it is given, and the answer
_threads = ThreadPoolExecutor(4, "rooms")  # no more: a database that hangs must not keep the web server's own threads


def room_route() -> Route:
    """Return the route, below the path that the lab is served at."""
    return web.route(f"{PATH}/{{code}}", _tell)


async def _tell(request: Request) -> JSONResponse:
    """Answer with the room's revision and counts, and the seconds within which to ask again, or with a sentence."""
    try:
        code = read_code(request.path_params["code"])
    except Refused as refused:
        return JSONResponse({"gone": str(refused)})
    loop = asyncio.get_running_loop()
    if code not in _answers or _answers[code][0] < loop.time():
        if len(_answers) >= MOST:
            _answers.clear()
        _answers[code] = (loop.time() + FRESH, loop.run_in_executor(_threads, _ask, code))
    answer = _answers[code][1]
    found = answer.result() if answer.done() else await asyncio.shield(answer)  # others wait for it, too
    return JSONResponse(found, headers={"Cache-Control": "no-store"})


def _ask(code: str) -> dict[str, Any]:
    try:
        counts = rooms().counts(code)
    except Unavailable as fault:
        return {"fault": str(fault)}
    except Refused as refused:
        return {"gone": str(refused)}
    return asdict(counts) | {"wait": max(1.0, counts.joined / AT_ONCE)}
