"""What `mira annotate compare` prints for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, sqrt
from typing import TYPE_CHECKING

import typer

from mira.cli.annotate_audit_text import format_iou
from mira.cli.output import format_count, in_columns

if TYPE_CHECKING:
    from annotate.agreement.annotators import AnnotatorComparison
    from annotate.agreement.comparison import Comparison, ShapePair
    from annotate.agreement.cross_check import CrossCheck
    from annotate.agreement.summary import LinkScore, MeanIou
    from mira.schema.audit import Agreement
    from mira.schema.evaluation import Interval

_TITLES = ("", "shapes", "partners", "mean IoU", "95 %", "of partners", "of rims")
_METHODS = {"polygon": "polygons", "pixel": "pixels"}
_SHOWN = 5


def show_comparison(
    found: AnnotatorComparison, comparison: Comparison, *, bound: float | None
) -> None:
    """Print how far two annotators agree, and on what they do least."""
    summary = found.summary
    typer.echo(
        f"{found.first} and {found.second}: {format_count(summary.n_images, 'picture')}, "
        f"IoU of {_METHODS[found.method]}"
    )
    for name, alone in ((found.first, found.only_first), (found.second, found.only_second)):
        if alone:
            typer.echo(
                f"drawn by {name} alone, and left out: {format_count(len(alone), 'picture')}"
            )
    for line in in_columns([_TITLES, *_rows(summary.means)], numbers=True):
        typer.echo(line)
    typer.echo(_links(summary.links))
    for agreement in summary.agreements:
        if agreement.n:
            typer.echo(_agreement(agreement))
    _show_worst(found, comparison)
    if bound is not None:
        typer.echo(f"mean IoU {format_iou(comparison.mean_iou)} of {bound:g}")


def show_cross_check(found: CrossCheck) -> None:
    """Print how far the two ways of measuring differ."""
    if found.largest_difference is None:
        typer.echo("polygons against pixels: no pair to compare")
        return
    typer.echo(
        f"polygons against pixels: {format_count(found.n_pairs, 'pair')}, IoUs differ by "
        f"{found.mean_difference:.4f} on average and {found.largest_difference:.4f} at most; "
        f"{len(found.beyond)} beyond what rounding explains"
    )
    for pair in found.beyond[:_SHOWN]:
        typer.echo(
            f"  {pair.image_id}: {pair.role} {pair.first_id} and {pair.second_id}: "
            f"{pair.polygon_iou:.4f} of polygons, {pair.pixel_iou:.4f} of pixels"
        )


def _rows(means: Sequence[MeanIou]) -> Iterator[tuple[str, ...]]:
    """All shapes, each role with its labels, sizes."""
    from annotate.agreement.summary import SIZE_BANDS

    by_group: dict[str, list[MeanIou]] = {}
    for mean in means:
        by_group.setdefault(mean.group, []).append(mean)
    for mean in by_group.get("all", ()):
        yield _cells("all", mean)
    for role in reversed(by_group.get("role", ())):
        yield _cells(f"{role.name}s", role)
        for mean in by_group["label"]:
            of_role, _, label = mean.name.partition(" ")
            if of_role == role.name:
                yield _cells(f"  {label.replace('_', ' ')}", mean)
    for (name, least), (_, below) in zip(SIZE_BANDS, (*SIZE_BANDS[1:], ("", inf)), strict=True):
        bounds = f"from {sqrt(least):.0f}² px" if least else f"under {sqrt(below):.0f}² px"
        for mean in by_group.get("size", ()):
            if mean.name == name:
                yield _cells(f"{name}, {bounds}", mean)


def _cells(name: str, mean: MeanIou) -> tuple[str, ...]:
    return (
        name,
        f"{mean.n_shapes:,}",
        f"{mean.n_matched:,}",
        format_iou(mean.mean_iou),
        _interval(mean.interval),
        "" if mean.matched_iou is None else format_iou(mean.matched_iou),
        "" if mean.boundary_iou is None else format_iou(mean.boundary_iou),
    )


def _links(links: LinkScore) -> str:
    if links.f1 is None:
        return "links: none"
    precision, recall = (
        "–" if value is None else f"{value:.3f}" for value in (links.precision, links.recall)
    )
    undecided = f"; {links.n_undecided:,} left open" if links.n_undecided else ""
    return (
        f"links: {links.n_common:,} of {links.n_first:,} and {links.n_second:,} in common, "
        f"precision {precision}, recall {recall}, F1 {links.f1:.3f}{undecided}"
    )


def _agreement(agreement: Agreement) -> str:
    share = f"{100 * agreement.n_agreed / agreement.n:.1f} %"
    sure = f" ({_interval(agreement.interval, percent=True)})" if agreement.interval else ""
    kappa = "" if agreement.kappa is None else f", kappa {agreement.kappa:.3f}"
    name = agreement.name.replace("_", " ")
    return f"{name}: {agreement.n_agreed:,} of {agreement.n:,} agree, {share}{sure}{kappa}"


def _interval(interval: Interval | None, *, percent: bool = False) -> str:
    if interval is None:
        return ""
    if percent:
        return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    return f"{interval.low:.3f} to {interval.high:.3f}"


def _show_worst(found: AnnotatorComparison, comparison: Comparison) -> None:
    near_misses = found.summary.near_misses
    if not near_misses:
        return
    typer.echo(f"to talk about: {format_count(near_misses, 'shape')} with little or nothing shared")
    worst = sorted(comparison.pairs, key=lambda pair: (pair.iou, -pair.area_px))
    for pair in worst[: min(_SHOWN, near_misses)]:
        typer.echo(f"  {_words(pair, found)}")
    if near_misses > _SHOWN:
        typer.echo("  and more: --out DIR shows them")


def _words(pair: ShapePair, found: AnnotatorComparison) -> str:
    ids = " and ".join(str(k) for k in (pair.first_id, pair.second_id) if k is not None)
    drawn = f"{pair.image_id}: {pair.role} {ids} ({pair.label}), {pair.area_px:,.0f} px²"
    if pair.is_matched:
        return f"{drawn}: IoU {pair.iou:.3f}"
    return f"{drawn}: drawn by {found.second if pair.first_id is None else found.first} alone"
