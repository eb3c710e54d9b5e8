"""`mira sim`: scenes whose truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, progress, say_next
from mira.cli.plain_help import PlainTyper

app = PlainTyper()


@app.callback()
def _stage() -> None:
    """Make simulated scenes whose truth is known."""


@app.command()
def rooms(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.", metavar="DIR")],
    count: Annotated[int, typer.Option("--count", help="Rooms to make.", min=1, metavar="N")] = 3,
    seed: SeedOption = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace rooms of the same name.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Render mirror rooms with their annotation; room k of a seed is the same for ever."""
    from mira.sim.rooms.writer import write_rooms

    with progress("rendering rooms") as advance:
        made = write_rooms(out, count=count, seed=seed, overwrite=overwrite, progress=advance)
    if as_json:
        print_json({"scenes": made})
    else:
        for scene in made:
            typer.echo(str(scene))
    say_next("mira", "annotate", "import", out, "--workspace", "DIR")
