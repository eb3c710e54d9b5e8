"""Picture files of questions, each distinct picture once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from export.harnesses.options import TaskOptions
from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row
from mira.render.depth import DepthScale
from mira.render.pictures import PictureRole, RenderedPicture
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Mark
from mira.taxonomy.catalogue import taxonomy

FOLDER = "images"
_NAME_DIGITS = 24
"""Hexadecimal digits of a picture's digest: two pictures never share them."""


class ShownPicture(NamedTuple):
    """A picture of a question.

    Attributes:
        role: What it shows.
        path: Its file, below the folder of the harness.
        depth: What the colours of a depth picture mean.
    """

    role: PictureRole
    path: str
    depth: DepthScale | None


class SceneFiles:
    """Writes the pictures of the questions about one scene picture.

    Args:
        scene: Its row of `scenes`.
        options: How questions point, and what goes along.
        root: The folder of the harness.
    """

    def __init__(self, scene: Row, options: TaskOptions, root: Path) -> None:
        shows_depth = taxonomy().modality(options.modality).depth
        pictures = pictures_of_row(scene, with_depth=shows_depth)
        self._renderer = SceneRenderer(pictures, style=RenderStyle())
        self._options = options
        self._root = root
        self._done: dict[tuple[Mark, ...], tuple[ShownPicture, ...]] = {}

    def of_question(self, row: Row) -> tuple[ShownPicture, ...]:
        """The pictures of a question in the order they are shown: RGB, mask if any, depth if any.

        Raises:
            MiraError: A mark cannot be drawn.
        """
        pointing = taxonomy().protocol(self._options.protocol)
        marks = marks_of_row(row) if pointing.drawn_box or pointing.mask_picture else ()
        if marks not in self._done:
            rendered = self._renderer.render(
                marks, protocol=self._options.protocol, modality=self._options.modality
            )
            self._done[marks] = tuple(map(self._write, rendered))
        return self._done[marks]

    def _write(self, picture: RenderedPicture) -> ShownPicture:
        as_jpeg = picture.role == "rgb" and self._options.color_form == "jpeg"
        data = picture.jpeg() if as_jpeg else picture.png()
        name = hashlib.sha256(data).hexdigest()[:_NAME_DIGITS] + (".jpg" if as_jpeg else ".png")
        target = self._root / FOLDER / name
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(data)
        return ShownPicture(picture.role, f"{FOLDER}/{name}", picture.metadata.depth)
