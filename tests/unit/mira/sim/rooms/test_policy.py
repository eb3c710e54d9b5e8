from __future__ import annotations

from pathlib import Path

import pytest

from mira.errors import SimulationError
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.policy import (
    PLACE_NAMES,
    CameraPolicy,
    DepthSensorPolicy,
    RoomPolicy,
    read_room_policy,
)


def test_nothing_given_is_the_defaults() -> None:
    assert read_room_policy() == RoomPolicy()
    assert RoomPolicy().places == PLACE_NAMES


def test_only_known_places_are_planned() -> None:
    assert set(PLACES) <= set(PLACE_NAMES)


def test_given_settings_are_taken(tmp_path: Path) -> None:
    sensor = DepthSensorPolicy(disparity_noise_px=0.5)
    path = tmp_path / "sensor.json"
    path.write_text(sensor.model_dump_json())

    policy = read_room_policy(places="bedroom, bathroom", views=3, depth_sensor=path)

    assert policy == RoomPolicy(places=("bedroom", "bathroom"), views_per_scene=3, depth=sensor)


def test_an_unknown_place_is_one_line_that_names_the_known_ones() -> None:
    with pytest.raises(SimulationError) as caught:
        read_room_policy(places="bathroom,cellar")

    assert str(caught.value).startswith("--places: expected some of bathroom, ")
    assert str(caught.value).endswith("found 'cellar'")


@pytest.mark.parametrize(
    "text", ["{", '{"baseline_m": -1}', '{"baseline": 0.05}'], ids=["broken", "range", "name"]
)
def test_a_file_that_is_no_sensor_is_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sensor.json"
    path.write_text(text)

    for file in (path, tmp_path / "missing.json"):
        with pytest.raises(SimulationError) as caught:
            read_room_policy(depth_sensor=file)
        assert str(caught.value).startswith(f"{file}: ")
        assert "\n" not in str(caught.value)


def test_a_reduced_camera_sees_the_same_in_fewer_pixels() -> None:
    full, small = CameraPolicy(), CameraPolicy().reduced(4)

    assert (small.width_px, small.height_px) == (212, 120)
    assert small.width_px / small.focal_px == full.width_px / full.focal_px
    lens = full.intrinsics()
    assert (lens.cx_px, lens.cy_px) == (423.5, 239.5)
