from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.policy import FilmPolicy
from mira.sim.rooms.tracing.film import developed

_POLICY = FilmPolicy()


def _ramp() -> NDArray[np.float32]:
    """From black to bright, from left to right."""
    row = np.linspace(0, 5, 200, dtype=np.float32) ** 2
    return np.repeat(np.tile(row, (80, 1))[..., None], 3, axis=2)


def test_more_light_is_never_darker() -> None:
    picture = developed(_ramp(), _POLICY)

    assert picture.dtype == np.uint8
    assert picture.shape == (80, 200, 3)
    assert (np.diff(picture[0].astype(int), axis=0) >= 0).all()
    assert picture[0, -1].tolist() == [255, 255, 255]


def test_black_stays_black() -> None:
    assert not developed(_ramp(), _POLICY)[:, 0].any()
    assert not developed(np.zeros((8, 8, 3), np.float32), _POLICY).any()


@pytest.mark.parametrize("factor", [0.2, 8.0])
def test_the_exposure_follows_the_light(factor: float) -> None:
    light = _ramp() + np.float32(0.05)

    once, again = (developed(light * np.float32(f), _POLICY).astype(int) for f in (1, factor))

    assert np.abs(once - again).max() <= 1


def test_grey_light_gives_a_grey_picture_of_the_wanted_brightness() -> None:
    picture = developed(np.full((20, 20, 3), 0.7, np.float32), _POLICY)
    exposed = _POLICY.middle_grey
    mapped = exposed * (1 + exposed / _POLICY.white_level**2) / (1 + exposed)

    assert picture == pytest.approx(255 * mapped ** (1 / 2.2), abs=1)


def test_a_bright_window_lowers_the_exposure_of_the_rest() -> None:
    dim = np.full((80, 80, 3), 0.02, np.float32)
    with_window = dim.copy()
    with_window[:16] = 40

    assert developed(with_window, _POLICY)[-1, -1, 0] < developed(dim, _POLICY)[-1, -1, 0]


def test_colours_keep_their_channels() -> None:
    light = np.tile(np.array((0.9, 0.4, 0.1), np.float32), (20, 20, 1))

    red, green, blue = developed(light, _POLICY)[0, 0].tolist()

    assert red > green > blue > 0
