"""Mirrors in metres on real depth, and on simulated rooms against the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from annotate.importing import import_annotations
from mira.geometry.camera import deproject_pixels, deproject_rays
from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.mirror_plane import estimate_mirror_plane
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.mirror_verdict import MirrorPlane
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.plane import Plane, angle_between_deg, intersect_rays, signed_distances_m
from mira.geometry.ring_readings import OUTLINED
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import CameraIntrinsics, View
from mira.schema.truth import TrueScene, TrueView
from mira.store.workspace import Workspace

SHARED = Path(__file__).parents[3] / "shared" / "data"
SCENE = SHARED / "mirror_rgbd"
MIRROR3D = SHARED / "rgbd" / "mirror3d_nyu"
CAMERA = {"width": 608, "height": 456, "fx": 518.86, "fy": 519.47, "cx": 309.58, "cy": 241.74}
KINECT = CameraIntrinsics(
    width_px=608, height_px=456, fx_px=518.86, fy_px=519.47, cx_px=309.58, cy_px=241.74
)
POLICY = MirrorGeometryPolicy()
NEAR_M = 0.15
"""So near to its thing is a reflection that was put back right."""


def _depth_m(workspace: Workspace, view: View) -> np.ndarray:
    assert view.depth_aligned is not None
    assert view.depth_unit_m is not None
    raw = np.frombuffer(workspace.read_picture(view, view.depth_aligned), np.uint8)
    return np.asarray(cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)) * np.float32(view.depth_unit_m)


def _said(view: View, annotation: ImageAnnotation, depth_m: np.ndarray) -> SceneGeometry:
    return estimate_scene_geometry(
        annotation,
        depth_m=depth_m,
        camera=view.intrinsics,
        depth_kind=view.depth_kind,
        policy=POLICY,
        rng=np.random.default_rng(0),
    )


# The real scene with two annotation passes


@pytest.fixture(scope="module", params=["a", "b"])
def real(request, tmp_path_factory):
    """What is said of the real scene by one annotation pass, with the words of its instances."""
    if not SCENE.is_dir():
        pytest.skip("the real scene is not beside the checkout")
    folder = tmp_path_factory.mktemp("real")
    (folder / "camera.json").write_text(json.dumps({**CAMERA, "depth_unit_m": 0.001}))
    workspace = Workspace.create(folder / "workspace")
    import_annotations(
        SCENE / f"annotations_{request.param}",
        workspace,
        scenes=SCENE / "images",
        annotator="ann",
        intrinsics=folder / "camera.json",
    )
    (view,) = workspace.views()
    annotation = workspace.annotation(view.image_id, "ann")
    assert annotation is not None
    words = {one.instance_id: one.description for one in annotation.instances}
    return _said(view, annotation, _depth_m(workspace, view)), words


def test_the_real_mirror_is_where_its_tight_pairs_put_it(real) -> None:
    said, _ = real
    (surface,) = said.surfaces
    assert surface.mirror.source == "both"
    assert 1.35 < surface.mirror.plane.offset_m < 1.50
    # The counter is the plane that most of the picture shows; mirrors hang upright over counters.
    counter = Plane((-0.092, -0.934, -0.345), 0.498)
    assert abs(angle_between_deg(surface.mirror.plane, counter) - 90) < 5


def test_pairs_whose_depth_is_that_of_the_wall_are_left_out(real) -> None:
    said, words = real
    pairs = {words[pair.real_id]: pair for pair in said.surfaces[0].mirror.pairs}
    assert {name for name, pair in pairs.items() if not pair.used} == {"candle glass", "tap"}
    assert all(pair.reason for pair in pairs.values() if not pair.used)
    assert "pairs_left_out" in said.surfaces[0].mirror.notes


def test_confidence_in_a_narrow_ring_and_quarrelling_pairs_is_low(real) -> None:
    said, _ = real
    assert said.surfaces[0].mirror.confidence < 0.5


def test_reflections_are_put_back_to_their_things_or_say_why_not(real) -> None:
    said, words = real
    assert len(said.links) == 6
    apart = set()
    for link in said.links:
        if link.agrees:
            assert link.gap_m < NEAR_M
        else:
            assert link.refusal.code == "apart"
            apart.add(link.reflected_id)
    assert {words[k] for k in apart} == {"candle glass", "tap"}
    places = {one.instance_id: one for one in said.instances}
    assert all(places[k].real is None for k in apart)


# Pictures of Mirror3D with masks alone


class Masked(NamedTuple):
    """A mirror of a picture that has masks alone: what is said of it, and its readings."""

    mirror: MirrorPlane
    points_cam_m: np.ndarray


def _masked(picture: str) -> list[Masked]:
    if not MIRROR3D.is_dir():
        pytest.skip("the pictures of Mirror3D are not beside the checkout")
    depth = cv2.imread(str(MIRROR3D / f"sensor_depth_{picture}.png"), cv2.IMREAD_UNCHANGED)
    masks = cv2.imread(str(MIRROR3D / f"mirror_mask_{picture}.png"), cv2.IMREAD_UNCHANGED)
    found = []
    for which in range(1, int(masks.max()) + 1):
        left, top, width, height = cv2.boundingRect((masks == which).astype(np.uint8))
        area = masks[top : top + height, left : left + width] == which
        mirror = estimate_mirror_plane(
            depth / 1000,
            CroppedMask(left, top, area),
            KINECT,
            surface_type="planar_mirror",
            outlined=np.where(masks > 0, OUTLINED, 0).astype(np.uint8),
            policy=POLICY,
            rng=np.random.default_rng(0),
        )
        rows, columns = np.nonzero(masks == which)
        pixels = np.stack((columns, rows), axis=1)
        found.append(
            Masked(mirror, deproject_pixels(KINECT, pixels, depth_m=depth[rows, columns] / 1000))
        )
    return found


def test_the_wall_around_a_real_mirror_gives_its_plane_with_doubt() -> None:
    ((mirror, _),) = _masked("45")
    assert mirror.source == "surroundings"
    assert mirror.coverage >= 0.4
    assert mirror.residual_m < 0.01
    assert mirror.confidence < 0.6


@pytest.fixture(scope="module")
def corner() -> list[Masked]:
    """Two mirrors that meet over a counter; around them are a door frame, and a wall across."""
    return _masked("686")


def test_mirrors_over_a_counter_have_the_planes_of_its_back_edge(corner) -> None:
    for mirror, _ in corner:
        assert mirror.source == "foot"
        assert mirror.confidence < 0.3
        assert "one_sided" in mirror.notes
        # The floor is the plane of the picture that is best known.
        floor = Plane((-0.0797, -0.9740, -0.2118), 1.469)
        assert abs(angle_between_deg(mirror.plane, floor) - 90) < 3


def test_mirrors_that_meet_do_so_at_their_common_edge(corner) -> None:
    first, second = (mirror.plane for mirror, _ in corner)
    # The counter's back edge bends there by some 45 degrees, in the outlines as well as in depth:
    # edges under the floor's horizon, taken for level, turn by 40.
    assert 38 < angle_between_deg(first, second) < 54
    for pixel in ((330, 203), (327, 140)):
        here, there = (
            intersect_rays(deproject_rays(KINECT, pixel), one) for one in (first, second)
        )
        assert np.linalg.norm(here - there) < 0.05


def test_what_real_mirrors_show_is_behind_them(corner) -> None:
    (left, shown), (right, behind) = corner
    # A sixth of the left one is depth that was filled in from the door frame before it.
    assert np.mean(signed_distances_m(shown, left.plane) < 0) > 0.8
    assert np.mean(signed_distances_m(behind, right.plane) < 0.03) > 0.95


# Simulated rooms


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """Eight rooms of the kinds with flat mirrors: folder, workspace."""
    pytest.importorskip("embreex", reason="needs the extra `sim`")
    from mira.sim.rooms.output.series import make_rooms
    from mira.sim.rooms.policy import RoomPolicy

    folder = tmp_path_factory.mktemp("rooms")
    places = ("bathroom", "bedroom", "hall", "office", "living_room")
    policy = RoomPolicy(places=places, views_per_scene=1)
    make_rooms(folder / "rooms", count=8, seed=21, policy=policy)
    workspace = Workspace.create(folder / "workspace")
    import_annotations(folder / "rooms", workspace, scenes=None, annotator="simulator")
    return folder / "rooms", workspace


def test_planes_of_simulated_mirrors_are_the_true_ones(rooms) -> None:
    folder, workspace = rooms
    angles, distances = [], []
    for view in workspace.views():
        annotation = workspace.annotation(view.image_id, "simulator")
        truth = folder / "truth" / view.scene_id
        scene = TrueScene.from_json((truth / "scene.json").read_bytes(), where=truth)
        seen = TrueView.from_json((truth / "v0.json").read_bytes(), where=truth)
        areas = OutlinedAreas(annotation)
        for said in _said(view, annotation, _depth_m(workspace, view)).surfaces:
            true = _true_plane(said.surface_id, scene, seen)
            if true is None:
                continue
            assert said.mirror.plane is not None
            area = areas.surfaces[said.surface_id]
            rows, columns = np.nonzero(area.mask)
            middle = (columns.mean() + area.left, rows.mean() + area.top)
            point = intersect_rays(deproject_rays(view.intrinsics, middle), said.mirror.plane)
            angles.append(angle_between_deg(said.mirror.plane, true))
            distances.append(abs(float(signed_distances_m(point, true))))
            if said.mirror.confidence >= 0.8:
                assert angles[-1] < 3
                assert distances[-1] < 0.035
    assert len(angles) >= 8
    assert np.median(angles) < 1
    assert np.median(distances) < 0.01


def _true_plane(surface_id: int, scene: TrueScene, view: TrueView) -> Plane | None:
    """A flat mirror's plane in the camera's frame; None for other surfaces."""
    names = {one.instance_id: one.surface_id for one in view.surfaces}
    surface = next(one for one in scene.surfaces if one.surface_id == names[surface_id])
    if surface.surface_type != "planar_mirror":
        return None
    turn, place = np.array(view.camera.rotation), np.array(view.camera.translation_m)
    offset = float(np.array(surface.normal) @ place + surface.offset_m)
    x, y, z = (float(value) for value in np.array(surface.normal) @ turn * np.sign(offset))
    return Plane((x, y, z), abs(offset))
