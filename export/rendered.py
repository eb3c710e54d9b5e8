"""Pictures of questions as a model sees them, in columns of a row."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row
from mira.render.pictures import RenderedPicture
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality
from mira.taxonomy.catalogue import taxonomy

ASKED_COLUMNS = (
    *("question_id", "item_id", "scene_id", "image_id", "level", "subtask", "template_id"),
    *("protocol", "format", "question", "options", "answer"),
)
"""Columns of `qa` that say what is asked."""
_COLUMN_OF = {"rgb": "image", "mask": "mask", "depth": "depth"}


class RenderedScene:
    """The pictures of the questions about one picture; what questions share is made once.

    Args:
        scene: Its row of `scenes`.
        modality: What is shown.
        jpeg_only: Whether masks and depth are JPEG files too, which take less room and are no
            longer exact. Colours on which nothing is drawn are the very file otherwise.
    """

    def __init__(self, scene: Row, *, modality: Modality, jpeg_only: bool = False) -> None:
        self._scene = scene
        self._modality = modality
        self._jpeg_only = jpeg_only
        shown = taxonomy().modality(modality)
        self._is_plain = not shown.mirror
        pictures = pictures_of_row(scene, with_depth=shown.depth)
        self._renderer = SceneRenderer(pictures, style=RenderStyle())
        self._done: dict[tuple[str, tuple[Mark, ...]], list[tuple[str, dict[str, Any], str]]] = {}

    def of(self, row: Row) -> dict[str, Any]:
        """The picture columns of a question.

        Args:
            row: Its row of `qa`.
        """
        pointing = taxonomy().protocol(row["protocol"])
        marks = marks_of_row(row)
        key = (row["protocol"], marks if pointing.drawn_box or pointing.mask_picture else ())
        if key not in self._done:
            rendered = self._renderer.render(
                marks, protocol=row["protocol"], modality=self._modality
            )
            drawn = bool(marks) and pointing.drawn_box
            self._done[key] = self._files(rendered, drawn=drawn)
        columns: dict[str, Any] = {}
        for column in _COLUMN_OF.values():
            columns[column] = columns[f"{column}_sha256"] = None
        for column, file, digest in self._done[key]:
            columns[column], columns[f"{column}_sha256"] = file, digest
        return columns

    def _files(
        self, pictures: Sequence[RenderedPicture], *, drawn: bool
    ) -> list[tuple[str, dict[str, Any], str]]:
        found = []
        for picture in pictures:
            column = _COLUMN_OF[picture.role]
            if picture.role == "rgb" and self._is_plain and not drawn and not self._jpeg_only:
                file, digest = self._scene["image"], self._scene["image_sha256"]
            else:
                as_jpeg = self._jpeg_only or picture.role == "rgb"
                data = picture.jpeg() if as_jpeg else picture.png()
                ending = "jpg" if as_jpeg else "png"
                digest = hashlib.sha256(data).hexdigest()
                name = f"{self._scene['image_id']}_{picture.role}_{digest[:8]}.{ending}"
                file = {"bytes": data, "path": name}
            found.append((column, file, digest))
        return found
