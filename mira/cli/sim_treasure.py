"""`mira sim treasure`: pictures of the treasure game with exact truth."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import progress, say_next
from mira.cli.stills_output import OutOption, OverwriteOption, show_stills


def treasure(
    out: OutOption,
    count: Annotated[
        int,
        typer.Option(
            "--count", help="Situations, two pictures each.", min=1, max=10_000, metavar="N"
        ),
    ] = 24,
    seed: SeedOption = 0,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make pictures of the treasure game as both players see it, and what is true of each.

    Situations are drawn by chance; it goes on where it stopped.
    """
    from mira.sim.treasure.stills import make_treasure_stills

    try:
        with progress("drawing situations") as advance:
            made = make_treasure_stills(
                out, count=count, seed=seed, overwrite=overwrite, progress=advance
            )
    except KeyboardInterrupt:
        say_next("mira", *sys.argv[1:])
        raise
    show_stills(out, made, as_json=as_json)
