"""What people drew on a picture, as shapes that can be compared."""

from __future__ import annotations

from typing import Literal, NamedTuple

from mira.geometry.polygon import Region
from mira.schema.annotation import ImageAnnotation

Role = Literal["surface", "instance"]
ROLES: tuple[Role, ...] = ("surface", "instance")
UNSET = "unset"
"""Label of a surface whose type nobody chose."""


class Shape(NamedTuple):
    """A surface or an instance of one annotation."""

    role: Role
    """Which of the two."""
    shape_id: int
    """Its id in the annotation."""
    label: str
    """Type of a surface, visibility of an instance."""
    region: Region
    """Where it is."""


def shapes_of(annotation: ImageAnnotation) -> tuple[Shape, ...]:
    """Surfaces, then instances, by id."""
    surfaces = (
        Shape("surface", s.surface_id, s.surface_type or UNSET, Region(s.polygons_px, s.holes_px))
        for s in annotation.surfaces
    )
    instances = (
        Shape("instance", i.instance_id, i.visibility, Region(i.polygons_px, i.holes_px))
        for i in annotation.instances
    )
    return (*surfaces, *instances)
