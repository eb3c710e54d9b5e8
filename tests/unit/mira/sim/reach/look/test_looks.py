from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from mira.sim.reach.look.baked import baked_arrays
from mira.sim.reach.look.bodies import standing
from mira.sim.reach.look.hands import hand_looks
from mira.sim.reach.look.marks import MARKS, mark_look
from mira.sim.reach.look.viewing import EYE_M, lens, mirror_image, project, viewpoint
from mira.sim.reach.rules import ReachGame, ReachPolicy
from mira.sim.reach.scenes import Body, reach_scenes
from mira.sim.rooms.things.rotation import matrix

BODIES = {scene.body.name: scene.body for scene in reach_scenes()}
PEOPLE = [name for name, body in BODIES.items() if body.track == "human"]
SIZE_PX = 1024


def test_every_scene_has_its_hand_and_its_mark() -> None:
    for scene in reach_scenes():
        assert scene.hand in hand_looks(scene.body)
        assert scene.mark in MARKS


@pytest.mark.parametrize("name", PEOPLE)
def test_people_stand_on_the_floor_and_wear_their_mark(name: str) -> None:
    look, front = standing(BODIES[name])
    vertices = np.concatenate([surface.mesh.vertices_m for surface in look.painted])
    assert vertices[:, 2].min() == pytest.approx(0, abs=2e-3)
    assert 1.55 < vertices[:, 2].max() < 1.8
    x, y, z = (vertices - BODIES[name].mark_m).T
    (a, b), (c, d, e) = front
    under = (a * y + b * z + c * y * y + d * y * z + e * z * z - x)[np.hypot(y, z) < 0.06]
    # No cloth comes through the sticker, and some lies closely under it.
    assert under.min() > 0
    assert under.min() < 0.01


@pytest.mark.parametrize("name", BODIES)
def test_the_middle_of_each_mark_is_seen_at_the_mark(name: str) -> None:
    body = BODIES[name]
    wanted = project(mirror_image(body.mark_m), size_px=SIZE_PX)
    for mark in MARKS:
        rim = mark_look(mark, body.mark_m, standing(body).front).parts[0].mesh
        assert rim is not None
        seen = project(mirror_image(rim.vertices_m), size_px=SIZE_PX)[rim.faces]
        one, other = seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0]
        area = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
        middle = np.average(seen.mean(axis=1), axis=0, weights=area)
        assert middle == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize("name", BODIES)
def test_a_hand_is_about_as_deep_as_the_rule_takes_it_to_be(name: str) -> None:
    policy = ReachPolicy()
    for hand, look in hand_looks(BODIES[name]).items():
        vertices = [surface.mesh.vertices_m for surface in look.painted]
        for part in look.parts:
            corners = np.array(list(product((-1, 1), repeat=3)), np.float64)
            if part.mesh is not None:
                vertices.append(part.mesh.vertices_m + np.array(part.at_m))
            elif part.shape == "box":
                turned = corners * part.size_m @ matrix(part.turn).T
                vertices.append(turned + np.array(part.at_m))
        x = np.concatenate(vertices)[:, 0]
        assert np.abs(x).max() < policy.hand_depth_m / 2 + 0.025, hand


@pytest.mark.parametrize("name", BODIES)
def test_where_shortest_ways_lead_the_hand_is_in_the_picture_or_behind_the_body(name: str) -> None:
    body = BODIES[name]
    for hand in _shortest_places(body):
        if _is_behind(body, hand):
            continue
        extent = np.array(list(product((0,), (-0.07, 0.07), (-0.09, 0.125))))
        seen = project(np.array(hand) + extent, size_px=SIZE_PX)
        assert (seen > -0.5).all(), hand
        assert (seen < SIZE_PX - 0.5).all(), hand


def _shortest_places(body: Body) -> list[tuple[float, float, float]]:
    """Everywhere a hand may be on a shortest way that the rules allow."""
    ways = []
    for start, end in zip(body.hand_m, body.mark_m, strict=True):
        steps = round(abs(end - start) / 0.1)
        ways.append(np.linspace(start, end, steps + 1))
    half = body.depth_m / 2 + ReachPolicy().hand_depth_m / 2
    places = [tuple(float(value) for value in place) for place in product(*ways)]
    assert ReachGame(body, ReachPolicy()).hand_m in places
    return [place for place in places if place[0] - body.body_m[0] >= half - 1e-6]  # type: ignore[misc]


def _is_behind(body: Body, hand: tuple[float, float, float]) -> bool:
    """Whether the body is between the camera and a hand: beside its middle, or below its deck."""
    if body.name == "nova_carter":
        return hand[2] < 0.7
    return abs(hand[1] - body.body_m[1]) < 0.2


def test_the_camera_is_the_published_one() -> None:
    pose = viewpoint()
    assert EYE_M == (-1.1, 0.0, 2.0)
    middle = lens(SIZE_PX).cx_px
    assert project((0.0, 0.0, 1.7), size_px=SIZE_PX) == pytest.approx((middle, middle))
    assert np.linalg.det(pose.axes) == pytest.approx(1)
    # What is to the left of the body is on the left of the picture.
    assert project((0.5, 0.3, 1.7), size_px=SIZE_PX)[0] < middle


def test_what_is_baked_is_small_and_whole() -> None:
    known = baked_arrays()
    assert sum(values.nbytes for values in known.values()) < 2_500_000
    for name, faces in known.items():
        if name.endswith("/faces"):
            count = len(known[name.removesuffix("faces") + "vertices"])
            assert faces.max() == count - 1
            for field in ("normals", "shade", "tint"):
                assert len(known[name.removesuffix("faces") + field]) == count
