"""The app of one workspace: who may do what is the desk's, how it looks is the page's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from annotate.app.api import api_router
from annotate.app.author_api import author_router
from annotate.app.baseline_api import baseline_router
from annotate.app.entry import entry_router
from annotate.app.gate import Gate
from annotate.app.guidelines_api import guidelines_router
from annotate.app.media import Media
from annotate.app.media_routes import media_router
from annotate.app.page import mount_page
from annotate.app.remarks_api import remarks_router
from annotate.desk.desk import Desk
from mira.errors import DeskError, MiraError

STATIC = Path(__file__).parent / "static"
_STATUS = {
    "sign-in": 401,
    "not-allowed": 403,
    "own-work": 403,
    "no-such-item": 404,
    "too-long": 413,
    "bad-edit": 422,
    "bad-answer": 422,
    "busy": 503,
}


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
    app.add_exception_handler(MiraError, _told)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_api_route("/favicon.ico", lambda: Response(status_code=204))
    mount_page(app)
    return Gate(app, people=desk.people)


def first_invitation(desk: Desk) -> str | None:
    """The way in for the first admin; None where there is somebody already."""
    return None if desk.people.all() else f"/invitation/{desk.people.invite('admin')}"


def _told(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, DeskError):
        body = {"code": error.code, "error": str(error)}
        return JSONResponse(body, _STATUS.get(error.code, 409))
    text = ""
    if isinstance(error, MiraError):
        # Where files are is nobody's business; which picture is.
        where = "" if "/" in error.where else f"{error.where}: "
        text = f"{where}{error.problem}"
    return JSONResponse({"code": "workspace", "error": text}, 409)


def _not_understood(_: Request, error: Exception) -> JSONResponse:
    """Name the field; what was in it is not given back."""
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    where = ".".join(map(str, faults[0]["loc"][1:])) if faults else ""
    text = f"{where or 'the request'}: is not what is expected here"
    return JSONResponse({"code": "bad-request", "error": text}, 422)
