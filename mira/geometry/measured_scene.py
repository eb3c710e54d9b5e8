"""What geometry says of one picture."""

from __future__ import annotations

from typing import NamedTuple

from mira.geometry.instance_points import InstanceExtent
from mira.geometry.mirror_verdict import MirrorPlane, Refusal
from mira.geometry.real_place import LinkGap, RealPlace
from mira.geometry.relations import Extents
from mira.schema.annotation import ImageAnnotation


class SurfaceGeometry(NamedTuple):
    """A reflective surface.

    Attributes:
        surface_id: Which.
        mirror: Its plane, or why there is none.
        extents_m: Box around what is seen of it, camera frame; None without a plane.
    """

    surface_id: int
    mirror: MirrorPlane
    extents_m: Extents | None


class InstanceGeometry(NamedTuple):
    """An instance.

    Attributes:
        instance_id: Which.
        seen: Its visible side where depth has it: of a reflection, the virtual image. None where
            depth says too little.
        real: Where that side really is; None where that cannot be told.
        refusal: Why not; None where it can.
    """

    instance_id: int
    seen: InstanceExtent | None
    real: RealPlace | None
    refusal: Refusal | None


class SceneGeometry(NamedTuple):
    """All of a picture; surfaces, instances and links in the annotation's order.

    Attributes:
        surfaces: Every reflective surface.
        instances: Every instance.
        links: Every link to a directly seen instance.
    """

    surfaces: tuple[SurfaceGeometry, ...]
    instances: tuple[InstanceGeometry, ...]
    links: tuple[LinkGap, ...]


def refused_scene(annotation: ImageAnnotation, why: Refusal) -> SceneGeometry:
    """A picture that gives no metres at all."""
    return SceneGeometry(
        tuple(
            SurfaceGeometry(surface.surface_id, MirrorPlane(refusal=why), None)
            for surface in annotation.surfaces
        ),
        tuple(
            InstanceGeometry(instance.instance_id, None, None, why)
            for instance in annotation.instances
        ),
        tuple(
            LinkGap(link.reflected_id, link.real_id, refusal=why)
            for link in annotation.links
            if link.real_id is not None
        ),
    )
