"""Picture files of questions, each distinct picture once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal, NamedTuple

from mira.release.loading import marks_of_row, pictures_of_row
from mira.release.reader import Row
from mira.render.depth import DepthScale
from mira.render.pictures import PictureRole, RenderedPicture
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality, Protocol
from mira.store.atomic import write_file
from mira.taxonomy.catalogue import taxonomy

ColorForm = Literal["jpeg", "png"]
"""Kind of file of rendered colours; masks and depth in colours are PNG."""
FOLDER = "images"
_NAME_DIGITS = 24
"""Hexadecimal digits of a picture's digest: two pictures never share them."""


class ShownPicture(NamedTuple):
    """A picture of a question.

    Attributes:
        role: What it shows.
        path: Its file, below the folder that was given.
        depth: What the colours of a depth picture mean.
    """

    role: PictureRole
    path: str
    depth: DepthScale | None


class SceneFiles:
    """Writes the pictures of the questions about one scene picture.

    Args:
        scene: Its row of `scenes`.
        protocol: How questions point.
        modality: What goes along.
        color_form: Kind of file of rendered colours.
        root: Where the folder of pictures lies.
        style: Looks of what is drawn; the default style where none is given.
    """

    def __init__(
        self,
        scene: Row,
        *,
        protocol: Protocol,
        modality: Modality,
        color_form: ColorForm,
        root: Path,
        style: RenderStyle | None = None,
    ) -> None:
        shows_depth = taxonomy().modality(modality).depth
        pictures = pictures_of_row(scene, with_depth=shows_depth)
        self._renderer = SceneRenderer(pictures, style=style or RenderStyle())
        self._protocol: Protocol = protocol
        self._modality: Modality = modality
        self._color_form = color_form
        self._root = root
        self._done: dict[tuple[Mark, ...], tuple[ShownPicture, ...]] = {}

    def of_question(self, row: Row) -> tuple[ShownPicture, ...]:
        """The pictures of a question in the order they are shown: RGB, mask if any, depth if any.

        Raises:
            MiraError: A mark cannot be drawn.
        """
        pointing = taxonomy().protocol(self._protocol)
        marks = marks_of_row(row) if pointing.drawn_box or pointing.mask_picture else ()
        if marks not in self._done:
            rendered = self._renderer.render(
                marks, protocol=self._protocol, modality=self._modality
            )
            self._done[marks] = tuple(map(self._write, rendered))
        return self._done[marks]

    def _write(self, picture: RenderedPicture) -> ShownPicture:
        as_jpeg = picture.role == "rgb" and self._color_form == "jpeg"
        data = picture.jpeg() if as_jpeg else picture.png()
        name = hashlib.sha256(data).hexdigest()[:_NAME_DIGITS] + (".jpg" if as_jpeg else ".png")
        target = self._root / FOLDER / name
        if not target.exists():
            # Whole or not at all: a file of this name is never looked into again.
            write_file(target, data, durable=False)
        return ShownPicture(picture.role, f"{FOLDER}/{name}", picture.metadata.depth)
