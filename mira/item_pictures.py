"""The picture that an item is about, from a workspace."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from mira.errors import WorkspaceError
from mira.geometry.mask import Rle, rle_from_polygons
from mira.render.pictures import ScenePictures, SourcePicture
from mira.render.source import decode_color, decode_depth
from mira.schema.annotation import ImageAnnotation, Instance, Surface
from mira.schema.capture import View
from mira.schema.qa import QAItem
from mira.store.workspace import Workspace, annotation_digest

_PICTURES_KEPT = 2


PictureAccess = Callable[[QAItem], SourcePicture]
"""Gives the picture of an item; those of one picture come one after the other."""


class WorkspacePictures:
    """Pictures of a workspace's items; keeps those it decoded last.

    It travels to other processes without what it keeps and knows.

    Args:
        workspace: Read only.
        kept: How many decoded pictures are kept.
    """

    def __init__(self, workspace: Workspace, *, kept: int = _PICTURES_KEPT) -> None:
        self._workspace = workspace
        self._views = _views_by_id(workspace)
        self._read = lru_cache(kept)(self._read_picture)

    def __len__(self) -> int:
        return len(self._views)

    def __getstate__(self) -> dict[str, Any]:
        return {"_workspace": self._workspace}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._views = _views_kept(self._workspace.root)
        self._read = lru_cache(_PICTURES_KEPT)(self._read_picture)

    def __call__(self, item: QAItem) -> SourcePicture:
        """The picture of an item.

        Raises:
            WorkspaceError: The picture is gone, or its annotation is no longer the one that the
                item was made from.
        """
        derivation = item.derivation
        return self.picture(item.image_id, derivation.annotator, derivation.annotation_sha256)

    def picture(self, image_id: str, annotator: str, annotation_sha256: str) -> SourcePicture:
        """A picture with the regions of an annotation.

        Raises:
            WorkspaceError: The picture is gone, or the annotation has changed.
        """
        return self._read(image_id, annotator, annotation_sha256)

    def _read_picture(self, image_id: str, annotator: str, sha256: str) -> SourcePicture:
        view = self._views.get(image_id)
        if view is None:
            raise WorkspaceError(
                self._workspace.root,
                f"holds questions about {image_id!r}, but no such picture",
                "run: mira qa generate",
            )
        annotation = self._workspace.annotation(image_id, annotator)
        if annotation is None or annotation_digest(annotation) != sha256:
            raise WorkspaceError(
                image_id,
                f"the annotation by {annotator!r} changed after its questions were made",
                "run: mira qa generate",
            )
        color = self._workspace.read_picture(view, view.color)
        return SourcePicture(
            pictures=self._scene(view, annotation, color),
            color=color,
            ending=PurePosixPath(view.color.path).suffix.lower(),
        )

    def _scene(self, view: View, annotation: ImageAnnotation, color: bytes) -> ScenePictures:
        ref = view.depth_aligned
        depth = self._workspace.read_picture(view, ref) if ref else None
        return ScenePictures(
            image_id=view.image_id,
            color_rgb=decode_color(color, where=view.image_id),
            depth=None if depth is None else decode_depth(depth, where=view.image_id),
            depth_unit_m=view.depth_unit_m,
            depth_kind=view.depth_kind,
            surface_masks=tuple(_mask(surface, annotation) for surface in annotation.surfaces),
            instance_masks={
                instance.instance_id: _mask(instance, annotation)
                for instance in annotation.instances
            },
        )


def _views_by_id(workspace: Workspace) -> dict[str, View]:
    return {view.image_id: view for view in workspace.views()}


@lru_cache(1)
def _views_kept(root: Path) -> dict[str, View]:
    """Views, read once in the life of a worker, which gets its work piece by piece."""
    return _views_by_id(Workspace(root))


def _mask(region: Surface | Instance, annotation: ImageAnnotation) -> Rle:
    return rle_from_polygons(
        region.polygons_px,
        region.holes_px,
        width_px=annotation.width_px,
        height_px=annotation.height_px,
    )
