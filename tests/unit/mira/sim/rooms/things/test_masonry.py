from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from mira.sim.rooms.things import masonry
from mira.sim.rooms.things.lettering import hazard_stripes, number_plate, plate_text, sign
from mira.sim.rooms.things.parts import Rgb, Texture

MAKERS = (
    masonry.concrete,
    masonry.floor_paint,
    masonry.asphalt,
    masonry.paving,
    masonry.foliage,
    masonry.brick,
)


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_a_picture_has_the_asked_colour_and_repeats_without_a_seam(
    maker: Callable[[Generator, Rgb], Texture],
) -> None:
    rgb = (0.4, 0.3, 0.2)
    pixels = maker(np.random.default_rng(1), rgb).pixels.astype(float)
    assert pixels.shape == (512, 512, 3)
    assert np.abs(pixels.mean(axis=(0, 1)) / 255 - rgb).max() < 0.08
    inside = np.abs(np.diff(pixels, axis=1)).mean()
    assert np.abs(pixels[:, 0] - pixels[:, -1]).mean() < 8 * inside + 8


def test_stripes_repeat_without_a_seam() -> None:
    pixels = hazard_stripes((0, 0, 0), (1, 1, 1)).pixels
    assert (np.tile(pixels, (2, 1, 1))[128:384] == np.roll(pixels, 128, axis=0)).all()


def test_a_number_plate_has_seven_characters_in_three_groups() -> None:
    text = plate_text(np.random.default_rng(4))
    letters, digits, more = text.split(" ")
    assert letters.isalpha()
    assert digits.isdigit()
    assert (len(letters), len(digits), len(more)) == (2, 3, 2)


def test_words_leave_a_margin() -> None:
    for picture in (sign("LONG WORD\nOF TWO", (1, 1, 1), (0, 0, 0), (256, 96)),):
        assert (picture.pixels[:, :4] == 255).all()
        assert (picture.pixels[:3] == 255).all()
        assert (picture.pixels < 60).any()
    plate = number_plate("AB 123 CD", (0.97, 0.8, 0.16)).pixels
    assert plate.shape[0] < plate.shape[1]
