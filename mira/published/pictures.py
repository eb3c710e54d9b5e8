"""The picture files beside a published `questions.json`."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.errors import MiraError
from mira.published.entries import MarkedPictures
from mira.render.depth import DepthScale
from mira.render.header import read_header
from mira.render.pictures import PictureRole, RenderedPicture, SourcePicture
from mira.render.png import encode_png
from mira.render.scene import SceneRenderer
from mira.render.style import RenderStyle
from mira.schema.qa import Mark, Modality, QAItem
from mira.store.names import require_name
from mira.taxonomy.catalogue import taxonomy

ColorForm = Literal["jpeg", "png"]
"""Kind of file of rendered colour pictures; depth and masks are always PNG."""

_ENDINGS: dict[ColorForm, str] = {"jpeg": ".jpg", "png": ".png"}
_SHOWN_ENDINGS = (".jpg", ".jpeg", ".png")
"""Endings of colour files that published tools look for."""
_FOLDERS: dict[tuple[PictureRole, bool], str] = {
    ("rgb", False): "rgb",
    ("depth", False): "depth_colorized",
    ("rgb", True): "mirror_marked_rgb",
    ("depth", True): "mirror_marked_depth",
}
"""By what a picture shows and whether mirrors are overlaid."""
# Thin coloured lines blur where colour is stored at half the size, as is OpenCV's default.
_JPEG_PARAMETERS = (
    *(cv2.IMWRITE_JPEG_QUALITY, 95),
    *(cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444),
)


class PictureFiles:
    """Writes the files of one picture: plain, overlaid, and once for all that points alike.

    Args:
        root: Folder of `questions.json`.
        source: The picture.
        style: How renderings look.
        color_form: Kind of file of rendered colours.

    Raises:
        MiraError: The picture's id cannot be the name of a file.
    """

    def __init__(
        self, root: Path, source: SourcePicture, *, style: RenderStyle, color_form: ColorForm
    ) -> None:
        self._root = root
        self._source = source
        self._color_form = color_form
        self._renderer = SceneRenderer(source.pictures, style=style)
        self._name = require_name(source.pictures.image_id, error=MiraError)
        has_depth = source.pictures.depth is not None
        self._modalities: tuple[Modality, ...] = (
            ("rgb_d", "rgb_dm") if has_depth else ("rgb", "rgb_m")
        )
        self._written: dict[tuple[Mark, ...], MarkedPictures] = {}

    @property
    def depth_scale(self) -> DepthScale | None:
        """What the colours of its depth mean; absent without depth."""
        return self._renderer.unmarked(self._modalities[0])[-1].metadata.depth

    def put_plain(self) -> str:
        """Write the picture as it came, its depth in colours, and both with mirrors overlaid.

        Returns:
            Name of the colour file in `images/rgb`.
        """
        name, data = self._original()
        self._put(f"images/rgb/{name}", data)
        for modality in self._modalities:
            overlaid = taxonomy().modality(modality).mirror
            for picture in self._renderer.unmarked(modality):
                if overlaid or picture.role != "rgb":
                    self._put_rendered(picture, overlaid, "images", self._name)
        return name

    def put_marked(self, item: QAItem) -> MarkedPictures:
        """Write the pictures that an item's styles show, if no other item has them already.

        Returns:
            Their paths; none of what no wording of the item shows.
        """
        if not item.marks:
            return MarkedPictures()
        if item.marks not in self._written:
            self._written[item.marks] = self._put_marks(item)
        return self._written[item.marks]

    def _put_marks(self, item: QAItem) -> MarkedPictures:
        pointing = [taxonomy().protocol(protocol) for protocol in _protocols(item)]
        stem = f"{self._name}-{_digest(item.marks)}"
        paths: dict[tuple[PictureRole, bool], str] = {}
        if any(one.drawn_box for one in pointing):
            for modality in self._modalities:
                overlaid = taxonomy().modality(modality).mirror
                for picture in self._renderer.render(
                    item.marks, protocol="visual_bbox", modality=modality
                ):
                    path = self._put_rendered(picture, overlaid, "bbox", stem)
                    paths[picture.role, overlaid] = path
        mask = None
        if any(one.mask_picture for one in pointing):
            mask = f"mask/{stem}.png"
            self._put(mask, self._renderer.mask(item.marks).png())
        return MarkedPictures(
            rgb=paths.get(("rgb", False)),
            depth=paths.get(("depth", False)),
            rgb_mirror=paths.get(("rgb", True)),
            depth_mirror=paths.get(("depth", True)),
            mask=mask,
        )

    def _put_rendered(
        self, picture: RenderedPicture, overlaid: bool, folder: str, stem: str
    ) -> str:
        ending = _ENDINGS[self._color_form] if picture.role == "rgb" else ".png"
        path = f"{folder}/{_FOLDERS[picture.role, overlaid]}/{stem}{ending}"
        self._put(path, _encode_jpeg(picture.image_rgb) if ending == ".jpg" else picture.png())
        return path

    def _original(self) -> tuple[str, bytes]:
        """Name and bytes of the colour file; anew where readers would turn or not find it."""
        source = self._source
        upright = read_header(source.color, where=self._name).orientation == 1
        if upright and source.ending in _SHOWN_ENDINGS:
            return f"{self._name}{source.ending}", source.color
        return f"{self._name}.png", encode_png(source.pictures.color_rgb)

    def _put(self, path: str, data: bytes) -> None:
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _digest(marks: tuple[Mark, ...]) -> str:
    """What tells files of one picture apart: equal for questions that point alike."""
    return blake2b("\x1f".join(map(str, marks)).encode(), digest_size=6).hexdigest()


def _protocols(item: QAItem) -> list[str]:
    return [wording.protocol for wording in item.wordings]


def _encode_jpeg(image_rgb: NDArray[np.uint8]) -> bytes:
    image_bgr = cv2.cvtColor(image_rgb, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", image_bgr, _JPEG_PARAMETERS)[1].tobytes()
