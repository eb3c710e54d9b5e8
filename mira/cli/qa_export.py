"""`mira qa export`: questions of a workspace in the layout of others."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import ColorForm, JsonOption, LimitOption, StyleOption, WorkersOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from mira.published.writing import PublishedSummary


class LayoutName(StrEnum):
    """Whose layout."""

    questions_json = "questions-json"


def export(
    workspace: Annotated[
        Path, typer.Argument(help="The workspace.", metavar="WORKSPACE", file_okay=False)
    ],
    to: Annotated[
        LayoutName, typer.Option("--to", help="questions.json of MIRA-Bench with its pictures.")
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder, or an export to replace.", metavar="DIR"),
    ],
    color: Annotated[
        ColorForm,
        typer.Option("--color-as", help="Files of rendered colours; depth and masks are PNG."),
    ] = ColorForm.jpeg,
    style: StyleOption = None,
    limit: LimitOption = None,
    workers: WorkersOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Write questions and the pictures they show for the tools of the published benchmark.

    An earlier export is replaced in one step.
    """
    from mira.item_pictures import WorkspacePictures
    from mira.published.writing import write_published
    from mira.render.style_settings import parse_style
    from mira.store.workspace import Workspace
    from qa_gen.published.asked import asked_pictures

    opened = Workspace.open(workspace)
    looks = parse_style(style or ())
    pictures = WorkspacePictures(opened)
    with progress("exporting") as advance:
        summary = write_published(
            asked_pictures(opened.items(), pictures),
            out,
            style=looks,
            color_form=color.value,
            limit=limit,
            workers=workers,
            total=len(pictures),
            progress=advance,
        )
    if as_json:
        print_json(summary._asdict())
    else:
        _show(summary)
    say_next("mira", "qa", "import", out, "--from", to.value)


def _show(summary: PublishedSummary) -> None:
    for template_id, count in summary.by_template.items():
        typer.echo(f"{template_id:9} {format_count(count, 'item'):>14}")
    typer.echo(
        f"{summary.out}: {format_count(summary.entries, 'entry', 'entries')} of "
        f"{format_count(summary.items, 'item')} about {format_count(summary.pictures, 'picture')}"
    )
    if summary.rejected:
        typer.echo(f"left out: {format_count(summary.rejected, 'item')} that review rejected")
    if summary.wordless:
        typer.echo(f"left out: {format_count(summary.wordless, 'item')} without any wording")
