"""`mira annotate export`: annotations as files that other programs open."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from annotate.writing.exporting import ExportSummary


class FormName(StrEnum):
    """Which program the files are for."""

    xanylabeling = "xanylabeling"
    coco = "coco"


class PictureChoice(StrEnum):
    """What becomes of the pictures."""

    copy = "copy"
    link = "link"
    none = "none"


def export(
    workspace: Annotated[
        Path, typer.Argument(help="The workspace.", metavar="WORKSPACE", file_okay=False)
    ],
    to: Annotated[
        FormName,
        typer.Option("--to", help="One file a picture and annotator, or one COCO file for all."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="New folder, or an export to replace.", metavar="DIR"),
    ],
    annotator: Annotated[
        str | None,
        typer.Option(
            "--annotator", help="Whose annotations; those of all by default.", metavar="NAME"
        ),
    ] = None,
    pictures: Annotated[
        PictureChoice,
        typer.Option("--pictures", help="Whether pictures go along; link makes hard links."),
    ] = PictureChoice.copy,
    as_json: JsonOption = False,
) -> None:
    """Write the annotations of a workspace for X-AnyLabeling, or as COCO.

    An earlier export is replaced in one step, but not one that somebody has changed since.
    """
    from annotate.writing.exporting import export_annotations
    from mira.store.workspace import Workspace

    with progress("exporting") as advance:
        summary = export_annotations(
            Workspace.open(workspace),
            out,
            form=to.value,
            annotator=annotator,
            pictures=pictures.value,
            progress=advance,
        )
    if as_json:
        print_json(summary._asdict())
    else:
        _show(summary)
    if summary.annotated_twice and to is FormName.coco:
        twice = format_count(summary.annotated_twice, "picture")
        typer.echo(f"note: {twice} annotated by several; --annotator takes one", err=True)
    if summary.lost_reflections:
        lost = format_count(summary.lost_reflections, "faulty shape")
        typer.echo(f"note: {lost} of reflections had been left out on import", err=True)
    if to is FormName.xanylabeling:
        name = min(summary.by_annotator)
        say_next("mira", "annotate", "import", out / name, "-w", workspace, "--annotator", name)


def _show(summary: ExportSummary) -> None:
    for name, count in summary.by_annotator.items():
        typer.echo(f"{name}: {format_count(count, 'annotation')}")
    typer.echo(
        f"{summary.out}: {format_count(summary.pictures, 'picture')}, "
        f"{format_count(summary.surfaces, 'surface')}, "
        f"{format_count(summary.instances, 'instance')}, {format_count(summary.links, 'link')}"
    )
