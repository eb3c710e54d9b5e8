"""What every request to a server of ours passes: which page it is from, its length, its headers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response

from annotate.app.inline_scripts import AllowInlineScripts

SAFE = ("GET", "HEAD")
MOST_BYTES = 128 * 1024
"""Of a request's body: the longest note and draft fit in, in any script."""
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # `no-referrer` would make browsers send `Origin: null` with forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Admit = Callable[[Any, Headers], Awaitable[Response | None]]
"""What a request with these headers is answered instead; None where it may pass."""


class Guard:
    """Lets a request through to an app, or answers it; an ASGI app itself.

    Args:
        app: What is behind it.
        admit: Who may come in.
        static: How paths begin of files of the program, which hold nothing of anybody.
    """

    def __init__(self, app: Any, *, admit: Admit, static: tuple[str, ...]) -> None:
        self._app = AllowInlineScripts(app)
        self._admit, self._static = admit, static

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
                    is_static = scope["path"].startswith(self._static)
                    headers["cache-control"] = "no-cache" if is_static else "no-store"
            await send(message)

        headers = Headers(scope=scope)
        refused = _fault_of(scope["method"], headers) or await self._admit(scope, headers)
        if refused is not None:
            await refused(scope, receive, send_guarded)
            return
        if scope["method"] in SAFE:
            await self._app(scope, receive, send_guarded)
            return
        body = await _read(receive)
        if body is None:
            await fault(413, "too-long", "the request is too long")(scope, receive, send_guarded)
            return
        await self._app(scope, _once(body, receive), send_guarded)


def fault(status: int, code: str, text: str) -> JSONResponse:
    """A refusal, in a line for people and a word for programs."""
    return JSONResponse({"code": code, "error": text}, status)


def _fault_of(method: str, headers: Headers) -> Response | None:
    if method not in (*SAFE, "POST"):
        return fault(405, "bad-request", "there is no such request here")
    if method == "POST":
        if not _is_same_origin(headers):
            return fault(403, "other-origin", "the request came from another page")
        if _length(headers) > MOST_BYTES:
            return fault(413, "too-long", "the request is too long")
    return None


def _is_same_origin(headers: Headers) -> bool:
    """Whether a page of ours sends it; a program that says nothing of it is none."""
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc == headers.get("host")


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
