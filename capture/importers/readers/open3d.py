"""Frames as Open3D's RealSense recorder and its readers of recordings save them.

color/000000.jpg  depth/000000.png   frames on the picture's grid; `rgb/` and `image/` for `color/`
                                     as in Open3D's reconstruction system
camera_intrinsic.json                the recorder's camera: size and `intrinsic_matrix` by columns
intrinsic.json                       a reader's: with `depth_scale`, `device_name` and more
"""

from __future__ import annotations

from capture.importers.camera_file import CameraFile
from capture.importers.cameras import NO_CAMERA
from capture.importers.pairing import pair_files
from capture.importers.policy import ImportPolicy
from capture.importers.scene_grouping import read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import (
    DepthMeaning,
    ImportFault,
    SourcePlan,
    SourceScene,
    SourceView,
)
from capture.importers.source_tree import SourceTree, in_time, join, stem_of
from mira.errors import MiraError

_COLORS, _DEPTH = ("color", "rgb", "image"), "depth"
_CAMERAS = ("intrinsic.json", "camera_intrinsic.json", "intrinsics.json")


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """Every recording as a scene; see `SourceReader`."""
    plan = SourcePlan()
    named = read_named_camera(settings, policy)
    for base in tree.parents_of(_DEPTH):
        colors = next(filter(None, (tree.pictures(join(base, name)) for name in _COLORS)), [])
        depths = tree.pictures(join(base, _DEPTH))
        found = pair_files(
            [(stem_of(path), path) for path in colors],
            [(stem_of(path), path) for path in depths],
            (),
        )
        plan.faults += found.faults
        plan.note_unpaired(found.unpaired)
        try:
            camera = named or _read_camera(tree, base, policy)
        except MiraError as error:
            reason = f"{error.problem}: the pictures that it is the camera of are left out"
            plan.faults.append(ImportFault(error.where, reason))
            continue
        name = "_".join(base.split("/")) if base else tree.name
        if camera is None and found.pairs:
            plan.notes.append(f"{name}: nobody says which camera took it; see --intrinsics")
        unit_m = settings.depth_unit_m or (camera.depth_unit_m if camera else None)
        views = tuple(
            SourceView(
                name=pair.key,
                color=pair.color,
                depth=pair.depth,
                meaning=DepthMeaning("metric", unit_m or policy.assumed_depth_unit_m),
                camera=camera or NO_CAMERA,
                device=camera.device if camera else None,
            )
            for pair in sorted(found.pairs, key=lambda pair: in_time(pair.key))
        )
        if views:
            plan.scenes.append(SourceScene(name, views, is_video=True))
    return plan


def _read_camera(tree: SourceTree, base: str, policy: ImportPolicy) -> CameraFile | None:
    path = next((path for name in _CAMERAS if tree.has(path := join(base, name))), None)
    if path is None:
        return None
    text = tree.read_text_bytes(path)
    return CameraFile.parse(text, where=path, step_limit_m=policy.depth_step_limit_m)
