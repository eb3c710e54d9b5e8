"""Serving the app until it is ended."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from annotate.app.listening import listening_at
from annotate.desk.backup import desk_in_use
from annotate.desk.desk import Desk
from mira.errors import MissingExtraError


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
    from annotate.app.server import build_app, first_invitation

    with desk_in_use(desk.workspace), listening_at(host, port) as place:
        app = build_app(desk)
        address = place.open()
        told(f"Desk: {address}")
        if not place.is_private:
            told("note: others reach it; passwords travel in the clear unless TLS is in front")
        invitation = first_invitation(desk)
        if invitation:
            told(f"The first admin comes in here, once, within a day: {address}{invitation}")
        place.run(app)
