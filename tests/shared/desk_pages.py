"""Pages of a desk in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from desk_server import DeskServer

Work = Callable[..., Any]
"""Opens the desk as somebody, in a mode."""


@contextmanager
def working(chromium: Any, server: DeskServer) -> Iterator[Work]:
    """Opens the desk as somebody; raises if a page complained or asked anybody else."""
    opened, complaints, asked = [], [], set()

    def _work(name: str, mode: str = "review", shown: str = ".judging") -> Any:
        context = chromium.new_context(viewport={"width": 1366, "height": 768})
        opened.append(context)
        cookie, value = server.sign_in(name).split("=", 1)
        context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        page.goto(f"{server.url}/desk/#{mode}")
        page.wait_for_selector(f"{shown}[data-ready]")
        return page

    yield _work
    for context in opened:
        context.close()
    assert complaints == []
    assert asked <= {f"127.0.0.1:{server.port}", ""}
