"""Pictures into a workspace: new ones are copied, known ones must be the same."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from annotate.findings import FindingLog, Refused
from annotate.scenes.pictures import Picture
from annotate.scenes.scene_folder import SceneFolder, SourceView
from mira.errors import SceneSourceError
from mira.schema.capture import Scene, View
from mira.store.workspace import Workspace


class Placement(NamedTuple):
    """What is to be written of a picture; nothing where the workspace has it all."""

    scene: Scene | None
    view: View | None
    files: dict[str, Path]


class ViewIntake:
    """Compares the pictures of one run with those of a workspace, and adds what is new."""

    def __init__(self, workspace: Workspace, folder: SceneFolder) -> None:
        """Read which views and scenes there are; the workspace must be locked."""
        self._workspace = workspace
        self._folder = folder
        self._views = {view.image_id.casefold(): view for view in workspace.views()}
        self._scenes = {scene.scene_id: scene for scene in workspace.scenes()}

    def prepare(self, picture: Picture, image_id: str, log: FindingLog) -> Placement:
        """What to write of a picture.

        Args:
            picture: The colour picture.
            image_id: Its id.
            log: Takes what was assumed, left out or kept as it was.

        Raises:
            Refused: The workspace has another picture of that id, or the scene file is at fault.
        """
        try:
            source = self._folder.read_view(picture, image_id, log)
        except SceneSourceError as error:
            raise Refused("scene-invalid", "", f"{error.where}: {error.problem}") from None
        old = self._views.get(image_id.casefold())
        if old is None:
            known = self._scenes.get(source.scene.scene_id)
            write = known is None or (source.scene_given and known != source.scene)
            return Placement(source.scene if write else None, source.view, source.files)
        _require_same(old, source.view)
        return self._update(old, source, log)

    def put(self, placement: Placement) -> None:
        """Write what `prepare` found to be new."""
        if placement.scene is not None:
            self._workspace.put_scene(placement.scene)
            self._scenes[placement.scene.scene_id] = placement.scene
        if placement.view is not None:
            self._workspace.put_view(placement.view, placement.files)
            self._views[placement.view.image_id.casefold()] = placement.view

    def _update(self, old: View, source: SourceView, log: FindingLog) -> Placement:
        """What a known picture gains: depth or a camera it had not, and words on its scene."""
        scene = None
        if source.scene.scene_id != old.scene_id:
            message = f"stays in scene {old.scene_id!r}; {source.scene.scene_id!r} is not taken"
            log.info("scene-kept", "", message)
        elif source.scene_given and self._scenes.get(old.scene_id) != source.scene:
            scene = source.scene
        view = _merged(old, source)
        if _without_origin(view) == _without_origin(old):
            return Placement(scene, None, {})
        log.info("view-updated", "", "the workspace takes its new depth or camera")
        held = self._workspace.view_folder(old)
        names = [view.color.path, *([view.depth_aligned.path] if view.depth_aligned else [])]
        files = {name: source.files.get(name, held / name) for name in names}
        return Placement(scene, view, files)


def _require_same(old: View, new: View) -> None:
    if old.image_id != new.image_id:
        message = f"expected a name that differs in more than case, found {old.image_id!r} there"
        raise Refused("stem-collision", "imagePath", message)
    if old.color.sha256 != new.color.sha256:
        message = f"the workspace has another picture as {old.image_id!r}; give one a new name"
        raise Refused("picture-differs", "imagePath", message)
    depths = (old.depth_aligned, new.depth_aligned)
    if depths[0] and depths[1] and depths[0].sha256 != depths[1].sha256:
        message = f"the workspace has another depth map for {old.image_id!r}"
        raise Refused("depth-differs", "imagePath", message)


def _merged(old: View, source: SourceView) -> View:
    """A known view with what is new; what a source does not give stays."""
    new = source.view
    changes: dict[str, object] = {"provenance": new.provenance}
    if new.depth_aligned is not None:
        changes["depth_aligned"] = new.depth_aligned
        if source.camera_given or old.depth_aligned is None:
            changes |= {"depth_unit_m": new.depth_unit_m, "depth_kind": new.depth_kind}
    if new.intrinsics is not None:
        changes["intrinsics"] = new.intrinsics
    return old.model_copy(update=changes)


def _without_origin(view: View) -> dict[str, object]:
    return view.model_dump(exclude={"provenance"})
