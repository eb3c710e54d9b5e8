"""Findings on a COCO file that name its own fields."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotate.findings import FindingLog
from mira.schema.finding import Severity

Json = Mapping[str, Any]

ID_KEYS = ("instance_id", "surface_id", "group_id")
"""Keys of an annotation that give the id of its instance or surface."""
_OF_SHAPE = re.compile(r"\bshapes\[(\d+)\](?:\.([a-z_]+)(?:\.([a-z_]+))?)?|\bgroup_id\b")
_FIELDS = {"label": "category_id", "points": "segmentation", "shape_type": "segmentation"}


class CocoLog(FindingLog):
    """Collects what is found in one picture, whose annotations are read as shapes are.

    The fields of a shape and of its picture get the names that they have in the COCO file.
    """

    def __init__(
        self, path: str | Path, *, image: str, annotations: Sequence[tuple[int, Json]]
    ) -> None:
        """Start a picture.

        Args:
            path: The file.
            image: Field of the picture, such as `images[2]`.
            annotations: Its annotations in the order of its shapes, with their places in the file.
        """
        super().__init__(path)
        self._annotations = annotations
        self._of_image = {
            "imagePath": f"{image}.file_name",
            "imageWidth": f"{image}.width",
            "imageHeight": f"{image}.height",
            "shapes": image,
            "": image,
        }

    def _add(
        self, severity: Severity, code: str, where: str, message: str, path: Path | None = None
    ) -> None:
        if path is None:
            where = self._of_image.get(where) or _OF_SHAPE.sub(self._name, where)
        super()._add(severity, code, where, _OF_SHAPE.sub(self._name, message), path)

    def _name(self, match: re.Match[str]) -> str:
        """The name in COCO of a field of a shape."""
        if match[1] is None:
            return "instance_id"
        if int(match[1]) >= len(self._annotations):
            return match[0]
        place, annotation = self._annotations[int(match[1])]
        field = f"annotations[{place}]"
        if match[2] is None:
            return field
        if match[2] == "group_id":
            return f"{field}.{_field_of_id(annotation)}"
        name = _FIELDS.get(match[2], match[2])
        if match[2] == "attributes" and match[3] in annotation:
            return f"{field}.{match[3]}"
        return f"{field}.{name}" + (f".{match[3]}" if match[3] else "")


def _field_of_id(annotation: Json) -> str:
    attributes = annotation.get("attributes")
    for key in ID_KEYS:
        if key in annotation:
            return key
        if isinstance(attributes, dict) and key in attributes:
            return f"attributes.{key}"
    return "id"
