"""Rows of `scenes` as what was drawn on their pictures."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import ValidationError

from mira.release.loading import damaged_picture
from mira.release.reader import Row
from mira.schema.annotation import Correspondence, Instance, Ring, Surface


class ReleasedDrawing(NamedTuple):
    """What a release holds of an annotation; regions out of scope are not in it."""

    annotator: str
    width_px: int
    height_px: int
    surfaces: tuple[Surface, ...]
    instances: tuple[Instance, ...]
    links: tuple[Correspondence, ...]
    ignored_px: tuple[Ring, ...] = ()


def drawing_of_row(row: Row) -> ReleasedDrawing:
    """What was drawn on a picture.

    Args:
        row: Of `scenes`; its pictures are not looked at.

    Raises:
        ReleaseError: The row misses something, or a region is none.
    """
    try:
        return ReleasedDrawing(
            annotator=row["annotator"],
            width_px=row["width_px"],
            height_px=row["height_px"],
            surfaces=tuple(Surface.model_validate(_own(Surface, one)) for one in row["surfaces"]),
            instances=tuple(
                Instance.model_validate(_own(Instance, one)) for one in row["instances"]
            ),
            links=tuple(Correspondence.model_validate(one) for one in row["links"]),
        )
    except (KeyError, TypeError, AttributeError, ValidationError) as error:
        raise damaged_picture(row, error) from None


def _own(kind: type[Surface | Instance], region: Row) -> dict[str, Any]:
    """The fields of a region that its record has; box and mask follow from them."""
    return {name: region[name] for name in kind.model_fields}
