"""`mira sim`: scenes whose truth is known."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption, WorkersOption
from mira.cli.output import format_count, print_json, progress, say_next
from mira.cli.plain_help import PlainTyper
from mira.cli.sim_fit_depth import fit_depth
from mira.cli.sim_perturb import perturb
from mira.cli.sim_reach import reach
from mira.cli.sim_treasure import treasure

app = PlainTyper()
app.command()(perturb)
app.command()(fit_depth)
app.command()(reach)
app.command()(treasure)


@app.callback()
def _stage() -> None:
    """Make simulated scenes whose truth is known."""


@app.command()
def rooms(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.", metavar="DIR")],
    count: Annotated[int, typer.Option("--count", help="Rooms to make.", min=1, metavar="N")] = 8,
    seed: SeedOption = 0,
    places: Annotated[
        str | None,
        typer.Option(
            "--places",
            help="Kinds of place, by commas, such as street_corner,hall; all take turns.",
            metavar="LIST",
        ),
    ] = None,
    views: Annotated[
        int | None,
        typer.Option("--views", help="Views a room; 2 by default.", min=1, max=6, metavar="N"),
    ] = None,
    depth_sensor: Annotated[
        Path | None,
        typer.Option(
            "--depth-sensor", help="Sensor parameters, as fit-depth writes them.", metavar="FILE"
        ),
    ] = None,
    workers: WorkersOption = 1,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Make rooms anew that are there already.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make mirror rooms as a capture session with annotation and truth; goes on where it stopped.

    Room k of a seed is the same for ever, however many are made.
    """
    from mira.sim.rooms.output.series import make_rooms
    from mira.sim.rooms.policy import read_room_policy

    policy = read_room_policy(places=places, views=views, depth_sensor=depth_sensor)
    try:
        with progress("making rooms") as advance:
            made = make_rooms(
                out,
                count=count,
                seed=seed,
                policy=policy,
                workers=workers,
                overwrite=overwrite,
                progress=advance,
            )
    except KeyboardInterrupt:
        say_next("mira", *sys.argv[1:])
        raise
    if as_json:
        print_json({"session": out, **made._asdict()})
    else:
        there = f", {made.kept} of them there already" if made.kept else ""
        typer.echo(f"{out}: {format_count(len(made.scenes), 'scene')}{there}")
        typer.echo(f"Preview: {made.contact_sheet}")
    say_next("mira", "annotate", "import", out, "--workspace", "DIR")
