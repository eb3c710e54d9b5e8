"""DVMD (Xu et al., RGB-D Video Mirror Detection, WACV 2025).

JPEGImages/<video>/<frame>.jpg               the picture
Depth_Norm_Per_Sequence/<video>/<frame>.png  depth, uint16, each video scaled for itself
Annotations/<video>/<frame>.png              0, or 255 where a mirror is

in `train/` and `test/`, or in the source itself; or the three folders in one of each video.
"""

from __future__ import annotations

from capture.importers.cameras import NO_CAMERA
from capture.importers.pairing import pair_files
from capture.importers.policy import ImportPolicy
from capture.importers.scene_grouping import read_named_camera
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import DepthMeaning, SourcePlan, SourceScene, SourceView
from capture.importers.source_tree import SourceTree, in_time, join, stem_of

_COLOR, _DEPTH, _MASK = "JPEGImages", "Depth_Norm_Per_Sequence", "Annotations"
_MEANING = DepthMeaning("normalised", scope="sequence")
_PREFIX = "dvmd"


def read_plan(tree: SourceTree, settings: ImportSettings, policy: ImportPolicy) -> SourcePlan:
    """Every video as a scene; see `SourceReader`."""
    plan = SourcePlan()
    camera = read_named_camera(settings, policy) or NO_CAMERA
    for half in tree.parents_of(_COLOR):
        base = join(half, _COLOR)
        for folder in (base, *tree.subfolders(base)):
            video = folder.removeprefix(base).removeprefix("/")
            files = [
                [(stem_of(path), path) for path in tree.pictures(join(join(half, name), video))]
                for name in (_COLOR, _DEPTH, _MASK)
            ]
            found = pair_files(*files)
            plan.faults += found.faults
            plan.note_unpaired(found.unpaired)
            views = [
                SourceView(pair.key, pair.color, pair.depth, pair.mask, _MEANING, camera)
                for pair in sorted(found.pairs, key=lambda pair: in_time(pair.key))
            ]
            if views:
                name = "_".join(filter(None, (_PREFIX, *half.split("/"), video)))
                plan.scenes.append(SourceScene(name, tuple(views), is_video=True))
    return plan
