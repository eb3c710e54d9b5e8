"""Who may come in to the desk, and to which parts of the page that Gradio hosts."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response

from annotate.app.guard import SAFE, Guard, fault
from annotate.desk.people import People

COOKIE = "mira_desk"
PAGE = "/desk"
"""Where Gradio hosts the page."""
_OPEN = ("/login", "/invitation/", "/static/entry.css", "/favicon.ico")
"""What people see who have not signed in."""
_PAGE_PARTS = ("/", "/assets/", "/static/", "/theme.css", "/svelte/")
"""What of Gradio the page needs; uploads, files, proxies, queues and the like are not served."""
_STATIC = ("/static/", f"{PAGE}/assets/", f"{PAGE}/static/")
"""Files of the program, which hold nothing of anybody."""
_ASKER = "x-mira-person"
"""Whose page asks, who is somebody else than the cookie's once another has signed in beside it."""


def desk_gate(app: Any, people: People) -> Guard:
    """The app of a desk, for those who have signed in.

    Args:
        app: What is behind the gate.
        people: Who may come in.
    """

    async def admit(scope: Any, headers: Headers) -> Response | None:
        path = scope["path"]
        scope.setdefault("state", {})["person"] = None
        if not path.startswith(_OPEN):
            token = token_of(headers)
            person = await anyio.to_thread.run_sync(people.who, token) if token else None
            if person is None or headers.get(_ASKER, person.name) != person.name:
                return _sign_in_first(scope, headers)
            scope["state"]["person"] = person
        if _is_closed(scope["method"], path):
            return fault(404, "not-found", "there is nothing here")
        return None

    return Guard(app, admit=admit, static=_STATIC)


def token_of(headers: Headers, *, cookie: str = COOKIE) -> str | None:
    """The token that a browser brings in a cookie; None without one."""
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(cookie)
    except CookieError:
        return None
    return found.value if found else None


def _is_closed(method: str, path: str) -> bool:
    if not path.startswith(f"{PAGE}/"):
        return False
    part = path.removeprefix(PAGE)
    is_known = any(part == one or (one != "/" and part.startswith(one)) for one in _PAGE_PARTS)
    return method not in SAFE or not is_known or ".." in part


def _sign_in_first(scope: Any, headers: Headers) -> Response:
    if scope["method"] in SAFE and "text/html" in headers.get("accept", ""):
        return RedirectResponse(f"/login?next={quote(scope['path'])}", 303)
    return fault(401, "sign-in", "sign in first")
