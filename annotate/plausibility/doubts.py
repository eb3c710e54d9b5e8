"""What the checks say, and where in the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from mira.schema.annotation import ImageAnnotation


class Doubt(NamedTuple):
    """One thing that is not as a mirror shows it, or not as one would expect."""

    code: str
    """Code of the finding."""
    severity: Literal["info", "warning"]
    """How much it matters; nothing is left out for a doubt."""
    owner_id: int
    """Surface or instance that is named."""
    message: str
    """What was expected, what was found, and what to look at."""


def fields_of(annotation: ImageAnnotation) -> dict[int, str]:
    """The field in the file of each surface and instance, as `shapes[3]`.

    Ids of which the record does not keep the shape are named as what they are, as `instance 7`.
    """
    fields = {
        surface.surface_id: f"surface {surface.surface_id}" for surface in annotation.surfaces
    }
    fields |= {
        instance.instance_id: f"instance {instance.instance_id}"
        for instance in annotation.instances
    }
    shapes: dict[int, str] = {}
    for extra in annotation.source.shape_extras:
        if extra.owner_id is not None:
            shapes.setdefault(extra.owner_id, f"shapes[{extra.shape_index}]")
    return fields | shapes


def listed(ids: Iterable[int]) -> str:
    """Ids for a message: `3`, `3 and 5`, `3, 5 and 7`, a few at most."""
    names = [str(number) for number in ids]
    if len(names) > 6:
        names = [*names[:5], f"{len(names) - 5} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
