"""`mira sim perturb`: annotation files with errors that are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption, SeedOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from mira.sim.perturb.writing import PerturbReport


def perturb(
    source: Annotated[
        Path,
        typer.Argument(
            help="Annotation file, folder of them, or capture session.", metavar="SOURCE"
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.", metavar="DIR")],
    seed: SeedOption = 0,
    vertex_px: Annotated[
        float,
        typer.Option(
            "--vertex-px",
            help="Standard deviation of outlines, pixels.",
            min=0,
            max=1000,
            metavar="S",
        ),
    ] = 0.0,
    miss: Annotated[
        float, typer.Option("--miss", help="Share of instances missed.", min=0, max=1, metavar="P")
    ] = 0.0,
    extra: Annotated[
        float,
        typer.Option("--extra", help="Share of instances invented.", min=0, max=1, metavar="P"),
    ] = 0.0,
    wrong_link: Annotated[
        float,
        typer.Option(
            "--wrong-link", help="Share of links to another object.", min=0, max=1, metavar="P"
        ),
    ] = 0.0,
    drop_link: Annotated[
        float,
        typer.Option("--drop-link", help="Share of links left out.", min=0, max=1, metavar="P"),
    ] = 0.0,
    swap_type: Annotated[
        float,
        typer.Option(
            "--swap-type",
            help="Share of objects drawn as reflections and the reverse.",
            min=0,
            max=1,
            metavar="P",
        ),
    ] = 0.0,
    wrong_type: Annotated[
        float,
        typer.Option(
            "--wrong-type", help="Share of surfaces of another type.", min=0, max=1, metavar="P"
        ),
    ] = 0.0,
    merge_holes: Annotated[
        float,
        typer.Option("--merge-holes", help="Share of holes left out.", min=0, max=1, metavar="P"),
    ] = 0.0,
    annotator: Annotated[
        str,
        typer.Option(
            "--annotator", help="Who errs, as a code name; others err otherwise.", metavar="NAME"
        ),
    ] = "simulated",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier output.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Copy annotation files with errors as annotators make them, and log each error."""
    from mira.sim.perturb.policy import AnnotatorNoise
    from mira.sim.perturb.writing import write_perturbed

    noise = AnnotatorNoise(
        vertex_px=vertex_px,
        miss_share=miss,
        extra_share=extra,
        wrong_link_share=wrong_link,
        dropped_link_share=drop_link,
        wrong_visibility_share=swap_type,
        wrong_surface_type_share=wrong_type,
        forgotten_hole_share=merge_holes,
    )
    with progress("perturbing") as advance:
        report = write_perturbed(
            source,
            out,
            noise=noise,
            seed=seed,
            annotator=annotator,
            overwrite=overwrite,
            progress=advance,
        )
    if as_json:
        print_json(report)
    else:
        _show(report)
    for fault in report.faults:
        typer.echo(f"left out: {fault}", err=True)
    scenes = source if source.is_dir() else source.parent
    words = ("--scenes", scenes, "--annotator", annotator, "--workspace", "DIR")
    say_next("mira", "annotate", "import", out, *words)
    if report.faults:
        raise typer.Exit(1)


def _show(report: PerturbReport) -> None:
    typer.echo(
        f"{report.out}: {format_count(report.files, 'file')}, "
        f"{format_count(report.instances, 'surface or instance', 'surfaces and instances')}"
    )
    changes = (f"{kind.replace('_', ' ')} {n:,}" for kind, n in report.changes.items())
    typer.echo(f"changes: {', '.join(changes) or 'none'}")
    if report.mean_iou is not None:
        typer.echo(f"mean IoU with the source: {report.mean_iou:.3f}")
    typer.echo(f"log: {report.log}")
