"""Records of what people drew on one picture.

Polygon coordinates have their origin at the picture's top-left *corner*; a shape covers the points
inside an odd number of its ring's turns (even-odd).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from mira.schema.capture import SurfaceType
from mira.schema.record import FileRef, Record, RootRecord

Point = tuple[float, float]
"""x, y in pixels from the top-left corner."""
Ring = Annotated[tuple[Point, ...], Field(min_length=3)]
"""An open ring of at least three points."""
Rings = Annotated[tuple[Ring, ...], Field(min_length=1)]
"""Parts of a region, at least one."""
Visibility = Literal["direct", "reflected"]
"""How an instance is seen."""
Counterpart = Literal["in_frame", "out_of_frame", "ambiguous"]
"""Whether the real object behind a reflection is in the picture."""


class Surface(Record):
    """A reflective region, frame excluded."""

    surface_id: int = Field(ge=1)
    """Id, unique among the picture's surfaces and instances."""
    surface_type: SurfaceType | None = None
    """Kind of surface; absent while unset."""
    polygons_px: Rings
    """Parts; their union less the holes is the region."""
    holes_px: tuple[Ring, ...] = ()
    """Rings cut out of the parts."""


class Instance(Record):
    """One appearance of an object: seen directly, or seen in a surface."""

    instance_id: int = Field(ge=1)
    """Id, unique among the picture's surfaces and instances; tells nothing of the object."""
    visibility: Visibility
    """Seen directly or reflected."""
    seen_in: tuple[int, ...] = ()
    """Surfaces on the light's way, from the camera on; empty for a direct instance or if unset."""
    polygons_px: Rings
    """Parts; their union less the holes is the mask."""
    holes_px: tuple[Ring, ...] = ()
    """Rings cut out of the parts."""
    description: str | None = None
    """A few words for the protocols that describe the object."""
    category: str | None = None
    """Class name where the annotation is not class-agnostic."""


class Correspondence(Record):
    """Which real object a reflection shows."""

    reflected_id: int
    """The reflection."""
    real_id: int | None = None
    """The directly seen instance at the end of the chain, if it is in the picture."""
    reflection_of_id: int | None = None
    """The instance that the annotation names: the real one, or a reflection of it (a chain)."""
    counterpart: Counterpart | None = None
    """Absent while unset: then nobody has decided, which differs from `out_of_frame`."""
    decided_by: Literal["annotator", "shared_gid", "simulated"] = "annotator"
    """What the link rests on."""


class ShapeExtra(Record):
    """Keys of one source shape that this data model has no field for."""

    shape_index: int
    """Position in the source file."""
    owner_id: int | None = None
    """Surface or instance that the shape became a part or a hole of."""
    keys: dict[str, Any]
    """Key and value as read."""


class AnnotationSource(Record):
    """The file an annotation was read from."""

    format: str
    """`x-anylabeling`, `labelme` or `coco`."""
    format_version: str | None = None
    """Version the writing program gave."""
    file: FileRef
    """The file."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Top-level keys that this data model has no field for."""
    shape_extras: tuple[ShapeExtra, ...] = ()
    """The same for shapes; shapes without any are left out."""


class ImageAnnotation(RootRecord):
    """All that one annotator drew on one picture; a correction is a new revision."""

    image_id: str
    """The picture."""
    annotator: str
    """Who drew, as a code name."""
    revision: int = Field(ge=1)
    """1 for the first; the highest counts."""
    status: Literal["draft", "done", "failed"] = "draft"
    """`done` when the annotator ticked the file as checked, `failed` when they gave it up."""
    width_px: int = Field(gt=0)
    """Width of the picture that was drawn on."""
    height_px: int = Field(gt=0)
    """Height of the picture that was drawn on."""
    surfaces: tuple[Surface, ...] = ()
    """Reflective regions, by id."""
    instances: tuple[Instance, ...] = ()
    """Instances, by id."""
    links: tuple[Correspondence, ...] = ()
    """One for each reflected instance, by id."""
    ignored_px: tuple[Ring, ...] = ()
    """Regions out of scope."""
    lost_reflections: int = Field(default=0, ge=0)
    """Shapes left out as faulty that are, or may be, reflections: nobody knows what they show."""
    source: AnnotationSource
    """Where it was read from."""

    @model_validator(mode="after")
    def _check_ids(self) -> Self:
        surfaces = {surface.surface_id for surface in self.surfaces}
        instances = {instance.instance_id: instance for instance in self.instances}
        if len(surfaces) + len(instances) < len(self.surfaces) + len(self.instances):
            raise ValueError("expected ids of surfaces and instances to differ, found one twice")
        if surfaces & instances.keys():
            both = sorted(surfaces & instances.keys())
            raise ValueError(f"expected other ids for instances than for surfaces, found {both}")
        for instance in self.instances:
            if not set(instance.seen_in) <= surfaces:
                raise ValueError(
                    f"instance {instance.instance_id}: expected surfaces, found {instance.seen_in}"
                )
        self._check_links(instances)
        return self

    def _check_links(self, instances: dict[int, Instance]) -> None:
        links = {link.reflected_id: link for link in self.links}
        if len(links) < len(self.links):
            raise ValueError("expected one link a reflection, found two")
        for link in self.links:
            for end, seen in ((link.reflected_id, "reflected"), (link.real_id, "direct")):
                if end is not None and (end not in instances or instances[end].visibility != seen):
                    raise ValueError(f"links: expected a {seen} instance, found {end}")
            if link.reflection_of_id is not None and link.reflection_of_id not in instances:
                raise ValueError(f"links: expected an instance, found {link.reflection_of_id}")
            chain = [link.reflected_id]
            while (following := links.get(chain[-1])) and following.reflection_of_id is not None:
                chain.append(following.reflection_of_id)
                if chain[-1] in chain[:-1]:
                    raise ValueError(f"links: expected an end, found a circle {chain}")
