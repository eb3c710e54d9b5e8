"""`mira export split`: which scenes are for training and which for testing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption, WorkspaceOption
from mira.cli.output import format_count, print_json


def split(
    workspace: WorkspaceOption,
    shares: Annotated[
        str | None,
        typer.Option(
            "--shares",
            help="Share of the scenes of each split, as in `train=0.8,test=0.2`.",
            metavar="SHARES",
        ),
    ] = None,
    listed: Annotated[
        Path | None,
        typer.Option(
            "--list",
            help="CSV with the columns scene_id and split.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
    anew: Annotated[
        bool, typer.Option("--anew", help="Forget the splits that scenes were given before.")
    ] = False,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Say which scenes are for training and which for testing; each stays where it is for ever.

    Scenes that have a split keep it, listed ones get theirs, and the others are shared out.
    """
    from export.splits import read_split_list, split_scenes
    from mira.store.workspace import Workspace

    opened = Workspace.open(workspace)
    done = split_scenes(
        opened,
        shares=_shares(shares) if shares else None,
        listed=read_split_list(listed) if listed else None,
        seed=seed,
        anew=anew,
    )
    if as_json:
        print_json({"scenes": done.counts, "new": done.new})
    else:
        for name, count in done.counts.items():
            typer.echo(f"{name:10} {format_count(count, 'scene'):>12}")
        typer.echo(f"new: {done.new:,}")
    typer.echo(f"Splits: {opened.root / 'splits.json'}", err=True)


def _shares(text: str) -> dict[str, float]:
    """Shares of splits, as in `train=0.8,test=0.2`."""
    from mira.errors import MiraError

    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        try:
            number = float(share)
        except ValueError:
            problem = f"expected split=share, found {part.strip()!r}"
            raise MiraError("--shares", problem) from None
        if name in shares:
            raise MiraError("--shares", f"expected each split once, found {name!r} again")
        shares[name] = number
    return shares
