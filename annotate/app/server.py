"""The app of one workspace: who may do what is the desk's, how it looks is the page's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles

from annotate.app.api import api_router
from annotate.app.author_api import author_router
from annotate.app.baseline_api import baseline_router
from annotate.app.entry import entry_router
from annotate.app.gate import desk_gate
from annotate.app.guidelines_api import guidelines_router
from annotate.app.media import Media
from annotate.app.media_routes import media_router
from annotate.app.page import mount_page
from annotate.app.refusals import tell_refusals
from annotate.app.remarks_api import remarks_router
from annotate.desk.desk import Desk

STATIC = Path(__file__).parent / "static"


def build_app(desk: Desk) -> Any:
    """The app, as an ASGI server takes it.

    Raises:
        MissingExtraError: Gradio is not installed.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    media = Media(desk.workspace)
    app.include_router(entry_router(desk))
    app.include_router(api_router(desk, media))
    app.include_router(author_router(desk, media))
    app.include_router(baseline_router(desk, media))
    app.include_router(media_router(desk, media))
    app.include_router(remarks_router(desk, media))
    app.include_router(guidelines_router())
    app.mount("/static", StaticFiles(directory=STATIC))
    tell_refusals(app)
    app.add_api_route("/favicon.ico", lambda: Response(status_code=204))
    mount_page(app)
    return desk_gate(app, desk.people)


def first_invitation(desk: Desk) -> str | None:
    """The way in for the first admin; None where there is somebody already."""
    return None if desk.people.all() else f"/invitation/{desk.people.invite('admin')}"
