"""RGBD-Mirror (Mei et al., Depth-Aware Mirror Segmentation, CVPR 2021).

image/<name>.jpg            the picture
depth_normalized/<name>.png depth, uint16, 65535 the largest, each picture scaled for itself
mask_single/<name>.png      0, or 255 where a mirror is

in `train/` and `test/`, or in the source itself.
"""

from __future__ import annotations

from capture.importers.cameras import NO_CAMERA
from capture.importers.pairing import pair_files
from capture.importers.policy import ImportPolicy
from capture.importers.scene_grouping import Placed, put_scenes, read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import DepthMeaning, SourcePlan, SourceView
from capture.importers.source_tree import SourceTree, join, stem_of

_COLOR, _DEPTH, _MASK = "image", "depth_normalized", "mask_single"
_MEANING = DepthMeaning("normalised", scope="image")
_PREFIX = "rgbd-mirror"


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """Every picture as a scene for itself; see `SourceReader`."""
    plan = SourcePlan()
    camera = read_named_camera(settings, policy) or NO_CAMERA
    pictures = []
    for half in tree.parents_of(_COLOR):
        files = [
            [(stem_of(path), path) for path in tree.pictures(join(half, name))]
            for name in (_COLOR, _DEPTH, _MASK)
        ]
        found = pair_files(*files)
        plan.faults += found.faults
        plan.note_unpaired(found.unpaired)
        for pair in found.pairs:
            view = SourceView(
                name="_".join((*filter(None, half.split("/")), pair.key)),
                color=pair.color,
                depth=pair.depth,
                mask=pair.mask,
                meaning=_MEANING,
                camera=camera,
            )
            pictures.append(Placed(view))
    put_scenes(plan, pictures, settings, policy, prefix=_PREFIX)
    return plan
