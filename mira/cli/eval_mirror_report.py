"""`mira eval mirror report`: runs of the mirror test on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.eval_mirror_score import MirrorRunsArgument
from mira.cli.options import SeedOption
from mira.cli.output import progress


def report(
    runs: MirrorRunsArgument,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="Folder for report.html, with the numbers and tables; replaces an earlier one.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = Path("mirror-report"),
    paths: Annotated[
        int,
        typer.Option(
            "--paths", help="Episodes of each player whose way is drawn.", min=0, metavar="N"
        ),
    ] = 3,
    seed: SeedOption = 0,
) -> None:
    """Put runs of the mirror test on one page: scores, levels, stability, ways of the hand."""
    from mira.evals.mirror_report.policy import MirrorReportPolicy
    from mira.evals.mirror_report.writing import write_mirror_report

    with progress("reading episodes") as advance:
        written = write_mirror_report(
            runs, out, policy=MirrorReportPolicy(paths=paths), seed=seed, progress=advance
        )
    for path in written:
        typer.echo(path)
