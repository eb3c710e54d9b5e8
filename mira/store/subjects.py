"""What is drawn on a picture: surfaces, instances and regions out of scope.

One convention of labels and answers, for annotation files of every form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, Protocol

from mira.geometry.mask import area_of_rle, rle_from_polygons
from mira.schema.annotation import Correspondence, Instance, Ring, Surface, Visibility

Json = dict[str, Any]

Role = Literal["surface", "direct", "reflected", "ignore"]
"""What a subject is."""
UNSET = "unset"
"""What a choice says while nobody has decided."""


class Drawing(Protocol):
    """What somebody drew on a picture, such as an annotation."""

    @property
    def annotator(self) -> str:
        """Who drew."""

    @property
    def width_px(self) -> int:
        """Width of the picture."""

    @property
    def height_px(self) -> int:
        """Height of the picture."""

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """Reflective regions, by id."""

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Instances, by id."""

    @property
    def links(self) -> tuple[Correspondence, ...]:
        """What reflections show."""

    @property
    def ignored_px(self) -> tuple[Ring, ...]:
        """Regions out of scope."""


class Subject(NamedTuple):
    """One thing that is drawn, in one shape or several."""

    id: int | None
    """Id of the surface or instance; None for what is out of scope."""
    role: Role
    label: str
    """As our convention writes it."""
    category: str | None
    description: str
    attributes: Json
    """Our answers, the unset ones among them."""
    parts: tuple[Ring, ...]
    holes: tuple[Ring, ...]


def label_of(category: str | None, visibility: Visibility) -> str:
    """The label of an instance: its category, or `object`, and whether it is reflected."""
    word = category or "object"
    return f"{word}_reflection" if visibility == "reflected" else word


def subjects_of(drawing: Drawing) -> Iterator[Subject]:
    """All that is drawn: surfaces, then instances, by id, then what is out of scope.

    Parts and holes that hold no pixel's centre are left out, as every reader refuses them.
    """
    size_px = drawing.width_px, drawing.height_px
    links = {link.reflected_id: link for link in drawing.links}
    for surface in drawing.surfaces:
        yield Subject(
            id=surface.surface_id,
            role="surface",
            label="surface",
            category=None,
            description="",
            attributes={"surface_type": surface.surface_type or UNSET},
            parts=_visible(surface.polygons_px, size_px) or surface.polygons_px,
            holes=_visible(surface.holes_px, size_px),
        )
    for instance in drawing.instances:
        reflected = instance.visibility == "reflected"
        yield Subject(
            id=instance.instance_id,
            role="reflected" if reflected else "direct",
            label=label_of(instance.category, instance.visibility),
            category=instance.category,
            description=instance.description or "",
            attributes=_answers(instance, links.get(instance.instance_id)) if reflected else {},
            parts=_visible(instance.polygons_px, size_px) or instance.polygons_px,
            holes=_visible(instance.holes_px, size_px),
        )
    if drawing.ignored_px:
        parts = _visible(drawing.ignored_px, size_px) or drawing.ignored_px
        yield Subject(None, "ignore", "ignore", None, "", {}, parts, ())


def _answers(instance: Instance, link: Correspondence | None) -> Json:
    """What is said of a reflection, in the words of the annotators' program.

    The light's way is written as its first surface: those that follow are those of the reflection
    that this one shows.
    """
    named = None if link is None else link.reflection_of_id
    decided = None if link is None else link.counterpart
    return {
        "reflection_of": "" if named is None else str(named),
        "in_mirror": str(instance.seen_in[0]) if instance.seen_in else "",
        "counterpart": decided or UNSET,
    }


def _visible(rings: tuple[Ring, ...], size_px: tuple[int, int]) -> tuple[Ring, ...]:
    """The rings that hold the centre of a pixel."""
    width, height = size_px
    return tuple(
        ring
        for ring in rings
        if area_of_rle(rle_from_polygons((ring,), width_px=width, height_px=height))
    )
