"""Flags that are called, and mean, the same for every verb."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WorkspaceOption = Annotated[
    Path,
    typer.Option("--workspace", "-w", help="The workspace.", metavar="DIR", file_okay=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of all that is drawn by chance.")]
LimitOption = Annotated[
    int | None, typer.Option("--limit", help="Stop after so many.", min=1, metavar="N")
]
WorkersOption = Annotated[
    int, typer.Option("--workers", help="Processes to work with.", min=1, metavar="N")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Say what would change and change nothing.")
]
