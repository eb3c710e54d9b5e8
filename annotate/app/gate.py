"""What every request passes: who asks, from which page, how much they send, and what may run."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, urlsplit

import anyio.to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response

from annotate.app.inline_scripts import AllowInlineScripts
from annotate.desk.people import People

COOKIE = "mira_desk"
PAGE = "/desk"
"""Where Gradio hosts the page."""
MOST_BYTES = 128 * 1024
"""Of a request's body: the longest note and draft fit in, in any script."""
_OPEN = ("/login", "/invitation/", "/static/entry.css", "/favicon.ico")
"""What people see who have not signed in."""
_PAGE_PARTS = ("/", "/assets/", "/static/", "/theme.css", "/svelte/")
"""What of Gradio the page needs; uploads, files, proxies, queues and the like are not served."""
_STATIC = ("/static/", f"{PAGE}/assets/", f"{PAGE}/static/")
"""Files of the program, which hold nothing of anybody."""
_SAFE = ("GET", "HEAD")
_ASKER = "x-mira-person"
"""Whose page asks, who is somebody else than the cookie's once another has signed in beside it."""
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # `no-referrer` would make browsers send `Origin: null` with forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Gate:
    """Lets a request through to the app, or answers it.

    Args:
        app: What is behind the gate.
        people: Who may come in.
    """

    def __init__(self, app: Any, *, people: People) -> None:
        self._app = AllowInlineScripts(app)
        self._people = people

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """See ASGI."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Nothing here speaks it.
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        async def send_guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    is_static = scope["path"].startswith(_STATIC)
                    headers["cache-control"] = "no-cache" if is_static else "no-store"
            await send(message)

        refused = await self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        if scope["method"] in _SAFE:
            await self._app(scope, receive, send_guarded)
            return
        body = await _read(receive)
        if body is None:
            await _fault(413, "too-long", "the request is too long")(scope, receive, send_guarded)
            return
        await self._app(scope, _once(body, receive), send_guarded)

    async def _refusal(self, scope: Any) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        if scope["method"] not in (*_SAFE, "POST"):
            return _fault(405, "bad-request", "there is no such request here")
        if scope["method"] == "POST":
            if not _is_same_origin(headers):
                return _fault(403, "other-origin", "the request came from another page")
            if _length(headers) > MOST_BYTES:
                return _fault(413, "too-long", "the request is too long")
        scope.setdefault("state", {})["person"] = None
        if not path.startswith(_OPEN):
            token = token_of(headers)
            person = await anyio.to_thread.run_sync(self._people.who, token) if token else None
            if person is None or headers.get(_ASKER, person.name) != person.name:
                return _sign_in_first(scope, headers)
            scope["state"]["person"] = person
        if _is_closed(scope["method"], path):
            return _fault(404, "not-found", "there is nothing here")
        return None


def token_of(headers: Headers) -> str | None:
    """The token that a browser brings; None without one."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found else None


def _is_same_origin(headers: Headers) -> bool:
    """Whether a page of ours sends it; a program that says nothing of it is none."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == headers.get("host")


def _is_closed(method: str, path: str) -> bool:
    if not path.startswith(f"{PAGE}/"):
        return False
    part = path.removeprefix(PAGE)
    is_known = any(part == one or (one != "/" and part.startswith(one)) for one in _PAGE_PARTS)
    return method not in _SAFE or not is_known or ".." in part


def _sign_in_first(scope: Any, headers: Headers) -> Response:
    if scope["method"] in _SAFE and "text/html" in headers.get("accept", ""):
        return RedirectResponse(f"/login?next={quote(scope['path'])}", 303)
    return _fault(401, "sign-in", "sign in first")


def _fault(status: int, code: str, text: str) -> JSONResponse:
    return JSONResponse({"code": code, "error": text}, status)


def _length(headers: Headers) -> int:
    try:
        return int(headers.get("content-length", "0"))
    except ValueError:
        return MOST_BYTES + 1


async def _read(receive: Any) -> bytes | None:
    """The whole body; None where it is too long, whatever its length was said to be."""
    body: bytes = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            return None
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return body


def _once(body: bytes, receive: Any) -> Any:
    is_given = False

    async def _receive() -> Any:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return _receive
