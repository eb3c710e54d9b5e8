"""`mira eval report`: runs on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mira.cli.eval_options import ControlOption, ProtocolOption, ReleaseOption, SplitOption
from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import print_json


def report(
    runs: Annotated[
        list[Path], typer.Argument(help="Runs, and files of predictions.", metavar="RUN")
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
    ] = Path("report"),
    control: ControlOption = None,
    release: ReleaseOption = None,
    protocol: ProtocolOption = None,
    split: SplitOption = None,
    examples: Annotated[
        int,
        typer.Option(
            "--examples",
            help="Wrong answers of each sub-task and run that are shown.",
            min=0,
            metavar="N",
        ),
    ] = 2,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Put runs on one page: scores, comparisons, replies, confidence, slices, wrong answers."""
    from mira.evals.run_report.policy import RunReportPolicy
    from mira.evals.run_report.writing import write_run_report

    written = write_run_report(
        runs,
        out,
        control=control or (),
        release=release,
        protocol=protocol,
        split=split,
        policy=RunReportPolicy(examples=examples),
        seed=seed,
    )
    if as_json:
        print_json({"files": written.files, "report": written.report})
        return
    for path in written.files:
        typer.echo(path)
