"""`mira export diff`: what one release has more, fewer and others than another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import print_json


def diff(
    old: Annotated[Path, typer.Argument(help="A release folder.", metavar="OLD", file_okay=False)],
    new: Annotated[Path, typer.Argument(help="Another.", metavar="NEW", file_okay=False)],
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if anything differs.")] = False,
    shown: Annotated[
        int, typer.Option("--show", help="Changed rows of a table to print.", min=0, metavar="N")
    ] = 5,
    as_json: JsonOption = False,
) -> None:
    """Rows that one release has more, fewer and others than another, field by field."""
    from export.diff import diff_releases, examples

    found = diff_releases(old, new)
    if as_json:
        print_json(found)
    else:
        for config, table in found.tables.items():
            typer.echo(
                f"{config}: {table.old_rows:,} to {table.new_rows:,} rows; "
                f"{len(table.added):,} added, {len(table.removed):,} removed, "
                f"{len(table.changed):,} changed"
            )
            for name, count in table.by_field().items():
                typer.echo(f"  {name}: {count:,}")
            for one in examples(old, new, config, table, limit=shown):
                typer.echo(f"    {one.key} {one.field}: {_short(one.old)} -> {_short(one.new)}")
        typer.echo("no row differs" if found.is_same else "the releases differ")
    if strict and not found.is_same:
        raise typer.Exit(1)


def _short(value: object, most: int = 60) -> str:
    """A value in a line."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."
