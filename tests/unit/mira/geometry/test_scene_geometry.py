from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mira.errors import GeometryError
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.mirror_policy import MirrorGeometryPolicy
from mira.geometry.plane import angle_between_deg, plane_at
from mira.geometry.scene_geometry import estimate_scene_geometry
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import CameraIntrinsics

POLICY = MirrorGeometryPolicy()


def _said(room: Any, its_camera: CameraIntrinsics, **given: Any) -> SceneGeometry:
    asked = {
        "annotation": room.annotation(),
        "depth_m": room.depth_m(),
        "camera": its_camera,
        "depth_kind": "metric",
        "policy": POLICY,
        "rng": np.random.default_rng(0),
    } | given
    return estimate_scene_geometry(asked.pop("annotation"), **asked)


def _refusals(said: SceneGeometry) -> set[str]:
    surfaces = [one.mirror.refusal for one in said.surfaces]
    others = [one.refusal for one in (*said.instances, *said.links)]
    return {one.code for one in (*surfaces, *others) if one is not None}


def test_a_mirror_on_a_wall_is_found_by_both_kinds_of_evidence(ball_room, ball_camera) -> None:
    room = ball_room()
    mirror = _said(room, ball_camera).surfaces[0].mirror
    assert mirror.source == "both"
    assert mirror.depth_shows == "reflection"
    assert mirror.confidence > 0.9
    assert mirror.notes == ()
    assert all(pair.used for pair in mirror.pairs)
    assert angle_between_deg(mirror.plane, room.mirror) < 0.5
    assert mirror.plane.offset_m == pytest.approx(room.mirror.offset_m, abs=0.02)


def test_reflected_things_are_put_back_to_where_they_are(ball_room, ball_camera) -> None:
    room = ball_room()
    said = _said(room, ball_camera)
    places = {one.instance_id: one for one in said.instances}
    assert len(places) == 8
    for k, (centre, radius) in enumerate(room.balls, start=1):
        for instance_id in (k, 10 + k):
            real = places[instance_id].real
            assert real is not None
            off = np.linalg.norm(np.array(real.centre_m) - centre)
            assert off < radius + 3 * real.doubt_m
    assert all(link.agrees for link in said.links)
    assert max(link.gap_m for link in said.links) < 0.03


def test_the_extents_of_a_mirror_are_those_of_its_glass(ball_room, ball_camera) -> None:
    room = ball_room(mirror=plane_at((0, 0, -1), (0, 0, 2)))
    extents = _said(room, ball_camera).surfaces[0].extents_m
    assert extents is not None
    assert extents.low_m == pytest.approx((-0.6, -0.5, 2), abs=0.03)
    assert extents.high_m == pytest.approx((0.6, 0.3, 2), abs=0.03)


def test_pairs_overrule_a_wall_far_behind_a_mirror_on_a_stand(ball_room, ball_camera) -> None:
    room = ball_room(wall_behind_m=0.8)
    mirror = _said(room, ball_camera).surfaces[0].mirror
    assert mirror.source == "pairs"
    assert mirror.notes == ("surroundings_disagree",)
    assert angle_between_deg(mirror.plane, room.mirror) < 1
    assert mirror.plane.offset_m == pytest.approx(room.mirror.offset_m, abs=0.03)


def test_two_pairs_overrule_a_wall_too_and_are_less_sure(ball_room, ball_camera) -> None:
    balls = ball_room().balls
    room = ball_room(wall_behind_m=0.8, balls=(balls[0], balls[3]))
    mirror = _said(room, ball_camera).surfaces[0].mirror
    more = _said(ball_room(wall_behind_m=0.8), ball_camera).surfaces[0].mirror
    assert mirror.source == "pairs"
    assert mirror.confidence < 0.6 < more.confidence


def test_a_reflection_before_the_wall_rules_the_wall_out(ball_room, ball_camera) -> None:
    """The balls' images are nearer than a wall 2 m behind, and so is the image of the room."""
    room = replace(ball_room(wall_behind_m=4.5), linked={11: 99, 12: 99, 13: 99, 14: 99})
    annotation = room.annotation()
    assert annotation.links == ()
    mirror = _said(room, ball_camera, annotation=annotation).surfaces[0].mirror
    assert mirror.plane is None
    assert mirror.refusal.code == "thin_evidence"


def test_pairs_that_all_contradict_each_other_give_no_plane(ball_room, ball_camera) -> None:
    balls = (((-0.6, 0.35, 1.2), 0.05), ((0.0, 0.5, 1.5), 0.05), ((0.55, 0.0, 1.7), 0.05))
    room = ball_room(wall_behind_m=4.5, balls=balls, linked={11: 2, 12: 3, 13: 1})
    mirror = _said(room, ball_camera).surfaces[0].mirror
    assert mirror.plane is None
    assert mirror.refusal.code == "contradictory_evidence"
    assert mirror.confidence == 0
    assert [pair.used for pair in mirror.pairs] == [False] * 3


def test_without_pairs_the_wall_counts_and_confidence_is_moderate(ball_room, ball_camera) -> None:
    room = ball_room(balls=())
    mirror = _said(room, ball_camera).surfaces[0].mirror
    assert mirror.source == "surroundings"
    assert 0.4 < mirror.confidence < 0.7
    assert angle_between_deg(mirror.plane, room.mirror) < 0.5


@pytest.mark.parametrize("swap", [{11: 2, 12: 1}, {13: 4, 14: 3}, {11: 4}])
def test_wrong_links_are_left_out_and_named(ball_room, ball_camera, swap: dict[int, int]) -> None:
    room = ball_room(linked=swap)
    said = _said(room, ball_camera)
    mirror = said.surfaces[0].mirror
    assert {pair.reflected_id for pair in mirror.pairs if not pair.used} == swap.keys()
    assert all(pair.reason for pair in mirror.pairs if not pair.used)
    assert mirror.notes == ("pairs_left_out",)
    assert mirror.confidence < _said(ball_room(), ball_camera).surfaces[0].mirror.confidence
    assert angle_between_deg(mirror.plane, room.mirror) < 1
    assert {link.reflected_id for link in said.links if not link.agrees} == swap.keys()
    unplaced = {one.instance_id: one.refusal.code for one in said.instances if not one.real}
    assert unplaced == dict.fromkeys(swap, "apart")


def test_depth_of_the_mirror_itself_is_seen_and_nothing_put_back(ball_room, ball_camera) -> None:
    room = ball_room(shows="surface")
    said = _said(room, ball_camera)
    mirror = said.surfaces[0].mirror
    assert (mirror.source, mirror.depth_shows) == ("surface", "surface")
    assert "depth_of_surface" in mirror.notes
    assert angle_between_deg(mirror.plane, room.mirror) < 0.5
    assert mirror.plane.offset_m == pytest.approx(room.mirror.offset_m, abs=0.005)
    assert not any(pair.used for pair in mirror.pairs)
    assert _refusals(said) == {"depth_not_of_reflection"}
    assert [one.real is None for one in said.instances] == [False] * 4 + [True] * 4


@pytest.mark.parametrize(
    ("surface_type", "code"),
    [
        ("convex_mirror", "curved_surface"),
        ("vehicle_side_mirror", "curved_surface"),
        (None, "surface_type_unset"),
    ],
)
def test_what_is_not_known_to_be_flat_has_no_plane(
    ball_room, ball_camera, surface_type: str | None, code: str
) -> None:
    said = _said(ball_room(surface_type=surface_type), ball_camera)
    assert said.surfaces[0].mirror.refusal.code == code
    assert said.surfaces[0].extents_m is None
    assert _refusals(said) == {code, "no_plane"}


@pytest.mark.parametrize("surface_type", ["glass", "screen", "water"])
def test_panes_have_a_plane_but_nothing_is_put_back(ball_room, ball_camera, surface_type) -> None:
    room = ball_room(surface_type=surface_type)
    said = _said(room, ball_camera)
    mirror = said.surfaces[0].mirror
    assert (mirror.source, mirror.depth_shows) == ("surroundings", "unknown")
    assert mirror.confidence < 0.4
    assert angle_between_deg(mirror.plane, room.mirror) < 0.5
    assert _refusals(said) == {"depth_not_of_reflection"}


def test_things_seen_through_a_pane_have_no_place(ball_room, ball_camera) -> None:
    room = ball_room(surface_type="glass")
    drawn = room.annotation()
    through = [
        one.model_copy(update={"visibility": "direct", "seen_in": ()}) for one in drawn.instances
    ]
    annotation = drawn.model_copy(update={"instances": tuple(through), "links": ()})
    said = _said(room, ball_camera, annotation=annotation)
    codes = [one.refusal.code if one.refusal else None for one in said.instances]
    assert codes == [None] * 4 + ["behind_pane"] * 4


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"depth_m": None}, "no_depth"),
        ({"depth_kind": None}, "no_depth"),
        ({"depth_kind": "normalised"}, "normalised_depth"),
        ({"camera": None}, "no_camera"),
    ],
)
def test_pictures_without_metres_say_why_for_everything(
    ball_room, ball_camera, given: dict[str, Any], code: str
) -> None:
    said = _said(ball_room(), ball_camera, **given)
    assert _refusals(said) == {code}
    assert (len(said.surfaces), len(said.instances), len(said.links)) == (1, 8, 4)
    assert all(one.real is None for one in said.instances)


def test_a_reflection_that_nobody_could_link_is_not_put_back(ball_room, ball_camera) -> None:
    room = ball_room()
    drawn = room.annotation()
    links = [
        one.model_copy(update={"real_id": None, "counterpart": counterpart})
        for one, counterpart in zip(
            drawn.links, ("ambiguous", None, "out_of_frame", "in_frame"), strict=True
        )
    ]
    annotation = drawn.model_copy(update={"links": tuple(links)})
    said = _said(room, ball_camera, annotation=annotation)
    codes = [one.refusal.code if one.refusal else None for one in said.instances[4:]]
    assert codes == ["counterpart_undecided", "counterpart_undecided", None, None]


def test_a_reflection_in_no_surface_is_told(ball_room, ball_camera) -> None:
    room = ball_room()
    drawn = room.annotation()
    loose = tuple(one.model_copy(update={"seen_in": ()}) for one in drawn.instances)
    said = _said(room, ball_camera, annotation=drawn.model_copy(update={"instances": loose}))
    assert _refusals(said) == {"no_surface"}


def test_a_thing_before_the_mirror_is_no_reflection(ball_room, ball_camera) -> None:
    room = ball_room()
    drawn = room.annotation()
    wrong = drawn.instances[0].model_copy(
        update={"visibility": "reflected", "seen_in": (100,), "instance_id": 50}
    )
    link = drawn.links[0].model_copy(
        update={"reflected_id": 50, "real_id": None, "counterpart": "out_of_frame"}
    )
    annotation = drawn.model_copy(
        update={"instances": (*drawn.instances, wrong), "links": (*drawn.links, link)}
    )
    said = _said(room, ball_camera, annotation=annotation)
    assert said.instances[-1].refusal.code == "before_surface"


def test_order_makes_no_difference(ball_room, ball_camera) -> None:
    room = ball_room(linked={11: 2})
    drawn = room.annotation()
    turned = drawn.model_copy(
        update={"instances": drawn.instances[::-1], "links": drawn.links[::-1]}
    )
    first, second = (_said(room, ball_camera, annotation=one) for one in (drawn, turned))
    assert first.surfaces[0].mirror.plane == second.surfaces[0].mirror.plane
    assert first.surfaces[0].mirror.pairs == second.surfaces[0].mirror.pairs
    assert first.links == second.links[::-1]


def test_equal_input_gives_equal_numbers(ball_room, ball_camera) -> None:
    first, second = (_said(ball_room(), ball_camera) for _ in range(2))
    assert first.surfaces[0].mirror.plane == second.surfaces[0].mirror.plane
    assert first.links == second.links
    assert [one.real for one in first.instances] == [one.real for one in second.instances]


@given(st.floats(-0.4, 0.4), st.floats(-0.2, 0.2), st.floats(1.8, 2.6), st.integers(0, 2**32 - 1))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_planes_are_within_their_doubt(
    ball_room, ball_camera, tilt_x: float, tilt_y: float, distance_m: float, seed: int
) -> None:
    mirror = plane_at((tilt_x, tilt_y, -1.0), (0.0, -0.05, distance_m))
    room = ball_room(mirror=mirror, half_width_m=0.9, half_height_m=0.6, seed=seed)
    found = _said(room, ball_camera).surfaces[0].mirror
    assert found.plane is not None
    assert angle_between_deg(found.plane, mirror) < 4 * found.normal_error_deg
    assert found.plane.offset_m == pytest.approx(mirror.offset_m, abs=0.08)


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf, -1.0])
def test_depth_without_a_reading_refuses_everything(ball_room, ball_camera, value: float) -> None:
    depth = np.full((240, 424), value)
    said = _said(ball_room(), ball_camera, depth_m=depth)
    assert _refusals(said) == {"thin_evidence", "too_few_readings"}


def test_holes_and_stray_readings_do_no_harm(ball_room, ball_camera) -> None:
    room = ball_room()
    depth, rng = room.depth_m(), np.random.default_rng(0)
    depth[rng.random(depth.shape) < 0.3] = 0
    depth[rng.random(depth.shape) < 0.02] = np.nan
    depth[rng.random(depth.shape) < 0.02] = 60
    depth[rng.random(depth.shape) < 0.02] = 0.1
    mirror = _said(room, ball_camera, depth_m=depth).surfaces[0].mirror
    assert angle_between_deg(mirror.plane, room.mirror) < 1
    assert mirror.confidence > 0.8


def test_steps_of_millimetres_as_single_floats_do(ball_room, ball_camera) -> None:
    room = ball_room()
    stored = np.round(room.depth_m() * 1000).astype(np.uint16)
    depth = stored.astype(np.float32) * np.float32(0.001)
    mirror = _said(room, ball_camera, depth_m=depth).surfaces[0].mirror
    assert angle_between_deg(mirror.plane, room.mirror) < 0.5


def test_a_mirror_that_fills_the_picture_rests_on_pairs(ball_room, ball_camera) -> None:
    room = ball_room(half_width_m=9, half_height_m=9)
    mirror = _said(room, ball_camera).surfaces[0].mirror
    assert mirror.source == "pairs"
    assert angle_between_deg(mirror.plane, room.mirror) < 1


def test_an_annotation_of_nothing_says_nothing(ball_room, ball_camera) -> None:
    drawn = ball_room().annotation()
    empty = drawn.model_copy(update={"surfaces": (), "instances": (), "links": ()})
    assert _said(ball_room(), ball_camera, annotation=empty) == SceneGeometry((), (), ())


def _moved(annotation: ImageAnnotation, by: float) -> ImageAnnotation:
    """An annotation whose shapes were shifted to the right."""
    return annotation.model_copy(
        update={
            name: tuple(
                one.model_copy(
                    update={
                        "polygons_px": tuple(
                            tuple((x + by, y) for x, y in ring) for ring in one.polygons_px
                        )
                    }
                )
                for one in getattr(annotation, name)
            )
            for name in ("surfaces", "instances")
        }
    )


@pytest.mark.parametrize("by", [-5000.0, 5000.0])
def test_shapes_outside_the_picture_are_refused(ball_room, ball_camera, by: float) -> None:
    room = ball_room()
    said = _said(room, ball_camera, annotation=_moved(room.annotation(), by))
    assert said.surfaces[0].mirror.refusal.code == "outside_picture"
    assert {one.refusal.code for one in said.instances} == {"too_few_readings"}


def test_other_sizes_are_refused(ball_room, ball_camera) -> None:
    room = ball_room()
    with pytest.raises(GeometryError, match="depth: expected 424x240 .* found 423x240"):
        _said(room, ball_camera, depth_m=room.depth_m()[:, 1:])
    small = ball_camera.model_copy(update={"width_px": 640})
    with pytest.raises(GeometryError, match="camera: expected 424x240 .* found 640x240"):
        _said(room, small)
    with pytest.raises(GeometryError, match="depth: expected 424x240"):
        _said(room, ball_camera, depth_m=np.zeros(7))


def test_an_unknown_lens_is_refused(ball_room, ball_camera) -> None:
    lens = ball_camera.model_copy(
        update={"distortion_model": "ftheta", "distortion_coeffs": (0.1,)}
    )
    with pytest.raises(GeometryError, match="distortion_model"):
        _said(ball_room(), lens)
