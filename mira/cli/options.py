"""Flags that are called, and mean, the same for every verb."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MAX_SEED = 2**63 - 1

WorkspaceOption = Annotated[
    Path,
    typer.Option("--workspace", "-w", help="The workspace.", metavar="DIR", file_okay=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed",
        help="Seed of all that is drawn by chance.",
        min=0,
        max=MAX_SEED,
        metavar="N",
    ),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", help="Processes.", min=1, max=256, metavar="N")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", help="Use the first N pictures only.", min=1, metavar="N")
]
