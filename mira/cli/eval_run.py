"""`mira eval run`: a model asked the questions of a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.eval_asking import asking_options
from mira.cli.export_tasks import MissingDepthName
from mira.cli.model_options import MODEL_HELP, Reached, with_model_flags
from mira.cli.options import ColorForm, JsonOption, ReleaseArgument, StyleOption
from mira.cli.output import print_json

if TYPE_CHECKING:
    from mira.evals.inspect_runner.collecting import Tally
    from mira.evals.inspect_runner.options import AskingOptions, Progress


@with_model_flags
def run(
    release: ReleaseArgument,
    model: Annotated[str, typer.Option("--model", "-m", help=MODEL_HELP, metavar="PROVIDER/NAME")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder for the run.", metavar="RUN", file_okay=False),
    ],
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            help="How questions point, {protocols}; all in one run, several in one each.",
            metavar="all|ID,ID",
        ),
    ] = "visual_bbox",
    modality: Annotated[
        str,
        typer.Option(
            "--modality",
            help="Which pictures go along; several in a run each.",
            metavar="all|ID,ID",
        ),
    ] = "rgb",
    style: StyleOption = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            "--sweep",
            help="A setting of --style and its values, in a run each; repeated, all combinations.",
            metavar="NAME=A,B,…",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", help="Ask this split only.", metavar="NAME")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", help="Ask the first N questions only.", min=1, metavar="N"),
    ] = None,
    missing_depth: Annotated[
        MissingDepthName,
        typer.Option("--missing-depth", help="Questions whose picture has no depth to show."),
    ] = MissingDepthName.refuse,
    color: Annotated[
        ColorForm, typer.Option("--color-as", help="Files of rendered colours.")
    ] = ColorForm.jpeg,
    *,
    reached: Reached,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on: ask what failed or was never asked, nothing else."),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Show the first question and count all; ask nobody."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Ask a model the questions of a release; what it says becomes a run, to score and report.

    Exits 1 where a question failed or was not asked.
    """
    options = asking_options(
        protocols=protocol,
        modalities=modality,
        style=style or (),
        sweep=sweep or (),
        split=split,
        limit=limit,
        missing_depth=missing_depth.value,
        color_form=color.value,
        reached={"model": model, **reached},
    )
    if dry_run:
        _rehearse(release, out, options, as_json=as_json)
    else:
        _ask(release, out, options, resume=resume, as_json=as_json)


def _rehearse(release: Path, out: Path, options: AskingOptions, *, as_json: bool) -> None:
    from mira.cli.eval_questions import rehearsal_lines
    from mira.evals.inspect_runner.rehearsing import rehearse

    found = rehearse(release, out, options=options)
    if as_json:
        print_json(found)
        return
    for line in rehearsal_lines(found):
        typer.echo(line)


def _ask(release: Path, out: Path, options: AskingOptions, *, resume: bool, as_json: bool) -> None:
    from mira.cli.eval_questions import ask_and_tell
    from mira.evals.inspect_runner.running import run_model

    def ask(progress: Progress) -> Tally:
        return run_model(release, out, options=options, resume=resume, progress=progress)

    ask_and_tell(ask, out, options, then=("mira", "eval", "report"), as_json=as_json)
