"""A fingerprint holds where nothing changed but the light, and differs where the content does."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from capture.picture_hash import HASH_BITS, hash_distance, hash_picture

Picture = NDArray[np.uint8]
seeds = st.integers(0, 2**32 - 1)


def scenery(seed: int, *, grain_px: float = 9.0) -> Picture:
    """Soft blobs of grey, darkest 40 and brightest 200."""
    noise = np.random.default_rng(seed).normal(size=(120, 160))
    soft = cv2.GaussianBlur(noise, (0, 0), grain_px)
    grey = 40 + 160 * (soft - soft.min()) / (soft.max() - soft.min())
    return np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(0.5, 1.2), st.integers(-20, 20))
def test_light_makes_no_difference(seed: int, gain: float, offset: int) -> None:
    picture = scenery(seed)
    lit = np.clip(picture * gain + offset, 0, 255).astype(np.uint8)
    assert hash_distance(hash_picture(picture), hash_picture(lit)) <= 4


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_noise_and_a_change_of_size_make_little_difference(seed: int) -> None:
    picture = scenery(seed)
    noise = np.random.default_rng(seed).normal(0, 8, picture.shape)
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    larger = np.asarray(cv2.resize(picture, None, fx=2.5, fy=2.5), np.uint8)
    assert hash_distance(hash_picture(picture), hash_picture(noisy)) <= 6
    assert hash_distance(hash_picture(picture), hash_picture(larger)) <= 4


def test_pictures_without_anything_in_common_differ_in_half_of_the_bits() -> None:
    hashes = [hash_picture(scenery(seed)) for seed in range(60)]
    distances = [hash_distance(a, b) for k, a in enumerate(hashes) for b in hashes[:k]]
    assert min(distances) > 9
    assert 28 <= float(np.mean(distances)) <= 36
    assert all(0 <= value < 2**HASH_BITS for value in hashes)


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(0, 30), st.integers(0, 40))
def test_what_is_outside_a_region_and_where_it_is_make_no_difference(
    seed: int, down: int, right: int
) -> None:
    inside = scenery(seed)[:80, :110]
    found = []
    for around, place in ((5, (0, 0)), (6, (down, right))):
        picture = scenery(around)
        region = np.zeros(picture.shape[:2], np.bool_)
        window = np.s_[place[0] : place[0] + 80, place[1] : place[1] + 110]
        picture[window], region[window] = inside, True
        found.append(hash_picture(picture, region))
    assert found[0] == found[1]


def test_a_region_of_a_few_pixels_has_a_fingerprint_and_an_empty_one_has_none() -> None:
    region = np.zeros((120, 160), np.bool_)
    with pytest.raises(ValueError, match="expected pixels, found none"):
        hash_picture(scenery(1), region)
    region[3, 4] = True
    assert hash_picture(scenery(1), region) == 0


@settings(deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_distance_is_a_metric(a: int, b: int, c: int) -> None:
    assert (hash_distance(a, b) == 0) == (a == b)
    assert hash_distance(a, b) == hash_distance(b, a)
    assert hash_distance(a, c) <= hash_distance(a, b) + hash_distance(b, c)
