"""Pictures of a workspace for those who have signed in."""

from __future__ import annotations

import threading
from functools import lru_cache

from annotate.app.depth_png import pack_depth
from mira.errors import DeskError
from mira.item_pictures import WorkspacePictures
from mira.render.jpeg import encode_jpeg
from mira.render.pictures import RenderedPicture
from mira.render.png import encode_png_quickly
from mira.render.scene import SceneRenderer
from mira.render.source import decode_depth
from mira.render.style import RenderStyle
from mira.schema.capture import View
from mira.schema.qa import Modality, Protocol, QAItem
from mira.store.workspace import Workspace

_SCENES_KEPT = 4
_DEPTHS_KEPT = 32


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

    def rendered(
        self, item: QAItem, protocol: Protocol, modality: Modality
    ) -> tuple[RenderedPicture, ...]:
        """The pictures that a model would see of a question.

        Raises:
            MiraError: They cannot be drawn: the annotation has changed, or there is no depth.
        """
        with self._rendering:
            scene = self._scene(item)
            return scene.render(item.marks, protocol=protocol, modality=modality)

    def _scene(self, item: QAItem) -> SceneRenderer:
        derivation = item.derivation
        key = (item.image_id, derivation.annotator, derivation.annotation_sha256)
        if key not in self._scenes:
            pictures = self._sources(item).pictures
            while len(self._scenes) >= _SCENES_KEPT:
                self._scenes.pop(next(iter(self._scenes)))
            self._scenes[key] = SceneRenderer(pictures, style=RenderStyle())
        return self._scenes[key]

    def _pack_depth(self, image_id: str, sha256: str) -> bytes:
        del sha256  # a part of what it is kept under
        return pack_depth(decode_depth(self.depth(image_id), where=image_id))


def encode(picture: RenderedPicture) -> tuple[bytes, str]:
    """A rendered picture as a file, and what kind of file it is."""
    if picture.role == "rgb":
        return encode_jpeg(picture.image_rgb), "image/jpeg"
    return encode_png_quickly(picture.image_rgb), "image/png"
