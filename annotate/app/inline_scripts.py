"""What may run on a page: scripts of ours, and those inline ones that the server itself wrote."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Any

from starlette.datastructures import MutableHeaders

_INLINE = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_REST = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)


class AllowInlineScripts:
    """Adds a content security policy that names the inline scripts of a page by their digest.

    Gradio writes its settings into the page as scripts. Allowing all that is inline for their sake
    would allow what somebody smuggles in as well.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        held: list[Any] = []

        async def send_with_policy(message: Any) -> None:
            if message["type"] == "http.response.start":
                if _is_page(message):
                    held.append(message)
                    return
                MutableHeaders(scope=message)["content-security-policy"] = policy(b"")
            elif held:
                held.append(message)
                if message.get("more_body"):
                    return
                body = b"".join(one.get("body", b"") for one in held[1:])
                MutableHeaders(scope=held[0])["content-security-policy"] = policy(body)
                await send(held[0])
                message = {"type": "http.response.body", "body": body}
                held.clear()
            await send(message)

        await self._app(scope, receive, send_with_policy)


def policy(page: bytes) -> str:
    """The content security policy of a page."""
    digests = (
        base64.b64encode(hashlib.sha256(script).digest()).decode()
        for script in _INLINE.findall(page)
    )
    scripts = "".join(f" 'sha256-{digest}'" for digest in dict.fromkeys(digests))
    return f"script-src 'self'{scripts}; {_REST}"


def _is_page(message: Any) -> bool:
    headers = MutableHeaders(scope=message)
    is_plain = "content-encoding" not in headers
    return is_plain and headers.get("content-type", "").startswith("text/html")
