"""`mira sim reach`: pictures of the mirror test with exact truth."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mira.cli.options import JsonOption, listed
from mira.cli.output import progress, say_next
from mira.cli.stills_output import OutOption, OverwriteOption, show_stills


def reach(
    out: OutOption,
    scenes: Annotated[
        str | None,
        typer.Option(
            "--scenes",
            help="Scenes, bodies, human or robot, by commas; all 66 by default.",
            metavar="LIST",
        ),
    ] = None,
    walk: Annotated[
        int | None,
        typer.Option(
            "--walk",
            help="Show every Nth step of the shortest way to the mark, not the start alone.",
            min=1,
            metavar="N",
        ),
    ] = None,
    size: Annotated[
        int,
        typer.Option("--size", help="Width and height, pixels.", min=32, max=4096, metavar="PX"),
    ] = 1024,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make pictures of the mirror test, and what is true of each; goes on where it stopped."""
    from mira.sim.reach.stills import make_reach_stills

    try:
        with progress("drawing scenes") as advance:
            made = make_reach_stills(
                out,
                scenes=listed(scenes),
                walk=walk,
                size_px=size,
                overwrite=overwrite,
                progress=advance,
            )
    except KeyboardInterrupt:
        say_next("mira", *sys.argv[1:])
        raise
    show_stills(out, made, as_json=as_json)
