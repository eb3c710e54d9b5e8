"""Mirror3D (Tan et al., Depth Refinement for Mirror Surfaces, CVPR 2021).

mirror_color_images/[<scene>/]<id>.jpg           the picture
raw_sensorD/[<scene>/]<id>.png                   depth, uint16
mirror_instance_mask_precise/[<scene>/]<id>.png  0, or the number of a mirror; `_coarse` where
                                                 that is all there is

or, in one folder, `color_<id>.jpg`, `sensor_depth_<id>.png` and `mirror_mask_<id>.png`.

Depth is in millimetres, that of Matterport3D in quarters of one. The pictures of NYUv2 are scenes
for themselves; those of ScanNet and Matterport3D lie in one folder a scan or a house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from capture.importers.cameras import NO_CAMERA, KnownCameras
from capture.importers.pairing import Pair, pair_files
from capture.importers.policy import ImportPolicy
from capture.importers.scene_grouping import Placed, put_scenes, read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import DepthMeaning, SourcePlan, SourceView
from capture.importers.source_tree import SourceTree, join, stem_of
from mira.schema.capture import CameraIntrinsics

_COLOR, _DEPTH = "mirror_color_images", "raw_sensorD"
_PRECISE, _COARSE = "mirror_instance_mask_precise", "mirror_instance_mask_coarse"
_FLAT = re.compile(r"(color|sensor_depth|mirror_mask)_(.+)")
_FLAT_ROLES = ("color", "sensor_depth", "mirror_mask")
_MATTERPORT = re.compile(r"([0-9a-f]{32})_[id]([0-9]_[0-9])")
_MILLIMETRE, _MATTERPORT_STEP = 0.001, 0.00025
_PREFIX = "mirror3d"

NYU_CAMERAS = KnownCameras(
    tuple(
        CameraIntrinsics(
            width_px=640 - 2 * left,
            height_px=480 - 2 * top,
            fx_px=518.86,
            fy_px=519.47,
            cx_px=325.58 - left,
            cy_px=253.74 - top,
        )
        for left, top in ((0, 0), (16, 12))
    )
)
"""The colour camera of NYUv2 by its toolbox, for whole frames and for those that Mirror3D cut."""

Key = tuple[str, str]
"""Scene's folder, empty without one, and number of the picture."""
File = tuple[Key, str]


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """Pictures by their scenes' folders, or each for itself; see `SourceReader`."""
    plan = SourcePlan()
    named = read_named_camera(settings, policy)
    pictures = []
    for base, files in (*_in_folders(tree), *_in_one_folder(tree)):
        found = pair_files(*files)
        plan.faults += found.faults
        plan.note_unpaired(found.unpaired)
        for pair in found.pairs:
            folder, _ = pair.key
            view = SourceView(
                name=_joined("" if folder else base, _id_of(stem_of(pair.color))),
                color=pair.color,
                depth=pair.depth,
                mask=pair.mask,
                meaning=DepthMeaning("metric", settings.depth_unit_m or _step_m(pair)),
                camera=named or (NO_CAMERA if folder else NYU_CAMERAS),
            )
            pictures.append(Placed(view, scene=_joined(base, folder) if folder else ""))
    if named is None and any(picture.scene for picture in pictures):
        plan.notes.append("nobody says which cameras ScanNet and Matterport3D have: --intrinsics")
    put_scenes(plan, pictures, settings, policy, prefix=_PREFIX)
    return plan


def _in_folders(tree: SourceTree) -> Iterator[tuple[str, list[list[File]]]]:
    for base in tree.parents_of(_COLOR):
        colors, depths, precise, coarse = (
            list(_files_below(tree, join(base, name)))
            for name in (_COLOR, _DEPTH, _PRECISE, _COARSE)
        )
        known = {key for key, _ in precise}
        yield base, [colors, depths, precise + [file for file in coarse if file[0] not in known]]


def _files_below(tree: SourceTree, base: str) -> Iterator[File]:
    for folder in (base, *tree.subfolders(base)):
        scene = folder.removeprefix(base).removeprefix("/")
        yield from (((scene, _number(stem_of(path))), path) for path in tree.pictures(folder))


def _in_one_folder(tree: SourceTree) -> Iterator[tuple[str, list[list[File]]]]:
    for folder in tree.folders:
        found: dict[str, list[File]] = {role: [] for role in _FLAT_ROLES}
        for path in tree.pictures(folder):
            if match := _FLAT.fullmatch(stem_of(path)):
                found[match[1]].append((("", _number(match[2])), path))
        if found["color"]:
            yield folder, list(found.values())


def _id_of(stem: str) -> str:
    match = _FLAT.fullmatch(stem)
    return match[2] if match else stem


def _number(name: str) -> str:
    """What files of one picture have in common: not zeros in front, nor Matterport3D's i and d."""
    if match := _MATTERPORT.fullmatch(name):
        return f"{match[1]}_{match[2]}"
    return name.lstrip("0") or "0" if name.isdigit() else name


def _step_m(pair: Pair[Key]) -> float:
    is_matterport = _MATTERPORT.fullmatch(stem_of(pair.color)) is not None
    return _MATTERPORT_STEP if is_matterport else _MILLIMETRE


def _joined(*names: str) -> str:
    return "_".join(part for name in names for part in name.split("/") if part)
