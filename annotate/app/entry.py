"""How people come in and go out: pages of ours, without a script."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse

from annotate.app.gate import COOKIE, PAGE, token_of
from annotate.desk.desk import Desk
from annotate.desk.people import LOGIN_DAYS
from mira.errors import DeskError

_FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} · MIRA</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/entry.css"></head>
<body><main><p class="brand">MIRA <span>annotation desk</span></p><h1>{title}</h1>
{fault}<form method="post" action="{action}">
<label>Name <input name="name" autocomplete="username" autocapitalize="none" maxlength="32"
 spellcheck="false" value="{name}" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="{kind}" maxlength="200"
 required></label>
<input type="hidden" name="next" value="{following}">
<button>{verb}</button></form><p class="hint">{hint}</p></main></body></html>"""
_STATUS = {"wrong-password": 401, "too-many-tries": 429, "no-invitation": 410}


def entry_router(desk: Desk) -> APIRouter:
    """Login, logout and invitation pages."""
    router = APIRouter()

    @router.get("/")
    def _home() -> Response:
        return RedirectResponse(f"{PAGE}/", 303)

    @router.get("/login")
    def _login_page(request: Request) -> Response:
        return _login(following=request.query_params.get("next", ""))

    @router.post("/login")
    async def _sign_in(request: Request) -> Response:
        form = await _form(request)
        name, following = form.get("name", ""), form.get("next", "")
        try:
            token = await run_in_threadpool(desk.people.sign_in, name, form.get("password", ""))
        except DeskError as error:
            return _login(name=name, following=following, error=error)
        return _entered(request, token, following)

    @router.post("/logout")
    def _sign_out(request: Request) -> Response:
        desk.people.sign_out(token_of(request.headers) or "")
        response = RedirectResponse("/login", 303)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    @router.get("/invitation/{token}")
    def _invitation_page(token: str) -> Response:
        return _invitation(token)

    @router.post("/invitation/{token}")
    async def _accept(request: Request, token: str) -> Response:
        form = await _form(request)
        name, password = form.get("name", ""), form.get("password", "")
        try:
            await run_in_threadpool(desk.people.accept, token, name, password)
            signed_in = await run_in_threadpool(desk.people.sign_in, name, password)
        except DeskError as error:
            return _invitation(token, name=name, error=error)
        return _entered(request, signed_in, "")

    return router


async def _form(request: Request) -> dict[str, str]:
    """Fields of a form; the last of a name counts."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return {name: values[-1] for name, values in parse_qs(text, max_num_fields=10).items()}
    except ValueError:
        return {}


def _login(*, name: str = "", following: str = "", error: DeskError | None = None) -> Response:
    return _page(
        title="Sign in",
        action="/login",
        kind="current-password",
        verb="Sign in",
        hint="No password yet? Ask an admin for an invitation.",
        name=name,
        following=following,
        error=error,
    )


def _invitation(token: str, *, name: str = "", error: DeskError | None = None) -> Response:
    return _page(
        title="Welcome",
        action=f"/invitation/{token}",
        kind="new-password",
        verb="Come in",
        hint="Choose a code name (a-z, 0-9, - and _) and a password of eight letters or more. "
        "The invitation works once.",
        name=name,
        following="",
        error=error,
    )


def _page(*, error: DeskError | None, **shown: str) -> Response:
    fault = f'<p class="fault" role="alert">{escape(_line(error))}</p>' if error else ""
    values = {key: escape(value) for key, value in shown.items()}
    status = _STATUS.get(error.code, 400) if error else 200
    return HTMLResponse(_FRAME.format(fault=fault, **values), status)


def _line(error: DeskError) -> str:
    text = f"{error.problem} ({error.fix})" if error.fix else error.problem
    return text[:1].upper() + text[1:]


def _entered(request: Request, token: str, following: str) -> Response:
    # Only to pages of ours: `//host` and `/\\host` are none.
    is_ours = following.startswith("/") and not following.startswith(("//", "/\\", "/login"))
    response = RedirectResponse(following if is_ours else f"{PAGE}/", 303)
    response.set_cookie(
        COOKIE,
        token,
        max_age=LOGIN_DAYS * 24 * 3600,
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response
