"""The app of those who play: the page, and what it asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles

from annotate.app.guard import Guard
from annotate.app.playing.api import keep_player, play_router
from annotate.app.refusals import tell_refusals
from annotate.playing.players import Players

_STATIC = Path(__file__).parents[1] / "static"


def build_play_app(players: Players) -> Any:
    """The app of those who play, as an ASGI server takes it."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.include_router(play_router(players))
    app.mount("/static", StaticFiles(directory=_STATIC))
    tell_refusals(app)

    @app.get("/")
    def _page() -> Response:
        return FileResponse(_STATIC / "playing" / "page.html")

    @app.get("/favicon.ico")
    def _icon() -> Response:
        return Response(status_code=204)

    @app.get("/back/{token}")
    def _back(request: Request, token: str) -> Response:
        response = RedirectResponse("/", 303)
        if players.who(token) is not None:
            keep_player(request, response, token)
        return response

    return Guard(app, admit=_everybody, static=("/static/",))


async def _everybody(scope: Any, headers: Any) -> None:
    """Whoever reaches the page may play; keys tell people apart."""
    del scope, headers
