"""What commands that make stills have in common: their flags, and what they print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.output import format_count, print_json

if TYPE_CHECKING:
    from mira.sim.stills.folder import MadeStills

OutOption = Annotated[
    Path, typer.Option("--out", "-o", help="Folder to write to.", metavar="DIR", file_okay=False)
]
OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Make pictures anew that are there already.")
]


def show_stills(out: Path, made: MadeStills, *, as_json: bool) -> None:
    """Print where pictures, their truth and the contact sheet are."""
    if as_json:
        print_json({"out": out, **made._asdict()})
        return
    there = f", {made.kept} of them there already" if made.kept else ""
    typer.echo(f"{out}: {format_count(len(made.files), 'picture')}{there}")
    typer.echo(f"Truth: {made.frames}")
    typer.echo(f"Preview: {made.contact_sheet}")
