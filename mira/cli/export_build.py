"""`mira export build`: a workspace becomes a release."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mira.cli.options import JsonOption, WorkspaceOption
from mira.cli.output import format_count, format_size, print_json, progress, say_next


class ImageFormat(StrEnum):
    """How colour pictures go out."""

    KEEP = "keep"
    JPEG = "jpeg"


def build(
    workspace: WorkspaceOption,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The release to write or replace.", metavar="DIR"),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", help="Name of the data set; the folder's by default.", metavar="NAME"
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            "--split",
            help="Split of all scenes; by default as `mira export split` said, or `test`.",
            metavar="NAME",
        ),
    ] = None,
    final: Annotated[
        bool,
        typer.Option(
            "--final",
            help="Only what may be published: accepted questions, scenes with licence and consent.",
        ),
    ] = False,
    image_format: Annotated[
        ImageFormat,
        typer.Option("--image-format", help="Colour files as they came, or PNG files as JPEG."),
    ] = ImageFormat.KEEP,
    quality: Annotated[
        int, typer.Option("--jpeg-quality", help="Of colour files.", min=1, max=100, metavar="N")
    ] = 95,
    as_json: JsonOption = False,
) -> None:
    """Write the workspace's questions and pictures as a release: a draft, or `--final`."""
    from export.build import build_release, release_summary
    from mira.store.workspace import Workspace

    opened = Workspace.open(workspace)
    settings = opened.settings().export
    with progress("writing") as advance:
        info = build_release(
            opened,
            out,
            name=name or settings.name or None,
            split=split,
            unsplit=settings.split or "test",
            stage="final" if final else "draft",
            jpeg_quality=quality if image_format is ImageFormat.JPEG else None,
            progress=advance,
        )
    if as_json:
        print_json(release_summary(info))
    else:
        for config in info.configs:
            for part in config.splits:
                size = format_size(sum(ref.size_bytes for ref in part.files))
                rows = format_count(part.rows, "row")
                typer.echo(f"{config.name:8} {part.split:8} {rows:>12} {size:>12}")
        for reason, count in info.left_out.items():
            typer.echo(f"left out: {count:,}, {reason}")
        typer.echo(f"digest   {info.digest}")
    typer.echo(f"Release: {out}", err=True)
    say_next("mira", "export", "verify", out)
