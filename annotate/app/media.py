"""Pictures of a workspace for those who have signed in."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import NamedTuple, Self

import cv2
import numpy as np

from annotate.app.depth_png import pack_depth
from mira.errors import DeskError
from mira.item_pictures import WorkspacePictures
from mira.render.depth import DepthScale
from mira.render.jpeg import encode_jpeg
from mira.render.pictures import PictureRole, RenderedPicture
from mira.render.png import encode_png_quickly
from mira.render.scene import SceneRenderer
from mira.render.source import decode_color, decode_depth
from mira.render.style import RenderStyle
from mira.schema.capture import View
from mira.schema.proposal import OpenQuestion
from mira.schema.qa import Mark, Modality, Protocol, QAItem
from mira.store.workspace import Workspace

_SCENES_KEPT = 12
_DEPTHS_KEPT = 32
_DRAWN_KEPT = 32
_THUMBNAIL_PX = 300


class Depicted(NamedTuple):
    """What a rendering needs to know of a question.

    Attributes:
        image_id: Its picture.
        annotator: Whose annotation it is about.
        annotation_sha256: Digest of that annotation.
        marks: What it points at.
    """

    image_id: str
    annotator: str
    annotation_sha256: str
    marks: tuple[Mark, ...]

    @classmethod
    def of(cls, question: QAItem | OpenQuestion) -> Self:
        """What there is to draw of a question, answered or open."""
        source = question.derivation if isinstance(question, QAItem) else question
        return cls(
            question.image_id, source.annotator, source.annotation_sha256, tuple(question.marks)
        )


class DrawnFile(NamedTuple):
    """A rendered picture as a file.

    Attributes:
        data: Its bytes.
        kind: Its media type.
        role: What it shows.
        depth: Meaning of the colours of a depth picture; None for others.
    """

    data: bytes
    kind: str
    role: PictureRole
    depth: DepthScale | None


class Media:
    """Files and renderings of a workspace; those that were asked for last are kept.

    Args:
        workspace: Read only.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._views: dict[str, View] = {}
        self._scenes: dict[tuple[str, str, str], SceneRenderer] = {}
        self._packed = lru_cache(_DEPTHS_KEPT)(self._pack_depth)
        self._drawn = lru_cache(_DRAWN_KEPT)(self._draw)
        # Decoded pictures are large, so that one is rendered at a time.
        self._rendering = threading.Lock()
        self.reload()

    def reload(self) -> None:
        """Take over what the workspace holds now."""
        self._views = {view.image_id: view for view in self._workspace.views()}
        self._sources = WorkspacePictures(self._workspace, kept=1)

    def view(self, image_id: str) -> View:
        """The view of a picture.

        Raises:
            DeskError: There is none.
        """
        if image_id not in self._views:
            # It may have been imported since.
            self.reload()
        found = self._views.get(image_id)
        if found is None:
            raise DeskError("picture", "there is no such picture", code="no-such-item")
        return found

    def color(self, image_id: str) -> bytes:
        """The colour picture, as it came."""
        view = self.view(image_id)
        return self._workspace.read_picture(view, view.color)

    def depth(self, image_id: str) -> bytes:
        """The depth picture, as it came.

        Raises:
            DeskError: There is none.
        """
        view = self.view(image_id)
        if view.depth_aligned is None:
            raise DeskError("depth", "the picture has none", code="no-such-item")
        return self._workspace.read_picture(view, view.depth_aligned)

    def packed_depth(self, image_id: str) -> bytes:
        """The depth picture as browsers read it without loss."""
        ref = self.view(image_id).depth_aligned
        return self._packed(image_id, ref.sha256 if ref else "")

    def thumbnail(self, image_id: str) -> bytes:
        """The colour picture, small, as a JPEG file."""
        color = decode_color(self.color(image_id), where=image_id)
        share = _THUMBNAIL_PX / max(color.shape[:2])
        size = (max(1, round(color.shape[1] * share)), max(1, round(color.shape[0] * share)))
        small = cv2.resize(color, size, interpolation=cv2.INTER_AREA)
        return encode_jpeg(np.asarray(small, np.uint8))

    def rendered(
        self, depicted: Depicted, protocol: Protocol, modality: Modality
    ) -> tuple[DrawnFile, ...]:
        """The pictures that a model would see of a question.

        Raises:
            MiraError: They cannot be drawn: the annotation has changed, or there is no depth.
        """
        # One after the other: who asks for the second picture of a question finds it drawn.
        with self._rendering:
            return self._drawn(depicted, protocol, modality)

    def _draw(
        self, depicted: Depicted, protocol: Protocol, modality: Modality
    ) -> tuple[DrawnFile, ...]:
        scene = self._scene(*depicted[:3])
        pictures = scene.render(depicted.marks, protocol=protocol, modality=modality)
        return tuple(map(_encode, pictures))

    def _scene(self, image_id: str, annotator: str, annotation_sha256: str) -> SceneRenderer:
        key = (image_id, annotator, annotation_sha256)
        if key not in self._scenes:
            pictures = self._sources.picture(*key).pictures
            while len(self._scenes) >= _SCENES_KEPT:
                self._scenes.pop(next(iter(self._scenes)))
            self._scenes[key] = SceneRenderer(pictures, style=RenderStyle())
        return self._scenes[key]

    def _pack_depth(self, image_id: str, sha256: str) -> bytes:
        del sha256  # a part of what it is kept under
        return pack_depth(decode_depth(self.depth(image_id), where=image_id))


def _encode(picture: RenderedPicture) -> DrawnFile:
    is_color = picture.role == "rgb"
    image = picture.image_rgb
    data = encode_jpeg(image) if is_color else encode_png_quickly(image)
    kind = "image/jpeg" if is_color else "image/png"
    return DrawnFile(data, kind, picture.role, picture.metadata.depth)
