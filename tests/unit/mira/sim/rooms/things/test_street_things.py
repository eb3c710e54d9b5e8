from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.places.placing import item_extent
from mira.sim.rooms.things import cycles, roadside, signposts, street, vehicles
from mira.sim.rooms.things.parts import Item, Placed
from mira.sim.rooms.things.rotation import rotate, yaw
from mira.sim.rooms.tracing.solids import triangles_of


def _lamp(rng: Generator) -> Item:
    return signposts.street_lamp(rng, lit=True)


# Width along x, depth along y and height, metres: smallest and largest.
STANDING: dict[Callable[[Generator], Item], tuple[tuple[float, float], ...]] = {
    vehicles.car: ((1.7, 2.4), (3.8, 4.7), (1.35, 1.75)),
    vehicles.delivery_van: ((1.8, 2.5), (4.5, 5.0), (1.9, 2.3)),
    cycles.bicycle: ((0.4, 0.7), (1.6, 1.9), (0.95, 1.15)),
    cycles.scooter: ((0.6, 0.8), (1.6, 2.0), (1.1, 1.4)),
    cycles.skateboard: ((0.7, 1.1), (0.15, 0.3), (0.1, 0.2)),
    street.traffic_cone: ((0.3, 0.45), (0.3, 0.45), (0.6, 0.8)),
    street.bollard: ((0.15, 0.3), (0.15, 0.3), (0.8, 1.0)),
    street.fire_hydrant: ((0.35, 0.5), (0.35, 0.5), (0.65, 0.9)),
    street.litter_bin: ((0.45, 0.6), (0.45, 0.6), (0.9, 1.1)),
    street.post_box: ((0.5, 0.6), (0.5, 0.6), (1.4, 1.6)),
    street.bench: ((1.4, 1.7), (0.45, 0.7), (0.8, 0.95)),
    street.potted_tree: ((0.45, 0.85), (0.45, 0.85), (1.5, 1.8)),
    street.wheelie_bin: ((0.55, 0.7), (0.65, 0.85), (1.0, 1.15)),
    _lamp: ((0.35, 0.6), (0.35, 0.6), (3.2, 3.6)),
    signposts.parking_meter: ((0.15, 0.25), (0.15, 0.25), (1.25, 1.45)),
    signposts.traffic_sign: ((0.5, 0.8), (0.1, 0.2), (2.4, 2.6)),
    roadside.cardboard_boxes: ((0.5, 0.7), (0.4, 0.6), (0.6, 0.95)),
    roadside.parcel: ((0.4, 0.5), (0.3, 0.4), (0.28, 0.33)),
    roadside.bottle_crate: ((0.38, 0.42), (0.28, 0.33), (0.25, 0.32)),
    roadside.umbrella_stand: ((0.26, 0.5), (0.26, 0.4), (0.8, 0.95)),
    roadside.chalk_stand: ((0.55, 0.65), (0.4, 0.55), (0.9, 1.05)),
    roadside.toolbox: ((0.4, 0.5), (0.2, 0.3), (0.28, 0.35)),
    roadside.bucket: ((0.28, 0.35), (0.28, 0.36), (0.38, 0.48)),
    roadside.jerrycan: ((0.28, 0.36), (0.13, 0.18), (0.38, 0.46)),
    roadside.tyre_stack: ((0.6, 0.7), (0.6, 0.7), (0.55, 0.85)),
}


@pytest.mark.parametrize("maker", STANDING, ids=lambda maker: maker.__name__)
def test_stands_on_the_ground_and_has_its_real_size(maker: Callable[[Generator], Item]) -> None:
    for seed in range(6):
        item = maker(np.random.default_rng(seed))
        low, high = item_extent(item)
        assert low[2] == pytest.approx(0.0, abs=0.004)
        for axis, (least, most) in enumerate(STANDING[maker]):
            assert least <= high[axis] - low[axis] <= most, (item.description, axis)


@pytest.mark.parametrize("maker", STANDING, ids=lambda maker: maker.__name__)
def test_is_drawn_in_few_triangles_that_face_outwards(maker: Callable[[Generator], Item]) -> None:
    item = maker(np.random.default_rng(1))
    assert sum(len(triangles_of(part).corners) for part in item.parts) < 20_000
    for part in item.parts:
        if part.mesh is not None:
            corners = part.mesh.vertices_m[part.mesh.faces]
            volume = np.einsum("ni,ni->", np.cross(corners[:, 0], corners[:, 1]), corners[:, 2])
            assert volume > 0 or not _closed(part.mesh.faces), (item.description, part.name)


def test_an_extinguisher_hangs_before_its_wall() -> None:
    low, high = item_extent(street.fire_extinguisher())
    assert high[1] == pytest.approx(0.0, abs=1e-6)
    assert low[2] < 0 < high[2]


def test_a_car_has_its_white_plate_in_front_and_its_yellow_one_at_the_back() -> None:
    parts = {part.name: part for part in vehicles.car(np.random.default_rng(0)).parts}
    assert parts["white number plate"].at_m[1] < -1.8
    assert parts["yellow number plate"].at_m[1] > 1.8
    facing = rotate(parts["yellow number plate"].turn, (0.0, 0.0, 1.0))
    assert facing[1] == pytest.approx(1.0)


def test_a_side_mirrors_glass_turns_with_its_car() -> None:
    car = vehicles.car(np.random.default_rng(0))
    build = vehicles.build_of(car)
    straight = vehicles.side_mirror(Placed(car, (0, 0, 0)), build, right=True)
    moved = vehicles.side_mirror(Placed(car, (1, 2, 0), 90.0), build, right=True)
    expected = np.add(rotate(yaw(90.0), straight.centre_m), (1, 2, 0))
    assert np.allclose(moved.centre_m, expected)


def _closed(faces: NDArray[np.int64]) -> bool:
    edges = np.sort(np.concatenate((faces[:, :2], faces[:, 1:], faces[:, ::2])), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())
