"""A sequence of the TUM RGB-D benchmark (Sturm et al., IROS 2012), or of others in its format.

rgb.txt     `<seconds> <file>` a line, `#` before a comment
depth.txt   the same of depth: uint16, 5000 a metre, on the picture's grid

https://cvg.cit.tum.de/data/datasets/rgbd-dataset/file_formats
"""

from __future__ import annotations

import re

from capture.importers.cameras import KnownCameras
from capture.importers.policy import ImportPolicy
from capture.importers.readers.frame_list import FrameEntry, associate, parse_frame_list
from capture.importers.scene_grouping import read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import (
    DepthMeaning,
    ImportFault,
    SourcePlan,
    SourceScene,
    SourceView,
)
from capture.importers.source_tree import SourceTree, stem_of
from mira.errors import CaptureError
from mira.schema.capture import CameraIntrinsics, FrameTiming

_COLOR_LIST, _DEPTH_LIST = "rgb.txt", "depth.txt"
_STEP_M = 1 / 5000
_SERIES = re.compile(r"(?:freiburg|fr)([123])(?![0-9])", re.IGNORECASE)


def _camera(fx: float, fy: float, cx: float, cy: float, *lens: float) -> CameraIntrinsics:
    return CameraIntrinsics(
        width_px=640,
        height_px=480,
        fx_px=fx,
        fy_px=fy,
        cx_px=cx,
        cy_px=cy,
        distortion_model="brown_conrady" if lens else "none",
        distortion_coeffs=lens,
    )


CAMERAS = {
    "1": _camera(517.3, 516.5, 318.6, 255.3, 0.2624, -0.9531, -0.0054, 0.0026, 1.1633),
    "2": _camera(520.9, 521.0, 325.1, 249.7, 0.2312, -0.7849, -0.0033, -0.0001, 0.9172),
    "3": _camera(535.4, 539.2, 320.1, 247.6),
}
"""The three cameras of the benchmark; the pictures of the third are rectified."""
ANY_CAMERA = _camera(525.0, 525.0, 319.5, 239.5)
"""What ROS takes for a Kinect of which nothing is known."""


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """The sequence as one scene; see `SourceReader`."""
    plan = SourcePlan()
    if not tree.has(_COLOR_LIST):
        _refuse_several(tree)
        return plan
    colors = _read_list(tree, _COLOR_LIST, plan)
    depths = _read_list(tree, _DEPTH_LIST, plan) if tree.has(_DEPTH_LIST) else []
    partners = associate(colors, depths, policy=policy)
    name = tree.name
    plan.is_recognised = bool(_SERIES.search(name))
    camera = read_named_camera(settings, policy) or _known_camera(name, plan)
    meaning = DepthMeaning("metric", settings.depth_unit_m or _STEP_M)
    views = []
    for color in colors:
        depth = partners.get(color.number)
        views.append(
            SourceView(
                name=stem_of(color.path),
                color=color.path,
                depth=depth.path if depth else None,
                meaning=meaning,
                camera=camera,
                timing=_timing(color, depth) if depth else None,
            )
        )
    if views:
        plan.scenes.append(SourceScene(name, tuple(views), is_video=True))
    return plan


def _refuse_several(tree: SourceTree) -> None:
    """Frames are numbered by their list, so that a session has those of one list."""
    found = [folder for folder in tree.folders if tree.has(f"{folder}/{_COLOR_LIST}")]
    if found:
        problem = f"expected {_COLOR_LIST} in it, found one in {', '.join(found[:4])}"
        raise CaptureError(tree.root, problem, "import one sequence at a time")


def _read_list(tree: SourceTree, path: str, plan: SourcePlan) -> list[FrameEntry]:
    """Entries whose files are there; the others are faults."""
    entries = []
    for entry in parse_frame_list(tree.read_text_bytes(path), where=path):
        if tree.has(entry.path):
            entries.append(entry)
        else:
            reason = f"expected a file below the source, as {path} says, found none"
            plan.faults.append(ImportFault(entry.path, reason))
    return entries


def _known_camera(name: str, plan: SourcePlan) -> KnownCameras:
    if found := _SERIES.search(name):
        return KnownCameras((CAMERAS[found[1]],))
    plan.notes.append(
        f"{name}: names no camera of the benchmark (freiburg1 to 3); that of ROS is taken, "
        "fx = fy = 525, for pictures of 640x480"
    )
    return KnownCameras((ANY_CAMERA,))


def _timing(color: FrameEntry, depth: FrameEntry) -> FrameTiming:
    color_ms, depth_ms = color.time_s * 1000, depth.time_s * 1000
    return FrameTiming(
        color_frame=color.number,
        depth_frame=depth.number,
        color_ms=color_ms,
        depth_ms=depth_ms,
        color_domain="system_time",
        depth_domain="system_time",
        dt_ms=abs(color_ms - depth_ms),
    )
