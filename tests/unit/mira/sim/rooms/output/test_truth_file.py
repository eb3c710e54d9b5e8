from __future__ import annotations

import re

import numpy as np
import pytest

from mira.geometry.mask import Rle, decode_rle
from mira.schema.capture import RigidTransform
from mira.schema.record import FileRef
from mira.schema.spatial import FreeSpace
from mira.schema.truth import TrueMask, TrueScene, TrueView
from mira.sim.rooms.output.truth_file import (
    TRUE_DEPTH_UNIT_M,
    depth_picture,
    true_scene,
    true_view,
)
from mira.sim.rooms.scene import SimulatedScene
from mira.sim.rooms.tracing.scene_mesh import SIDES

_FILE = FileRef(path="a.png", sha256="0" * 64, size_bytes=1)

_FREE = FreeSpace(origin_m=(0.0, 0.0), cell_m=0.05, rows=1, columns=2, runs=(1, 1))


@pytest.fixture
def scene_record(small_scene: SimulatedScene) -> TrueScene:
    return true_scene(small_scene, scene_id="room_1", free_space=_FREE)


@pytest.fixture
def view_record(small_scene: SimulatedScene) -> TrueView:
    return true_view(
        small_scene.views[0],
        small_scene.plan,
        small_scene.renderer.mesh.part_names,
        scene_id="room_1",
        view_id="v0",
        first_surface_depth=_FILE,
        virtual_depth=_FILE,
    )


def _decoded(mask: TrueMask) -> np.ndarray:
    return decode_rle(Rle(size=mask.size, counts=mask.counts))


def _moved(pose: RigidTransform, point: np.ndarray) -> np.ndarray:
    return np.array(pose.rotation) @ point + pose.translation_m


def test_records_survive_being_written_and_read(
    scene_record: TrueScene, view_record: TrueView
) -> None:
    assert TrueScene.from_json(scene_record.to_json(indent=False), where="a") == scene_record
    assert TrueView.from_json(view_record.to_json(indent=False), where="a") == view_record


def test_a_scene_names_its_renderer_seed_and_place(
    scene_record: TrueScene, small_scene: SimulatedScene
) -> None:
    assert re.fullmatch(r"mira rooms \d+, embree [\d.a-z]+, \w+[\w ]*", scene_record.renderer)
    assert (scene_record.seed, scene_record.index) == (3, 0)
    assert scene_record.place == small_scene.plan.place
    assert scene_record.walkable_low_m == (-1.5, -4.0)
    assert scene_record.walkable_high_m == (1.5, 0.0)


def test_surfaces_are_where_the_plan_has_them(
    scene_record: TrueScene, small_scene: SimulatedScene
) -> None:
    front, right = scene_record.surfaces

    assert (front.surface_id, right.surface_id) == ("mirror_1", "mirror_2")
    assert front.normal == (0, -1, 0)
    assert right.normal == (-1, 0, 0)
    for record, surface in zip(scene_record.surfaces, small_scene.plan.surfaces, strict=True):
        assert record.up == (0, 0, 1)
        assert record.centre_m == surface.centre_m
        assert np.dot(record.normal, record.centre_m) + record.offset_m == pytest.approx(0)
        assert (record.width_m, record.height_m) == (1.2, 1.0)
        assert not record.round
        assert record.bulge_radius_m is None
        assert record.silver == surface.silver


def test_items_have_their_boxes_in_both_frames(scene_record: TrueScene) -> None:
    items = {item.description: item for item in scene_record.items}
    crate, ball, post = items["red crate"], items["red ball"], items["post"]

    assert [item.item for item in scene_record.items] == list(range(5))
    assert [item.annotated for item in scene_record.items] == [True] * 4 + [False]
    assert crate.low_m == pytest.approx((-0.1, -0.1, 0), abs=1e-6)
    assert crate.high_m == pytest.approx((0.1, 0.1, 0.2), abs=1e-6)
    reach = 0.1 * (np.cos(np.pi / 6) + np.sin(np.pi / 6))
    assert crate.room_low_m == pytest.approx((0.6 - reach, -0.5 - reach, 0.75), abs=1e-5)
    assert crate.room_high_m == pytest.approx((0.6 + reach, -0.5 + reach, 0.95), abs=1e-5)
    assert _moved(crate.pose, np.array((0, -1, 0))) == pytest.approx(
        (0.6 + np.sin(np.pi / 6), -0.5 - np.cos(np.pi / 6), 0.75), abs=1e-5
    )
    assert ball.room_high_m == pytest.approx((0.92, -0.48, 1.27), abs=2e-3)
    assert (post.room_low_m, post.room_high_m) == ((-1.05, -1.05, 0), (-0.95, -0.95, 1))


def test_the_camera_is_the_views(view_record: TrueView, small_scene: SimulatedScene) -> None:
    viewpoint = small_scene.views[0].viewpoint
    point = np.array((0.3, -0.2, 1.7))

    assert (view_record.camera.source, view_record.camera.target) == ("camera", "room")
    assert _moved(view_record.camera, point) == pytest.approx(viewpoint.to_room(point), abs=1e-5)


def test_masks_are_exact(view_record: TrueView, small_scene: SimulatedScene) -> None:
    view = small_scene.views[0]
    sightings = {sighting.group_id: sighting for sighting in view.content.sightings}
    surfaces = {surface.group_id: surface for surface in view.content.surfaces}

    assert [instance.instance_id for instance in view_record.instances] == sorted(sightings)
    for instance in view_record.instances:
        mask = _decoded(instance.mask)
        assert np.array_equal(mask, sightings[instance.instance_id].mask)
        assert instance.area_px == mask.sum()
        rows, columns = np.nonzero(mask)
        assert instance.centroid_px == pytest.approx((columns.mean(), rows.mean()), abs=1e-3)
    for surface in view_record.surfaces:
        assert np.array_equal(_decoded(surface.mask), surfaces[surface.instance_id].mask)
        assert surface.surface_id == f"mirror_{surfaces[surface.instance_id].surface + 1}"


def test_instances_say_how_and_from_which_side_they_are_seen(
    view_record: TrueView, small_scene: SimulatedScene
) -> None:
    sightings = {s.group_id: s for s in small_scene.views[0].content.sightings}
    lids = 0

    for instance in view_record.instances:
        sighting = sightings[instance.instance_id]
        assert instance.item == sighting.item
        assert instance.visibility == ("reflected" if sighting.chain else "direct")
        assert instance.chain == tuple(f"mirror_{k + 1}" for k in sighting.chain)
        assert instance.reflection_of == sighting.reflection_of
        assert instance.side_px == {
            side: count for side, count in zip(SIDES, sighting.side_px, strict=True) if count
        }
        assert sum(instance.side_px.values()) == instance.area_px
        if instance.item == 2:
            assert set(instance.named_parts) == {"lid"}
            assert 0 < instance.named_parts["lid"] < instance.area_px
            lids += 1
        else:
            assert instance.named_parts == {}
        assert instance.light_share == 1
    assert lids >= 2


def test_depth_is_kept_to_half_a_millimetre_and_0_is_out_of_reach() -> None:
    depth = np.array([[0.0, 0.123456, 1.0, 32.7], [32.8, 400.0, np.inf, 5.0]], np.float32)

    picture = depth_picture(depth)

    assert picture.dtype == np.uint16
    assert picture[1, :3].tolist() == [0, 0, 0]
    reached = picture > 0
    assert picture[reached] * TRUE_DEPTH_UNIT_M == pytest.approx(
        depth[reached], abs=TRUE_DEPTH_UNIT_M / 2 + 1e-6
    )
    assert reached.sum() == 4
