"""`mira qa import`: questions, or answers, that came from elsewhere."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress, say_next, show_findings
from mira.cli.qa_import_answers import import_answers_file
from mira.cli.qa_import_reviews import import_reviews_file
from mira.errors import MiraError

if TYPE_CHECKING:
    from qa_gen.published.importing import PublishedImport

_SHOWN_OF_A_CODE = 10
"""Findings of one code that are printed; `--json` has all."""


class SourceForm(StrEnum):
    """What kind of file it is."""

    answers = "answers"
    questions_json = "questions-json"
    reviews = "reviews"


def import_(
    source: Annotated[
        Path, typer.Argument(help="The file, or the folder that holds it.", metavar="SOURCE")
    ],
    form: Annotated[
        SourceForm,
        typer.Option(
            "--from",
            help="Answers or reviews, CSV or JSON lines; or questions.json of MIRA-Bench.",
        ),
    ],
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace",
            "-w",
            help="Where they belong; without one, questions are only checked.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator",
            help="Whose annotation has the objects, where a picture has several.",
            metavar="NAME",
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Who answered or reviewed, where rows do not say, as a code name.",
            metavar="NAME",
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Take the good rows of a file with faults.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read people's answers or reviews, or questions of others; exit 1 if any is not taken over.

    Answers and reviews are added to those that are there; questions take the place of the
    workspace's.
    """
    if form is SourceForm.questions_json:
        _import_questions(source, workspace, annotator, as_json=as_json)
        return
    if workspace is None:
        raise MiraError("--workspace", "expected the workspace that it is about, found none")
    if form is SourceForm.reviews:
        import_reviews_file(source, workspace, by=by, partial=partial, as_json=as_json)
        return
    import_answers_file(
        source, workspace, by=by, annotator=annotator, partial=partial, as_json=as_json
    )


def _import_questions(
    source: Path, workspace: Path | None, annotator: str | None, *, as_json: bool
) -> None:
    from mira.store.workspace import Workspace
    from qa_gen.published.importing import import_published

    opened = None if workspace is None else Workspace.open(workspace)
    with progress("importing") as advance:
        report = import_published(source, opened, annotator=annotator, progress=advance)
    if as_json:
        print_json(report._asdict())
    else:
        _show(report, taken_over=workspace is not None)
    if report.imported and workspace is not None:
        say_next("mira", "qa", "render", workspace, "--out", "seen")
    if any(finding.severity == "error" for finding in report.findings):
        raise typer.Exit(1)


def _show(report: PublishedImport, *, taken_over: bool) -> None:
    show_findings(report.findings, most_of_a_code=_SHOWN_OF_A_CODE)
    for template_id, count in report.by_template.items():
        typer.echo(f"{template_id:9} {format_count(count, 'item'):>14}")
    typer.echo(
        f"{report.source}: {format_count(report.entries, 'entry', 'entries')} of "
        f"{format_count(report.items, 'item')}"
        + (f", {report.imported:,} taken over" if taken_over else "")
    )
