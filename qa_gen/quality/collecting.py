"""The pictures that questions are about: where they come from, and what mirrors they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from mira.errors import WorkspaceError
from mira.schema.capture import Scene
from mira.store.workspace import Workspace
from mira.taxonomy.catalogue import taxonomy
from qa_gen.quality.counting import in_order
from qa_gen.quality.records import Collection

_UNKNOWN = "not noted"


def collection_of(workspace: Workspace, scene_of: Mapping[str, str]) -> Collection:
    """What scenes and annotations of a workspace say of pictures.

    Surfaces are those that were drawn, by the first annotator of a picture; where nobody gave a
    type, the one of the scene's surfaces if they have all the same.

    Args:
        workspace: Read only.
        scene_of: The scene of each picture.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in Collection.model_fields}
    scenes = {scene_id: _scene(workspace, scene_id) for scene_id in sorted(set(scene_of.values()))}
    for image_id, scene_id in scene_of.items():
        scene = scenes[scene_id]
        counts["by_source"][_noted(scene.source if scene else None)] += 1
        counts["by_environment"][_noted(scene.environment if scene else None)] += 1
        counts["by_lighting"][_noted(scene.lighting if scene else None)] += 1
        counts["by_surface"].update(_surfaces(workspace, image_id, scene))
    return Collection(
        by_source=dict(counts["by_source"].most_common()),
        by_environment=in_order(counts["by_environment"], ("indoor", "outdoor")),
        by_lighting=in_order(counts["by_lighting"], ("day", "night")),
        by_surface=in_order(counts["by_surface"], taxonomy().surface_types),
    )


def _scene(workspace: Workspace, scene_id: str) -> Scene | None:
    try:
        return workspace.scene(scene_id)
    except WorkspaceError:
        return None


def _surfaces(workspace: Workspace, image_id: str, scene: Scene | None) -> Counter[str]:
    found: Counter[str] = Counter()
    kinds = {surface.surface_type for surface in scene.surfaces} if scene else set()
    common = kinds.pop() if len(kinds) == 1 else None
    for annotator in workspace.annotators(image_id)[:1]:
        annotation = workspace.annotation(image_id, annotator)
        for surface in annotation.surfaces if annotation else ():
            found[_noted(surface.surface_type or common)] += 1
    return found


def _noted(value: str | None) -> str:
    return _UNKNOWN if value in (None, "", "unknown") else str(value)
