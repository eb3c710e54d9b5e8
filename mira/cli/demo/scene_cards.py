"""A picture of the demo page with its outlines, depth and a line on each outline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.cli.output import format_count
from mira.release.loading import pictures_of_row
from mira.release.reader import Row, instance_words
from mira.render.depth import render_depth
from mira.render.style import RenderStyle
from mira.report.page import jpeg_uri


def scene_card(row: Row, style: RenderStyle) -> dict[str, Any]:
    """What the page shows of one picture.

    Args:
        row: A row of `scenes`.
        style: How depth looks.
    """
    pictures = pictures_of_row(row)
    depth = None
    if pictures.depth is not None:
        depth = render_depth(pictures.depth, unit_m=pictures.metric_unit_m, style=style)
    boxes = {entry["instance_id"]: entry["box_xyxy_px"] for entry in row["instances"]}
    return {
        "image_id": row["image_id"],
        "width_px": row["width_px"],
        "height_px": row["height_px"],
        "color_uri": jpeg_uri(pictures.color_rgb),
        "depth_uri": jpeg_uri(depth.image_rgb) if depth else None,
        "depth_range": depth.scale.in_words if depth else None,
        "regions": list(_regions(row)),
        "lines": [
            _line(boxes[link["reflected_id"]], boxes[link["real_id"]])
            for link in row["links"]
            if link["real_id"] is not None
        ],
        "summary": _summary(row),
    }


def _regions(row: Row) -> Iterator[dict[str, str]]:
    for surface in row["surfaces"]:
        title = (surface["surface_type"] or "reflective surface").replace("_", " ")
        yield {"kind": "surface", "title": title, "path": _path(surface)}
    links = {link["reflected_id"]: link for link in row["links"]}
    for instance in row["instances"]:
        yield {
            "kind": instance["visibility"],
            "title": _title(instance, links.get(instance["instance_id"])),
            "path": _path(instance),
        }


def _title(instance: dict[str, Any], link: dict[str, Any] | None) -> str:
    words = instance_words(instance)
    if instance["visibility"] == "direct":
        return f"{words}, seen directly"
    if link and link["real_id"] is not None:
        known = "linked to it"
    elif link and link["reflection_of_id"] is not None:
        known = "a reflection of a reflection"
    elif link and link["counterpart"] == "out_of_frame":
        known = "which is itself outside the picture"
    else:
        known = "and nobody has said which object it is"
    return f"reflection of the {words}, {known}"


def _path(region: dict[str, Any]) -> str:
    rings = (*region["polygons_px"], *region["holes_px"])
    return " ".join("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in ring) + "Z" for ring in rings)


def _line(first: list[int], second: list[int]) -> tuple[float, float, float, float]:
    return (
        (first[0] + first[2]) / 2,
        (first[1] + first[3]) / 2,
        (second[0] + second[2]) / 2,
        (second[1] + second[3]) / 2,
    )


def _summary(row: Row) -> str:
    direct = sum(entry["visibility"] == "direct" for entry in row["instances"])
    reflected = format_count(len(row["instances"]) - direct, "reflection")
    linked = sum(link["real_id"] is not None for link in row["links"])
    return f"{direct} seen directly, {reflected}, {linked} of them linked"
