"""The file form of X-AnyLabeling 4: one JSON document a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from mira.schema.annotation import Point

Json = dict[str, Any]

FORMAT_VERSION = "4.0.2"
"""Version that documents give; the form is read by all of X-AnyLabeling 4."""


def polygon_shape(
    label: str,
    ring: Sequence[Point],
    *,
    group_id: int | None,
    description: str = "",
    attributes: Mapping[str, Any] | None = None,
) -> Json:
    """One polygon as the program would have saved it.

    Args:
        label: What it is drawn around.
        ring: Its points, x and y in pixels from the picture's top-left corner; open.
        group_id: Id of the instance or surface.
        description: A few words for the object.
        attributes: Answers by name.
    """
    return {
        "label": label,
        "score": None,
        "points": [[x, y] for x, y in ring],
        "group_id": group_id,
        "description": description,
        "difficult": False,
        "shape_type": "polygon",
        "flags": {},
        "attributes": dict(attributes or {}),
        "kie_linking": [],
    }


def annotation_document(
    shapes: Sequence[Json],
    *,
    image_path: str,
    width_px: int,
    height_px: int,
    checked: bool | Literal["failed"],
) -> Json:
    """The document around the shapes of one picture.

    Args:
        shapes: In the order in which the program lists and draws them.
        image_path: The picture, seen from the document's folder.
        width_px: Picture width.
        height_px: Picture height.
        checked: Whether the annotator says that it is done; `failed` where they gave it up.
    """
    return {
        "version": FORMAT_VERSION,
        "flags": {},
        "checked": checked,
        "shapes": list(shapes),
        "imagePath": image_path,
        "imageData": None,
        "imageHeight": height_px,
        "imageWidth": width_px,
        "description": "",
    }
