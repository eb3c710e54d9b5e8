"""Help pages in plain words: no braces around arguments, no types beside switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command whose help is plain."""

    def get_params(self, ctx: Any) -> list[Any]:
        """See `click.Command`."""
        return [_plain(param) for param in super().get_params(ctx)]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """See `click.Command`."""
        return _without_braces(super().collect_usage_pieces(ctx))


class PlainGroup(TyperGroup):
    """A group of commands whose help is plain."""

    def get_params(self, ctx: Any) -> list[Any]:
        """See `click.Command`."""
        return [_plain(param) for param in super().get_params(ctx)]


class PlainTyper(typer.Typer):
    """An app of plain commands."""

    def __init__(self, *, cls: type[TyperGroup] = PlainGroup, **settings: Any) -> None:
        super().__init__(cls=cls, no_args_is_help=True, **settings)

    def command(  # type: ignore[override]
        self, name: str | None = None, **settings: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """See `typer.Typer.command`."""
        return super().command(name, cls=PlainCommand, **settings)


def protocol_ids() -> tuple[str, ...]:
    """Ids of the referring protocols."""
    from mira.taxonomy.catalogue import taxonomy

    return tuple(protocol.id for protocol in taxonomy().protocols)


def _plain(param: Any) -> Any:
    """An option with its help filled in and, where it is a switch, no type beside it."""
    if getattr(param, "is_flag", False) and param.metavar is None:
        param.metavar = ""
    # Filled in when a command is used, so that listing commands needs no taxonomy.
    if "{protocols}" in (getattr(param, "help", None) or ""):
        param.help = param.help.replace("{protocols}", ", ".join(protocol_ids()))
    return param


def _without_braces(pieces: list[str]) -> list[str]:
    return [
        piece[1:].replace("}", "", 1) if piece.startswith("{") and "|" not in piece else piece
        for piece in pieces
    ]
