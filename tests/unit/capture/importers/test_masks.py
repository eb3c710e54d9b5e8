from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from capture.importers.masks import SOFT_ID, decode_mask, index_surfaces, numbers_in
from capture.importers.pictures import SourcePicture
from capture.importers.policy import ImportPolicy
from mira.errors import SceneSourceError
from mira.render.header import read_header

POLICY = ImportPolicy()


def decoded(pixels, ending=".png"):
    """A mask as it is read from a file; colours are RGB."""
    pixels = pixels[..., ::-1] if pixels.ndim == 3 else pixels
    data = cv2.imencode(ending, pixels)[1].tobytes()
    picture = SourcePicture("m" + ending, read_header(data, where="m"), data)
    return decode_mask(picture, policy=POLICY)


@given(
    values=st.lists(st.integers(1, 65535), min_size=1, max_size=6, unique=True),
    seed=st.integers(0, 2**32),
)
def test_numbers_of_any_size_become_surfaces_in_their_order(values, seed):
    rng = np.random.default_rng(seed)
    dtype = np.uint8 if max(values) < SOFT_ID else np.uint16
    pixels = rng.choice(np.array([0, *values]), (12, 14)).astype(dtype)
    numbers = decoded(pixels)
    assert (numbers == pixels).all()
    order = sorted(values)
    surfaces = index_surfaces(numbers, order)
    for k, value in enumerate(order):
        assert ((surfaces == k + 1) == (pixels == value)).all()
    assert ((surfaces == 0) == (pixels == 0)).all()
    assert set(numbers_in(numbers)) == set(np.unique(pixels)) - {0}


@given(
    colours=st.lists(
        st.tuples(*[st.integers(0, 255)] * 3).filter(any), min_size=1, max_size=5, unique=True
    )
)
def test_every_colour_is_a_surface_and_black_none(colours):
    pixels = np.zeros((6, 10, 3), dtype=np.uint8)
    for k, colour in enumerate(colours):
        pixels[:, 2 * k] = colour
    numbers = decoded(pixels)
    if any(len(set(colour)) > 1 for colour in colours):
        assert numbers_in(numbers) == tuple(sorted(r << 16 | g << 8 | b for r, g, b in colours))
    assert ((numbers > 0) == pixels.any(axis=2)).all()


def test_a_mask_of_0_and_255_is_one_surface_in_grey_in_colour_and_in_one_bit(tmp_path):
    white = np.zeros((10, 12), dtype=np.uint8)
    white[3:7, 2:9] = 255
    Image.fromarray(white).convert("1").save(tmp_path / "bit.png")
    data = (tmp_path / "bit.png").read_bytes()
    bit = SourcePicture("bit.png", read_header(data, where="m"), data)
    for numbers in (
        decoded(white),
        decoded(np.repeat(white[..., None], 3, axis=2)),
        decode_mask(bit, policy=POLICY),
    ):
        assert ((numbers == SOFT_ID) == (white > 0)).all()
        assert numbers_in(numbers) == (SOFT_ID,)


def test_a_palette_s_colours_are_surfaces(tmp_path):
    index = np.zeros((8, 8), dtype=np.uint8)
    index[:, 2:4], index[:, 5:7] = 1, 2
    picture = Image.new("P", (8, 8))
    picture.frombytes(index.tobytes())
    picture.putpalette([0, 0, 0, 128, 0, 0, 0, 128, 0])
    picture.save(tmp_path / "p.png")
    data = (tmp_path / "p.png").read_bytes()
    numbers = decode_mask(SourcePicture("p.png", read_header(data, where="m"), data), policy=POLICY)
    assert len(numbers_in(numbers)) == 2
    assert ((numbers > 0) == (index > 0)).all()


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_a_blurred_mask_is_one_surface_from_the_middle_on(ending):
    white = np.zeros((60, 80), dtype=np.uint8)
    white[20:50, 10:60] = 255
    soft = cv2.GaussianBlur(white, (9, 9), 0)
    numbers = decoded(soft, ending)
    assert numbers_in(numbers) == (SOFT_ID,)
    assert ((numbers > 0) == (white > 0)).mean() > 0.99


def test_a_few_grey_pixels_at_the_edge_of_white_are_no_surfaces():
    white = np.zeros((60, 80), dtype=np.uint8)
    white[20:50, 10:60] = 255
    white[20, 10:20] = (3, 60, 90, 120, 140, 200, 250, 251, 252, 253)
    assert numbers_in(decoded(white)) == (SOFT_ID,)


def test_a_photograph_is_no_mask():
    rng = np.random.default_rng(0)
    for ending in (".png", ".jpg"):
        with pytest.raises(SceneSourceError, match="expected"):
            decoded(rng.integers(0, 256, (40, 40, 3), dtype=np.uint8), ending)


def test_transparent_is_no_surface():
    pixels = np.full((6, 6, 4), 200, dtype=np.uint8)
    pixels[:, :3, 3] = 0
    data = cv2.imencode(".png", pixels)[1].tobytes()
    numbers = decode_mask(SourcePicture("m.png", read_header(data, where="m"), data), policy=POLICY)
    assert (numbers[:, :3] == 0).all()
    assert (numbers[:, 3:] > 0).all()
