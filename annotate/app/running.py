"""Serving the app until it is ended."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec

from annotate.desk.backup import desk_in_use
from annotate.desk.desk import Desk
from mira.errors import MiraError, MissingExtraError

_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
_WAITING = 128
"""Connections that wait to be taken."""


def serve(desk: Desk, *, host: str, port: int, told: Callable[[str], None]) -> None:
    """Serve the app of a workspace until the process is ended.

    Args:
        desk: Its people, questions and verdicts.
        host: Address to listen at.
        port: Port to listen at; 0 takes a free one.
        told: Hears where people find it.

    Raises:
        MiraError: Another server has the desk, or the port is taken.
        MissingExtraError: Gradio is not installed.
    """
    if find_spec("gradio") is None:
        raise MissingExtraError("gradio", "app")
    import uvicorn

    from annotate.app.server import build_app, first_invitation

    with desk_in_use(desk.workspace), closing(_bound(host, port)) as listening:
        app = build_app(desk)
        # From here on who comes waits; nobody is turned away.
        listening.listen(_WAITING)
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}"
        told(f"Desk: {address}")
        if host not in _THIS_MACHINE:
            told("note: others reach it; passwords travel in the clear unless TLS is in front")
        invitation = first_invitation(desk)
        if invitation:
            told(f"The first admin comes in here, once, within a day: {address}{invitation}")
        config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
        uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise MiraError(f"{host}:{port}", f"cannot be listened at: {error.strerror}") from None
    return made
