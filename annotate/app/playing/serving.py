"""Serving those who play until it is ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from annotate.app.listening import listening_at
from annotate.code_names import require_code_name
from annotate.playing.offer import Offer
from annotate.playing.players import Players
from mira.errors import MissingExtraError
from mira.store.atomic import exclusive, os_faults


def serve_players(
    offer: Offer,
    root: Path,
    *,
    only: str | None,
    host: str,
    port: int,
    told: Callable[[str], None],
) -> None:
    """Serve an offer until the process is ended.

    Args:
        offer: What people play.
        root: Folder of their runs.
        only: Code name of who alone plays; None where anybody may.
        host: Address to listen at.
        port: Port to listen at; 0 takes a free one.
        told: Hears where people find it.

    Raises:
        MiraError: Another server has the folder, the port is taken, or a run is of something else.
        MissingExtraError: FastAPI is not installed.
    """
    if find_spec("fastapi") is None:
        raise MissingExtraError("fastapi", "app")
    from annotate.app.playing.server import build_play_app

    if only is not None:
        require_code_name(only)
    with listening_at(host, port) as place, _in_use(root):
        app = build_play_app(Players(offer, root, only=only))
        told(f"Play: {place.open()}")
        if not place.is_private:
            told("note: others reach it, and it travels in the clear unless TLS is in front")
        place.run(app)


@contextmanager
def _in_use(root: Path) -> Iterator[None]:
    """Hold a folder of runs, made where it is missing, as its one server does."""
    with os_faults(root):
        root.mkdir(parents=True, exist_ok=True)
    with exclusive(root / ".server.lock", root):
        yield
