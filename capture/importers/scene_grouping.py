"""Pictures to scenes: each for itself, by folder, or as the user groups them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from capture.importers.camera_file import CameraFile
from capture.importers.policy import ImportPolicy
from capture.importers.scene_table import SceneTable
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import SourcePlan, SourceScene, SourceView
from capture.importers.source_tree import read_bytes


class Placed(NamedTuple):
    """A picture and where it belongs."""

    view: SourceView
    scene: str = ""
    """Name of its scene; empty for a picture that is one for itself."""


def put_scenes(
    plan: SourcePlan,
    pictures: Iterable[Placed],
    settings: ImportSettings,
    policy: ImportPolicy,
    *,
    prefix: str = "",
) -> None:
    """Add pictures to a plan as scenes, grouped as the user's table has them.

    Args:
        plan: The plan.
        pictures: The pictures, those of a scene in order.
        settings: Names the table.
        policy: Limits.
        prefix: Stands before names of scenes, for data sets that have but numbers.

    Raises:
        MiraError: The table cannot be read, or a name in it is that of several pictures.
    """
    scenes: list[SourceScene] = []
    grouped: defaultdict[str, list[SourceView]] = defaultdict(list)
    for view, scene in pictures:
        if scene:
            grouped[scene].append(view)
        else:
            name = f"{prefix}_{view.name}" if prefix else view.name
            scenes.append(SourceScene(name, (view,), is_single=True))
    for scene, views in grouped.items():
        name = f"{prefix}_{scene}" if prefix else scene
        scenes.append(SourceScene(name, tuple(views)))
    if settings.scene_table is not None:
        scenes, notes = SceneTable.read(settings.scene_table, policy=policy).group(scenes)
        plan.notes += notes
    plan.scenes += scenes


def read_named_camera(settings: ImportSettings, policy: ImportPolicy) -> CameraFile | None:
    """The camera file that the user names; None where none is named.

    Raises:
        SceneSourceError: It cannot be read, or holds no camera.
    """
    if settings.intrinsics is None:
        return None
    path = settings.intrinsics
    text = read_bytes(path, limit=policy.text_limit_bytes, where=path)
    return CameraFile.parse(text, where=path, step_limit_m=policy.depth_step_limit_m)
