"""`mira capture import`: another data set's files as a capture session."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, LimitOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from capture.importers.importing import ImportReport

_SHOWN = 20
"""Files left out that are shown; `--json` has all."""


class LayoutName(StrEnum):
    """How the files of a data set lie in folders."""

    rgbd_mirror = "rgbd-mirror"
    dvmd = "dvmd"
    mirror3d = "mirror3d"
    tum = "tum"
    open3d = "open3d"
    folder = "folder"


class SurfaceKind(StrEnum):
    """Kinds of reflective surface, as scenes name them."""

    planar_mirror = "planar_mirror"
    glass = "glass"
    convex_mirror = "convex_mirror"
    vehicle_side_mirror = "vehicle_side_mirror"
    water = "water"
    screen = "screen"


class ConsentState(StrEnum):
    """Whether people or private places allow publication."""

    not_needed = "not_needed"
    granted = "granted"
    unknown = "unknown"


def import_(
    source: Annotated[
        Path, typer.Argument(help="Folder of the data set, unpacked.", metavar="SOURCE")
    ],
    layout: Annotated[LayoutName, typer.Option("--from", help="How its files lie in folders.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="Session to write, new or begun.", metavar="DIR", file_okay=False
        ),
    ],
    licence: Annotated[
        str | None,
        typer.Option(
            "--licence", help="Licence of the pictures; the data set's if known.", metavar="TEXT"
        ),
    ] = None,
    source_name: Annotated[
        str | None, typer.Option("--source", help="Name of the data set.", metavar="NAME")
    ] = None,
    scenes: Annotated[
        Path | None,
        typer.Option(
            "--scenes",
            help="CSV with columns name and scene_id: which pictures are of one scene.",
            metavar="FILE",
        ),
    ] = None,
    depth_unit_m: Annotated[
        float | None,
        typer.Option(
            "--depth-unit-m",
            help="Metres a step of depth; what the files or the layout say by default.",
            min=1e-9,
            max=0.1,
            metavar="X",
        ),
    ] = None,
    intrinsics: Annotated[
        Path | None,
        typer.Option("--intrinsics", help="One camera file for all pictures.", metavar="FILE"),
    ] = None,
    color: Annotated[
        str | None,
        typer.Option(
            "--color", help="Which files are pictures, such as 'rgb/*.png'.", metavar="GLOB"
        ),
    ] = None,
    depth: Annotated[
        str | None,
        typer.Option(
            "--depth", help="Which files are depth; its stars pair with --color's.", metavar="GLOB"
        ),
    ] = None,
    mask: Annotated[
        str | None,
        typer.Option("--mask", help="Which files are masks of mirrors, likewise.", metavar="GLOB"),
    ] = None,
    keyframes: Annotated[
        int | None,
        typer.Option(
            "--keyframes",
            help="Views of a scene, those that differ most; 2 of a video by default, 0 for all.",
            min=0,
            metavar="N",
        ),
    ] = None,
    limit: LimitOption = None,
    surface_type: Annotated[
        SurfaceKind,
        typer.Option("--surface-type", help="Kind of all surfaces that masks show."),
    ] = SurfaceKind.planar_mirror,
    consent: Annotated[
        ConsentState, typer.Option("--consent", help="Whether the scenes may be published.")
    ] = ConsentState.unknown,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read everything and write nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read another data set's pictures into a capture session; goes on where it stopped.

    Exit 1 if a file was left out.
    """
    from capture.importers.importing import import_data_set
    from capture.importers.settings import ImportSettings

    settings = ImportSettings.of(
        layout=layout.value,
        source_name=source_name,
        licence=licence,
        consent=consent.value,
        surface_type=surface_type.value,
        depth_unit_m=depth_unit_m,
        intrinsics=intrinsics,
        scene_table=scenes,
        color_glob=color,
        depth_glob=depth,
        mask_glob=mask,
        keyframes=keyframes,
    )
    try:
        with progress("reading" if dry_run else "importing") as advance:
            report = import_data_set(
                source, out, settings=settings, limit=limit, dry_run=dry_run, progress=advance
            )
    except KeyboardInterrupt:
        if not dry_run:
            say_next("mira", *sys.argv[1:])
        raise
    for note in report.notes:
        typer.echo(f"note: {note}", err=True)
    if as_json:
        print_json(_as_json(report, dry_run=dry_run))
    else:
        _show(report, dry_run=dry_run)
    if not dry_run and report.imported + report.kept:
        say_next("mira", "capture", "select", out)
    if report.left_out:
        raise typer.Exit(1)


def _as_json(report: ImportReport, *, dry_run: bool) -> dict[str, object]:
    left_out = [fault._asdict() for fault in report.left_out]
    return {**report._asdict(), "left_out": left_out, "dry_run": dry_run}


def _show(report: ImportReport, *, dry_run: bool) -> None:
    for fault in report.left_out[:_SHOWN]:
        typer.echo(f"left out: {fault}", err=True)
    if len(report.left_out) > _SHOWN:
        typer.echo(f"and {len(report.left_out) - _SHOWN:,} more, see --json", err=True)
    would = "would be " if dry_run else ""
    typer.echo(
        f"{report.session}: {format_count(report.scenes, 'scene')}; "
        f"{format_count(report.imported, 'view')} {would}imported, {report.kept:,} there already"
    )
    details = {
        "without depth": report.without_depth,
        "without a camera": report.without_camera,
        "with surfaces": report.with_surfaces,
    }
    shown = ", ".join(f"{count:,} {what}" for what, count in details.items() if count)
    if shown:
        typer.echo(f"imported: {shown}")
