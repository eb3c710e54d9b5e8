"""What a server of ours answers where it refuses: a line for people, a word for programs."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from annotate.app.guard import fault
from mira.errors import DeskError, MiraError

_STATUS = {
    "sign-in": 401,
    "no-player": 403,
    "not-allowed": 403,
    "own-work": 403,
    "no-such-item": 404,
    "too-long": 413,
    "bad-edit": 422,
    "bad-answer": 422,
    "busy": 503,
}


def tell_refusals(app: FastAPI) -> None:
    """Have an app answer faults of those who ask with JSON."""
    app.add_exception_handler(MiraError, _told)
    app.add_exception_handler(RequestValidationError, _not_understood)


def _told(_: Request, error: Exception) -> JSONResponse:
    if isinstance(error, DeskError):
        return fault(_STATUS.get(error.code, 409), error.code, str(error))
    text = ""
    if isinstance(error, MiraError):
        # Where files are is nobody's business; which picture is.
        where = "" if "/" in error.where else f"{error.where}: "
        text = f"{where}{error.problem}"
    return fault(409, "workspace", text)


def _not_understood(_: Request, error: Exception) -> JSONResponse:
    """Name the field; what was in it is not given back."""
    faults = error.errors() if isinstance(error, RequestValidationError) else []
    where = ".".join(map(str, faults[0]["loc"][1:])) if faults else ""
    text = f"{where or 'the request'}: is not what is expected here"
    return fault(422, "bad-request", text)
