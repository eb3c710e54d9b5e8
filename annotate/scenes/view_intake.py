"""Pictures into a workspace: new ones are copied, known ones must be the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from annotate.findings import FindingLog, Refused, brief
from annotate.scenes.pictures import Picture
from annotate.scenes.scene_file import SceneFile
from annotate.scenes.scene_reader import SceneReader, SourceView
from mira.schema.capture import Scene, View
from mira.store.workspace import Workspace

_PARTS = {
    "intrinsics": "camera",
    "depth_aligned": "depth",
    "depth": "raw depth",
    "timing": "frame times",
    "quality": "measures",
}
"""Fields of a view that may come later, and what they are called."""
_DEPTH_MEANING = ("depth_unit_m", "depth_kind", "depth_scope")


class Placement(NamedTuple):
    """What is to be written of a picture; nothing where the workspace has it all."""

    scene_id: str
    """The scene that the picture is in."""
    scene_file: SceneFile | None
    scene: Scene | None
    view: View | None
    files: dict[str, Path]
    source: SourceView
    """The picture as it was found, with its files."""
    changes: tuple[str, ...] = ()
    """What a known picture gains, such as `camera added`."""


class _Said(NamedTuple):
    """The value that the first scene file of a run gives for a field."""

    value: Any
    path: Path


class ViewIntake:
    """Compares the pictures of one run with those of a workspace, and adds what is new."""

    def __init__(self, workspace: Workspace, pictures: SceneReader) -> None:
        """Read which views and scenes there are; the workspace must be locked."""
        self.changes: Counter[str] = Counter()
        """Known pictures by what they gained."""
        self.views_updated = 0
        """Known pictures that gained something."""
        self.scenes_updated: set[str] = set()
        """Known scenes of which something was changed."""
        self._workspace = workspace
        self._pictures = pictures
        self._views = {view.image_id.casefold(): view for view in workspace.views()}
        self._scenes = {scene.scene_id: scene for scene in workspace.scenes()}
        self._known_scenes = frozenset(self._scenes)
        self._said: dict[str, dict[str, _Said]] = {}

    def prepare(self, picture: Picture, image_id: str, log: FindingLog) -> Placement:
        """What to write of a picture.

        Args:
            picture: The colour picture.
            image_id: Its id.
            log: Takes what was assumed, left out or kept as it was.

        Raises:
            Refused: The workspace has another picture of that id, or nobody can tell its scene.
        """
        source = self._pictures.read_view(picture, image_id, log)
        old = self._views.get(image_id.casefold())
        if old is None:
            scene_id = source.scene.scene_id
            scene = self._scene(scene_id, source, log)
            return Placement(scene_id, source.scene_file, scene, source.view, source.files, source)
        _require_same(old, source.view)
        return self._update(old, source, log)

    def put(self, placement: Placement) -> None:
        """Write what `prepare` found to be new."""
        scene_id = placement.scene_id
        if placement.scene_file is not None:
            said = self._said.setdefault(scene_id, {})
            for name, value in placement.scene_file.said.items():
                said.setdefault(name, _Said(value, placement.scene_file.path))
        if placement.scene is not None:
            self._workspace.put_scene(placement.scene)
            self._scenes[scene_id] = placement.scene
            self.scenes_updated |= {scene_id} & self._known_scenes
        if placement.view is not None:
            self._workspace.put_view(placement.view, placement.files)
            self._views[placement.view.image_id.casefold()] = placement.view
        self.changes.update(placement.changes)
        self.views_updated += bool(placement.changes)

    def _scene(self, scene_id: str, source: SourceView, log: FindingLog) -> Scene | None:
        """The scene as it is to be written; None where the workspace has it so."""
        held = self._scenes.get(scene_id)
        if held is None:
            return source.scene.model_copy(update={"scene_id": scene_id})
        if source.scene_file is None:
            return None
        path = source.scene_file.path
        said = self._said.get(scene_id, {})
        changes = {}
        for name, value in source.scene_file.said.items():
            if name in said and said[name].value != value:
                message = f"found {brief(value)} for the scene {scene_id!r}, which has "
                message += f"{brief(said[name].value)} by {said[name].path}; not taken"
                log.warning("scene-conflict", name, message, path=path)
            elif getattr(held, name) != value:
                changes[name] = value
                if scene_id in self._known_scenes:
                    message = f"{scene_id!r} had {brief(getattr(held, name))}, has {brief(value)}"
                    log.info("scene-updated", name, message, path=path)
        return held.model_copy(update=changes) if changes else None

    def _update(self, old: View, source: SourceView, log: FindingLog) -> Placement:
        """What a known picture gains: depth or a camera it had not, and words on its scene."""
        if source.scene.scene_id != old.scene_id:
            message = f"stays in scene {old.scene_id!r}; {source.scene.scene_id!r} is not taken"
            if source.scene_file is not None and source.scene_file.gives_id:
                log.warning("scene-kept", "", message)
            else:
                log.info("scene-kept", "", message)
        scene = self._scene(old.scene_id, source, log)
        view = _merged(old, source)
        changes = _changes(old, view)
        if not changes:
            return Placement(old.scene_id, source.scene_file, scene, None, {}, source)
        log.info("view-updated", "", f"{old.image_id!r}: {', '.join(changes)}")
        held = self._workspace.view_folder(old).iterdir()
        files = {path.name: path for path in held if path.name != "view.json"}
        for ref, held_ref in ((view.depth, old.depth), (view.depth_aligned, old.depth_aligned)):
            if ref is not None and held_ref is None:
                files[ref.path] = source.files[ref.path]
        return Placement(old.scene_id, source.scene_file, scene, view, files, source, changes)


def _require_same(old: View, new: View) -> None:
    if old.image_id != new.image_id:
        message = f"expected a name that differs in more than case, found {old.image_id!r} there"
        raise Refused("stem-collision", "imagePath", message)
    if old.color.sha256 != new.color.sha256:
        message = f"the workspace has another picture as {old.image_id!r}; give one a new name"
        raise Refused("picture-differs", "imagePath", message)
    for held, given in ((old.depth, new.depth), (old.depth_aligned, new.depth_aligned)):
        if held and given and held.sha256 != given.sha256:
            message = f"the workspace has another depth map for {old.image_id!r}"
            raise Refused("depth-differs", "imagePath", message)


def _merged(old: View, source: SourceView) -> View:
    """A known view with what is new; what a source does not give stays."""
    new = source.view
    changes: dict[str, object] = {
        "provenance": new.provenance,
        "depth": old.depth or new.depth,
        "depth_aligned": old.depth_aligned or new.depth_aligned,
        "intrinsics": new.intrinsics or old.intrinsics,
        "timing": new.timing or old.timing,
        "quality": new.quality or old.quality,
    }
    if new.depth_kind is not None and (source.camera_given or old.depth_kind is None):
        changes |= {name: getattr(new, name) for name in _DEPTH_MEANING}
        if new.depth_kind == old.depth_kind and new.depth_scope is None:
            changes["depth_scope"] = old.depth_scope
    return old.model_copy(update=changes)


def _changes(old: View, new: View) -> tuple[str, ...]:
    """What differs between two states of a view, in words; nothing where all is the same."""
    changes = []
    for name, word in _PARTS.items():
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            changes.append(f"{word} changed" if before else f"{word} added")
    meant = [[getattr(view, name) for name in _DEPTH_MEANING] for view in (old, new)]
    if meant[0] != meant[1] and old.depth_kind is not None:
        changes.append("depth unit changed")
    return tuple(changes)
