"""Pictures of real mirrors pass as people would have it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotate.importing import import_annotations
from capture.selection.annotations import DrawnOn
from capture.selection.policy import SelectionPolicy
from capture.selection.selecting import select_views
from capture.view_files import ViewContent
from mira.schema.capture import ViewFrame
from mira.store.session import Session
from mira.store.workspace import Workspace

SHARED = Path(__file__).parents[5] / "shared" / "data"
MIRROR3D = SHARED / "rgbd" / "mirror3d_nyu"
MIRROR = SHARED / "mirror_rgbd"
POLICY = SelectionPolicy()
METRIC = ViewFrame(depth_unit_m=0.001, depth_kind="metric")


def picture(path: Path) -> np.ndarray:
    return np.asarray(cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB), np.uint8)


@pytest.mark.skipif(not MIRROR3D.is_dir(), reason="the shared files are not on this machine")
def test_masks_of_real_mirrors_are_measured(make_session: Callable[..., Session]) -> None:
    views = {
        name: ViewContent(
            picture(MIRROR3D / f"color_{name}.jpg"),
            METRIC,
            depth_aligned=cv2.imread(str(MIRROR3D / f"sensor_depth_{name}.png"), -1),
            surfaces=cv2.imread(str(MIRROR3D / f"mirror_mask_{name}.png"), -1).astype(np.uint8),
        )
        for name in ("45", "686")
    }
    scenes = {f"nyu_{name}": {"v": view} for name, view in views.items()}
    found = {
        view.scene_id: view for view in select_views(make_session(scenes), policy=POLICY)[0].views
    }
    assert (found["nyu_686"].verdict, found["nyu_686"].standings["objects"]) == ("keep", "likely")
    # A cabinet's door that shows a curtain and nothing else.
    assert [remark.code for remark in found["nyu_45"].remarks] == ["objects-doubtful"]


@pytest.mark.skipif(not MIRROR.is_dir(), reason="the shared files are not on this machine")
def test_a_real_annotated_scene_is_kept_by_either_pass(
    make_session: Callable[..., Session], tmp_path: Path
) -> None:
    color = picture(MIRROR / "images" / "bathroom_664.png")
    depth = cv2.imread(str(MIRROR / "images" / "bathroom_664_depth.png"), -1)
    view = ViewContent(color, METRIC, depth_aligned=depth)
    session = make_session({"bathroom": {"bathroom_664": view}})
    shares = []
    for name in ("annotations_a", "annotations_b"):
        workspace = Workspace.create(tmp_path / name)
        import_annotations(
            MIRROR / name, workspace, scenes=MIRROR / "images", annotator="anna", progress=None
        )
        selected = select_views(session, policy=POLICY, drawn_on=DrawnOn(workspace))
        (found,) = selected.selection.views
        assert found.measures is not None
        assert found.measures.surfaces is not None
        assert (found.verdict, found.measures.region) == ("keep", "annotation")
        shares.append(found.measures.surfaces.share)
    assert shares[0] == pytest.approx(shares[1], abs=0.02)
