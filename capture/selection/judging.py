"""From the numbers of one view to remarks, each with what it asks for."""

from __future__ import annotations

from collections.abc import Iterator

from capture.selection.bounds import in_percent, too_little, too_much
from capture.selection.policy import ObjectPolicy, QualityPolicy, SelectionPolicy, SurfacePolicy
from capture.selection.records import (
    ObjectCounts,
    Remark,
    StructureCounts,
    SurfaceMeasures,
    ViewMeasures,
)
from mira.schema.capture import ViewQuality


def remarks_on(
    measures: ViewMeasures, *, complete: bool, policy: SelectionPolicy
) -> tuple[Remark, ...]:
    """What is to be said of a view by its own numbers.

    Args:
        measures: The numbers.
        complete: Whether its annotation is; else too few objects are for a person to judge.
        policy: The bounds.
    """
    return (
        *_on_surfaces(measures.surfaces, policy.surface),
        *_on_objects(measures, complete, policy.objects),
        *_on_quality(measures.quality, policy.quality),
        *_on_depth(measures, policy.quality),
    )


def _on_surfaces(surfaces: SurfaceMeasures | None, policy: SurfacePolicy) -> Iterator[Remark]:
    if surfaces is None:
        text = "nobody has said where the reflective surface is: not measured"
        yield Remark(code="surface-unknown", verdict="look", text=text)
        return
    if not surfaces.count:
        text = "there is no reflective surface in the picture"
        yield Remark(code="surface-absent", verdict="drop", text=text)
        return
    share = f"{in_percent(surfaces.share)} of the picture is reflective"
    yield from too_little("surface-small", surfaces.share, policy.share_floor, share)
    width = in_percent(surfaces.width)
    text = f"the widest surface measures {width} of the picture's shorter side"
    yield from too_little("surface-narrow", surfaces.width, policy.width_floor, text)
    yield from too_much("surface-fills-view", surfaces.share, policy.share_ceiling, share)
    text = f"{in_percent(surfaces.rim_share)} of the picture's rim is reflective"
    yield from too_much("no-margin", surfaces.rim_share, policy.rim_ceiling, text)
    sides = surfaces.sides_touched
    text = f"the surface runs out of {sides} sides of the picture"
    yield from too_much("runs-out-everywhere", sides, policy.sides_ceiling, text)


def _on_objects(measures: ViewMeasures, complete: bool, policy: ObjectPolicy) -> Iterator[Remark]:
    if measures.objects is not None:
        for remark in _on_counts(measures.objects, policy):
            yield remark if complete else remark.model_copy(update={"verdict": "look"})
    elif measures.structure is not None:
        yield _on_structure(measures.structure, policy)
    elif measures.surfaces is None:
        text = "neither annotation nor mask: objects are not measured"
        yield Remark(code="objects-unknown", verdict="look", text=text)


def _on_counts(counts: ObjectCounts, policy: ObjectPolicy) -> Iterator[Remark]:
    for code, number, floor, how in (
        ("few-direct", counts.direct, policy.direct_floor, "seen directly"),
        ("few-reflected", counts.reflected, policy.reflected_floor, "seen as reflections"),
    ):
        text = f"{number} object{'' if number == 1 else 's'} {how}"
        yield from too_little(code, number, floor, text)


def _on_structure(cells: StructureCounts, policy: ObjectPolicy) -> Remark:
    poor = [
        f"{number} cells {where} the surface (of {least})"
        for where, number, least in (
            ("outside", cells.direct_cells, policy.likely_direct_cells),
            ("inside", cells.reflected_cells, policy.likely_reflected_cells),
        )
        if number < least
    ]
    if poor:
        text = f"enough objects are doubtful, by structure: {' and '.join(poor)}"
        return Remark(code="objects-doubtful", verdict="look", text=text)
    text = "enough objects are likely, by structure: nobody has counted them"
    return Remark(code="objects-likely", verdict="keep", text=text)


def _on_quality(quality: ViewQuality, policy: QualityPolicy) -> Iterator[Remark]:
    text = f"blurred: sharpness {quality.sharpness:.0f}"
    yield from too_little("blurred", quality.sharpness, policy.sharpness_floor, text)
    text = f"{in_percent(quality.dark_fraction)} is all but black"
    yield from too_much("dark", quality.dark_fraction, policy.dark_ceiling, text)
    text = f"{in_percent(quality.bright_fraction)} is all but white"
    yield from too_much("bright", quality.bright_fraction, policy.bright_ceiling, text)


def _on_depth(measures: ViewMeasures, policy: QualityPolicy) -> Iterator[Remark]:
    share = measures.quality.valid_depth_fraction
    if share is None:
        yield Remark(code="no-depth", verdict="look", text="there is no depth")
        return
    text = f"{in_percent(share)} has a depth reading"
    yield from too_little("little-depth", share, policy.depth_floor, text)
    inside = measures.surfaces.valid_depth_fraction if measures.surfaces else None
    if inside is not None:
        text = f"{in_percent(inside)} of the surface has a depth reading"
        floor = policy.surface_depth_floor
        yield from too_little("little-surface-depth", inside, floor, text)
