"""A place to listen at, taken before anything is said of it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

from mira.errors import MiraError

_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")
_WAITING = 128
"""Connections that wait to be taken."""


class Place(NamedTuple):
    """An address that is ours.

    Attributes:
        host: As it was asked for.
        bound: Its socket.
    """

    host: str
    bound: socket.socket

    @property
    def is_private(self) -> bool:
        """Whether this machine alone reaches it."""
        return self.host in _THIS_MACHINE

    def open(self) -> str:
        """The address; from here on who comes waits, and nobody is turned away."""
        self.bound.listen(_WAITING)
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{self.bound.getsockname()[1]}"

    def run(self, app: Any) -> None:
        """Serve an app until the process is ended."""
        import uvicorn

        config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
        uvicorn.Server(config).run(sockets=[self.bound])


@contextmanager
def listening_at(host: str, port: int) -> Iterator[Place]:
    """Hold an address for as long as the block runs.

    Args:
        host: Address to listen at.
        port: Port to listen at; 0 takes a free one.

    Raises:
        MiraError: It is taken, or none of this machine.
    """
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    with closing(made):
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, port))
        except OSError as error:
            problem = f"cannot be listened at: {error.strerror}"
            raise MiraError(f"{host}:{port}", problem) from None
        yield Place(host, made)
