"""A picture's truth in the file form of X-AnyLabeling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.geometry.polygon import Region
from mira.schema.annotation import Ring
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy
from mira.sim.rooms.truth.sightings import Sighting, ViewContent
from mira.store import xanylabeling

_DECIMALS = 3


def annotation_document(
    content: ViewContent, plan: RoomPlan, camera: CameraPolicy, *, image_name: str = "color.png"
) -> dict[str, Any]:
    """The document that an annotator's program would have saved.

    Args:
        content: What the picture shows.
        plan: The room, for descriptions.
        camera: Picture size.
        image_name: Base name of the picture file.

    Returns:
        A JSON document; surfaces first, then instances in the order of their ids.
    """
    shapes: list[dict[str, Any]] = []
    for surface in content.surfaces:
        attributes: dict[str, str] = {"surface_type": plan.surfaces[surface.surface].surface_type}
        shapes += _shapes("surface", surface.group_id, surface.region, attributes, "")
    for sighting in content.sightings:
        label = "object_reflection" if sighting.chain else "object"
        description = plan.items[sighting.item].item.description
        attributes = _link_attributes(sighting)
        shapes += _shapes(label, sighting.group_id, sighting.region, attributes, description)
    return xanylabeling.annotation_document(
        shapes,
        image_path=image_name,
        width_px=camera.width_px,
        height_px=camera.height_px,
        checked=True,
    )


def _link_attributes(sighting: Sighting) -> dict[str, str]:
    if sighting.counterpart is None:
        return {}
    return {
        "reflection_of": "" if sighting.reflection_of is None else str(sighting.reflection_of),
        "in_mirror": str(sighting.in_surface),
        "counterpart": sighting.counterpart,
    }


def _shapes(
    label: str, group_id: int, region: Region, attributes: dict[str, str], description: str
) -> Iterator[dict[str, Any]]:
    """Parts of one instance, then its holes."""
    for ring in region.parts:
        yield _polygon(label, group_id, ring, attributes, description)
    for ring in region.holes:
        yield _polygon("hole", group_id, ring, {}, "")


def _polygon(
    label: str, group_id: int, ring: Ring, attributes: dict[str, str], description: str
) -> dict[str, Any]:
    points = [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in ring]
    return xanylabeling.polygon_shape(
        label, points, group_id=group_id, description=description, attributes=attributes
    )
