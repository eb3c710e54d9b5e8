"""`mira eval tom report`: replies of models to one set of questions, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json, progress
from mira.cli.tom_options import TomRunArgument


def report(
    run: TomRunArgument,
    replies: Annotated[
        list[Path], typer.Argument(help="Files of replies, and models' runs.", metavar="REPLIES")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="Folder for report.html, with the numbers and tables; replaces an earlier one.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = Path("tom-report"),
    examples: Annotated[
        int,
        typer.Option(
            "--examples",
            help="Wrong answers of each kind and model that are shown.",
            min=0,
            metavar="N",
        ),
    ] = 2,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Put replies on one page: order curves, controls, gaps, joint scores, wrong answers."""
    from mira.evals.tom.report.writing import write_tom_report

    with progress("scoring") as advance:
        written = write_tom_report(
            run, replies, out, examples=examples, seed=seed, progress=advance
        )
    if as_json:
        print_json({"files": written.files, "report": written.report})
        return
    for path in written.files:
        typer.echo(path)
