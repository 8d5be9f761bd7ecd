"""Loaded by Python at its start: refuses every connection that does not stay on this machine, and writes it down.

Names are refused as well, before anybody is asked for their address. The list goes to the file that AKLO_GUARD names.
"""

import os
import socket
import sys

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0", "::")


def _check(what: str, host: object) -> None:
    name = host.decode() if isinstance(host, bytes) else str(host or "")
    if not name.startswith(LOOPBACK) and name != "":
        with open(os.environ["AKLO_GUARD"], "a", encoding="utf-8") as file:
            file.write(f"{what} {name}\n")
        raise PermissionError(f"{what} {name}: this machine only")


def _audit(event: str, arguments: tuple) -> None:
    if event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        _check(event, arguments[1][0])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        _check(event, arguments[0])


if "AKLO_GUARD" in os.environ:
    socket.gethostname()  # what this machine is called may be asked
    sys.addaudithook(_audit)
    with open(os.environ["AKLO_GUARD"], "a", encoding="utf-8") as file:
        file.write("on guard\n")
