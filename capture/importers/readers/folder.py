"""Any folder of colour pictures, with 16-bit depth, masks and cameras where there are any.

room_color.png  room_depth.png  room_mask.png     in one folder: each picture a scene for itself
color/0001.jpg  depth/0001.png                    by role: likewise
hall/color_1.png  hall/depth_1.png                each other folder: a scene
intrinsics.json                                   the camera of its folder and of those in it;
                                                  NAME_intrinsics.json that of one picture

Files belong together if their names are one without words such as `color` and `depth`, or if the
stars of the user's patterns stand for the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from capture.importers.cameras import NO_CAMERA
from capture.importers.pairing import pair_files
from capture.importers.policy import ImportPolicy
from capture.importers.readers.file_roles import Role, is_aligned, role_of
from capture.importers.readers.folder_cameras import FolderCameras
from capture.importers.readers.globs import match_files
from capture.importers.scene_grouping import Placed, put_scenes
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import DepthMeaning, SourcePlan, SourceView
from capture.importers.source_tree import SourceTree, in_time, is_picture, stem_of
from mira.errors import CaptureError

_UNREAD = frozenset({".npy", ".npz", ".exr", ".tif", ".tiff", ".pgm", ".pfm", ".bag", ".db3"})
"""Files that often hold depth and are not read."""
Key = tuple[str, ...]
Files = dict[Role, list[tuple[Key, str]]]


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """Pictures by their folders, or each for itself; see `SourceReader`."""
    plan = SourcePlan()
    files = _by_globs(tree, settings) or _by_words(tree)
    found = pair_files(files["color"], files["depth"], files["mask"])
    plan.faults += found.faults
    plan.note_unpaired(found.unpaired)
    cameras = FolderCameras(tree, settings, policy)
    pictures = []
    assumed = 0
    for pair in sorted(found.pairs, key=lambda pair: in_time(pair.color)):
        about = role_of(pair.color)
        camera = cameras.of(pair.color, name=about.name)
        if camera is None and cameras.failed_for(pair.color, name=about.name):
            continue
        unit_m = settings.depth_unit_m or (camera.depth_unit_m if camera else None)
        assumed += pair.depth is not None and unit_m is None
        folder = "_".join(filter(None, about.folder.split("/")))
        view = SourceView(
            name=about.name or (stem_of(pair.color) if folder else tree.name),
            color=pair.color,
            depth=pair.depth,
            mask=pair.mask,
            meaning=DepthMeaning("metric", unit_m or policy.assumed_depth_unit_m),
            camera=camera or NO_CAMERA,
        )
        pictures.append(Placed(view, scene=folder))
    plan.faults += cameras.faults
    if assumed:
        plan.notes.append("depth is taken to be in millimetres, as nobody says; see --depth-unit-m")
    _note_unread(tree.files(), plan)
    put_scenes(plan, pictures, settings, policy)
    return plan


def _by_words(tree: SourceTree) -> Files:
    files: Files = {"color": [], "depth": [], "mask": []}
    for path in filter(is_picture, tree.files()):
        about = role_of(path)
        files[about.role].append(((about.folder, *about.key), path))
    files["depth"] = _aligned_first(files["depth"])
    return files


def _aligned_first(depths: list[tuple[Key, str]]) -> list[tuple[Key, str]]:
    """Depth maps less those of which there is one on the picture's grid too."""
    aligned = Counter(key for key, path in depths if is_aligned(path))
    return [(key, path) for key, path in depths if is_aligned(path) or not aligned[key]]


def _by_globs(tree: SourceTree, settings: ImportSettings) -> Files | None:
    """Files by the user's patterns; None where there are none."""
    given: dict[Role, tuple[str, str | None]] = {
        "color": ("--color", settings.color_glob),
        "depth": ("--depth", settings.depth_glob),
        "mask": ("--mask", settings.mask_glob),
    }
    patterns = {role: (flag, glob) for role, (flag, glob) in given.items() if glob is not None}
    if not patterns:
        return None
    if "color" not in patterns:
        flag = next(iter(patterns.values()))[0]
        raise CaptureError(flag, "expected a pattern of pictures too, found none", "add --color")
    files: Files = {"color": [], "depth": [], "mask": []}
    for role, (flag, glob) in patterns.items():
        files[role] = match_files(glob, tree.files(), flag=flag)
        stars = len(files[role][0][0])
        if stars != len(files["color"][0][0]):
            problem = f"expected as many stars as --color has, found {stars}"
            raise CaptureError(flag, problem, "files belong together by what the stars stand for")
    return files


def _note_unread(paths: Iterable[str], plan: SourcePlan) -> None:
    counts = Counter(PurePosixPath(path).suffix.casefold() for path in paths)
    unread = [f"{counts[suffix]:,} {suffix}" for suffix in sorted(_UNREAD & counts.keys())]
    if unread:
        plan.notes.append(f"not read: {', '.join(unread)}; depth is read from 16-bit PNG")
