"""`mira sim fit-depth`: the simulated depth camera after a real one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mira.cli.options import JsonOption
from mira.cli.output import format_count, print_json, progress, say_next

if TYPE_CHECKING:
    from mira.sim.depth_fit.records import DepthFit, Estimate


def fit_depth(
    sources: Annotated[
        list[Path],
        typer.Argument(
            help="Capture sessions, or folders of pictures with depth and intrinsics.",
            metavar="SESSION",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE")],
    baseline: Annotated[
        float,
        typer.Option(
            "--baseline",
            help="Distance between the imagers, metres: 0.05 of a D435, 0.055 of a D415.",
            min=0.001,
            max=1,
            metavar="B",
        ),
    ] = 0.05,
    as_json: JsonOption = False,
) -> None:
    """Estimate what `mira sim rooms --depth-sensor` takes from the depth of a real camera."""
    from mira.sim.depth_fit.fitting import fit_depth as fit
    from mira.sim.depth_fit.fitting import write_policy

    with progress("reading depth") as advance:
        found = fit(tuple(sources), baseline_m=baseline, progress=advance)
    write_policy(out, found)
    if as_json:
        print_json(found.model_dump(mode="json") | {"out": str(out)})
    else:
        _show(found, out)
    for fault in found.faults:
        typer.echo(f"left out: {fault}", err=True)
    say_next("mira", "sim", "rooms", "--out", "DIR", "--depth-sensor", out)
    if found.faults:
        raise typer.Exit(1)


def _show(found: DepthFit, out: Path) -> None:
    typer.echo(
        f"{format_count(found.frames, 'depth map')} of focal length {found.focal_px:g} px; "
        f"pixels below are those of focal length {found.policy_focal_px:g}"
    )
    for one in found.estimates:
        typer.echo(_line(one))
    if found.still_noise_px is not None:
        pixels = format_count(found.still_pixels, "pixel")
        typer.echo(
            f"noise from frame to frame of a still view: {found.still_noise_px:g} ({pixels})"
        )
    if found.edge_flying_share is not None:
        typer.echo(f"readings between both sides of an edge: {found.edge_flying_share:.1%}")
    if found.edge_lost_share is not None:
        typer.echo(f"lost near edges, beyond what they hide: {found.edge_lost_share:.1%}")
    typer.echo(f"written: {out}")


def _line(one: Estimate) -> str:
    if one.value is None:
        return f"{one.parameter}: {one.default:g} stays: {one.reason}"
    pixels = format_count(one.pixels, "pixel")
    return f"{one.parameter}: {one.value:g} (default {one.default:g}; {pixels})"
