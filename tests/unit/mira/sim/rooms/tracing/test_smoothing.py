from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.sim.rooms.tracing.smoothing import enlarged, smoothed

Floats = NDArray[np.float32]
_SHAPE = (41, 57)
_STEPS = (1, 2, 4, 8)


def _noise(seed: int) -> Floats:
    return np.random.default_rng(seed).random((3, *_SHAPE), dtype=np.float32)


def _flat(shape: tuple[int, int] = _SHAPE) -> Floats:
    """The normals of one flat surface."""
    normals = np.zeros((3, *shape), np.float32)
    normals[2] = 1
    return normals


def _halves(shape: tuple[int, int] = _SHAPE) -> NDArray[np.int32]:
    """Two surfaces, side by side."""
    key = np.zeros(shape, np.int32)
    key[:, shape[1] // 2 :] = 7
    return key


def test_even_light_stays_even() -> None:
    even = np.full((3, *_SHAPE), 0.37, np.float32)

    assert smoothed(even, _halves(), _flat(), steps_px=_STEPS) == pytest.approx(0.37, rel=1e-5)


def test_noise_on_one_surface_goes_and_the_mean_stays() -> None:
    light, key = _noise(0), np.zeros(_SHAPE, np.int32)

    found = smoothed(light, key, _flat(), steps_px=_STEPS)

    assert found.std() < 0.15 * light.std()
    assert found.mean() == pytest.approx(light.mean(), abs=0.01)


def test_no_light_crosses_from_one_surface_to_another() -> None:
    key = _halves()
    light = np.repeat((key == 7)[None].astype(np.float32), 3, axis=0)

    assert np.array_equal(smoothed(light, key, _flat(), steps_px=_STEPS), light)


def test_no_light_goes_around_a_corner_of_one_surface() -> None:
    key, normals = np.zeros(_SHAPE, np.int32), _flat()
    right = _halves() == 7
    normals[2, right], normals[0, right] = 0, 1
    light = np.repeat(right[None].astype(np.float32), 3, axis=0)

    assert np.array_equal(smoothed(light, key, normals, steps_px=_STEPS), light)


def test_a_slight_bend_lets_light_through() -> None:
    key, normals = np.zeros(_SHAPE, np.int32), _flat()
    angle = np.radians(5 * (_halves() == 7))
    normals[0], normals[2] = np.sin(angle), np.cos(angle)
    light = np.repeat((_halves() == 7)[None].astype(np.float32), 3, axis=0)

    found = smoothed(light, key, normals, steps_px=(1,))

    assert 0.1 < found[0, 20, _SHAPE[1] // 2 - 1] < 0.5


def test_smoothing_is_linear() -> None:
    first, second, key = _noise(1), _noise(2), _halves()

    def soft(light: Floats) -> Floats:
        return smoothed(light, key, _flat(), steps_px=_STEPS)

    together = soft(first + np.float32(3) * second)
    assert together == pytest.approx(soft(first) + 3 * soft(second), abs=1e-4)


def test_the_given_light_stays_as_it_was() -> None:
    light = _noise(3)

    smoothed(light, _halves(), _flat(), steps_px=_STEPS)

    assert np.array_equal(light, _noise(3))


@pytest.mark.parametrize("shape", [(40, 56), (41, 57), (40, 57), (41, 56)])
def test_known_light_is_kept_and_even_light_stays_even(shape: tuple[int, int]) -> None:
    key, normals = _halves(shape), _flat(shape)
    small_key, small_normals = key[::2, ::2], normals[:, ::2, ::2]
    noise = np.random.default_rng(0).random((3, *small_key.shape), dtype=np.float32)
    even = np.full_like(noise, 0.37)

    assert enlarged(even, small_key, small_normals, key, normals) == pytest.approx(0.37, rel=1e-5)
    found = enlarged(noise, small_key, small_normals, key, normals)
    assert found.shape == (3, *shape)
    assert np.array_equal(found[:, ::2, ::2], noise)
    assert found.min() >= noise.min()
    assert found.max() <= noise.max()


def test_enlarged_light_of_one_surface_does_not_reach_the_other() -> None:
    key, normals = _halves(), _flat()
    light = np.repeat((key[::2, ::2] == 7)[None].astype(np.float32), 3, axis=0)

    found = enlarged(light, key[::2, ::2], normals[:, ::2, ::2], key, normals)

    assert found[:, key == 7] == pytest.approx(1, abs=1e-3)
    assert found[:, key == 0] == pytest.approx(0, abs=1e-3)


def test_a_surface_without_known_light_takes_that_of_its_neighbours() -> None:
    key, normals = np.zeros(_SHAPE, np.int32), _flat()
    key[11, 13] = 5
    light = np.full((3, 21, 29), 0.6, np.float32)

    found = enlarged(light, key[::2, ::2], normals[:, ::2, ::2], key, normals)

    assert found[:, 11, 13] == pytest.approx(0.6)
