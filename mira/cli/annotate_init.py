"""`mira annotate init`: what annotators are given before they start."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json


def init(
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="New folder, or an earlier one to replace.", metavar="DIR"
        ),
    ],
    categories: Annotated[
        str | None,
        typer.Option(
            "--categories",
            help="Kinds of object with labels of their own, by commas, such as cup,lamp.",
            metavar="LIST",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write what annotators need: attributes, labels, program settings, a guide to print."""
    from annotate.writing.setup.files import GUIDE_NAME, write_setup

    words = [] if categories is None else categories.split(",")
    made = write_setup(out, categories=words)
    if as_json:
        print_json(made._asdict())
        return
    typer.echo(f"{made.out}: {format_count(len(made.labels), 'label')}: {', '.join(made.labels)}")
    typer.echo(f"Guide: {out / GUIDE_NAME}")
