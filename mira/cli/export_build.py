"""`mira export build`: a workspace becomes a release."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mira.cli.options import JsonOption, ModalityName, ProtocolName
from mira.cli.output import format_count, format_size, print_json, progress, say_next

if TYPE_CHECKING:
    from export.building.records import FlatForm
    from mira.schema.export import ReleaseInfo
    from mira.store.workspace import Workspace


class ImageFormat(StrEnum):
    """How colour pictures go out."""

    KEEP = "keep"
    JPEG = "jpeg"


class ExecutorName(StrEnum):
    """Who runs tasks."""

    LOCAL = "local"
    SLURM = "slurm"
    RAY = "ray"


def build(
    out: Annotated[
        str,
        typer.Option(
            "--out",
            "-o",
            help="The release to write or replace: a folder, or an address like s3://…",
            metavar="DIR",
        ),
    ],
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace",
            "-w",
            help="The workspace; not needed for episodes alone.",
            metavar="DIR",
            file_okay=False,
        ),
    ] = None,
    episodes: Annotated[
        list[Path] | None,
        typer.Option(
            "--episodes",
            help="A folder of episodes to export too; repeatable.",
            metavar="RUN",
            file_okay=False,
        ),
    ] = None,
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
    flat: Annotated[
        bool,
        typer.Option(
            "--flat",
            help="One table of questions with their pictures rendered, and no other of them.",
        ),
    ] = False,
    protocol: Annotated[
        ProtocolName | None,
        typer.Option("--protocol", help="How a flat release points; visual_bbox by default."),
    ] = None,
    modality: Annotated[
        ModalityName | None,
        typer.Option("--modality", help="What a flat release shows; rgb by default."),
    ] = None,
    raw_depth: Annotated[
        bool,
        typer.Option(
            "--include-raw-depth", help="Depth on the sensor's own grid too, where it was kept."
        ),
    ] = False,
    image_format: Annotated[
        ImageFormat,
        typer.Option("--image-format", help="Colour files as they came, or PNG files as JPEG."),
    ] = ImageFormat.KEEP,
    quality: Annotated[
        int, typer.Option("--jpeg-quality", help="Of colour files.", min=1, max=100, metavar="N")
    ] = 95,
    executor: Annotated[
        ExecutorName,
        typer.Option("--executor", help="Who runs the tasks: this machine or a cluster."),
    ] = ExecutorName.LOCAL,
    tasks: Annotated[
        int,
        typer.Option(
            "--tasks", help="Processes; any number gives the same bytes.", min=1, metavar="N"
        ),
    ] = 1,
    slurm_partition: Annotated[
        str | None,
        typer.Option("--slurm-partition", help="Where Slurm runs the tasks.", metavar="NAME"),
    ] = None,
    slurm_time: Annotated[
        str, typer.Option("--slurm-time", help="Time limit of a task.", metavar="H:MM:SS")
    ] = "02:00:00",
    as_json: JsonOption = False,
) -> None:
    """Write the workspace's questions and pictures as a release: a draft, or `--final`.

    Episodes go out beside them, or alone.

    A build that was killed goes on when it is run again; the old release stays until it is done.
    """
    from export.build import release_summary
    from export.building.running import Execution
    from export.upload import (
        is_remote,
        local_path,
        name_of,
        require_remote_target,
        upload_release,
        workbench,
    )
    from mira.errors import MiraError
    from mira.store.episodes import EpisodeStore
    from mira.store.settings import ExportSettings
    from mira.store.workspace import Workspace

    if not flat and (protocol or modality):
        flag = "--protocol" if protocol else "--modality"
        raise MiraError(flag, "is for a flat release", "give --flat too")
    for flag, given in (("--flat", flat), ("--include-raw-depth", raw_depth)):
        if given and workspace is None:
            raise MiraError(flag, "is for pictures of a workspace", "give --workspace too")
    if flat and raw_depth:
        raise MiraError("--include-raw-depth", "is for releases that are not flat")
    if workspace is None and not episodes:
        raise MiraError("--workspace", "expected a workspace or --episodes, found neither")
    opened = None if workspace is None else Workspace.open(workspace)
    settings = ExportSettings() if opened is None else opened.settings().export
    options: dict[str, Any] = {
        "runs": [EpisodeStore.open(run) for run in episodes or ()],
        "name": name or settings.name or (name_of(out) if is_remote(out) else None),
        "split": split,
        "unsplit": settings.split or "test",
        "stage": "final" if final else "draft",
        "flat": _form(protocol, modality) if flat else None,
        "raw_depth": raw_depth,
        "jpeg_quality": quality if image_format is ImageFormat.JPEG else None,
        "execution": Execution(
            executor=executor.value,
            tasks=tasks,
            slurm_partition=slurm_partition,
            slurm_time=slurm_time,
        ),
    }
    try:
        if is_remote(out):
            require_remote_target(out)
            with workbench(out) as folder:
                info = _build(opened, folder, options)
                with progress("sending") as advance:
                    upload_release(folder, out, progress=advance)
        else:
            info = _build(opened, local_path(out), options)
    except KeyboardInterrupt:
        say_next("mira", *sys.argv[1:])
        raise
    if as_json:
        print_json(release_summary(info))
    else:
        for config in info.configs:
            for part in config.splits:
                size = format_size(sum(ref.size_bytes for ref in part.files))
                rows = format_count(part.rows, "row")
                typer.echo(f"{config.name:12} {part.split:8} {rows:>12} {size:>12}")
        for reason, count in info.left_out.items():
            typer.echo(f"left out: {count:,}, {reason}")
        typer.echo(f"digest   {info.digest}")
    typer.echo(f"Release: {out}", err=True)
    if not is_remote(out):
        say_next("mira", "export", "verify", out)


def _form(protocol: ProtocolName | None, modality: ModalityName | None) -> FlatForm:
    from export.building.records import FlatForm

    return FlatForm(
        protocol=(protocol or ProtocolName.visual_bbox).value,
        modality=(modality or ModalityName.rgb).value,
    )


def _build(workspace: Workspace | None, folder: Path, options: dict[str, Any]) -> ReleaseInfo:
    from export.build import build_release

    with progress("writing") as advance:
        return build_release(workspace, folder, **options, progress=advance)
