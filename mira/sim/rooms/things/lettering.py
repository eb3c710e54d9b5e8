"""Words on things: number plates, signs, labels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def plate_text(rng: Generator) -> str:
    """Two letters, three digits, two letters."""
    letters = "".join(_LETTERS[k] for k in rng.integers(len(_LETTERS), size=4))
    digits = "".join(str(k) for k in rng.integers(10, size=3))
    return f"{letters[:2]} {digits} {letters[2:]}"


def number_plate(text: str, ground: Rgb) -> Texture:
    """Black letters on a plate with a rim."""
    canvas = _canvas(ground, (416, 96))
    cv2.rectangle(canvas, (3, 3), (412, 92), (20, 20, 22), 3)
    _centred(canvas, text, (20, 20, 22), 0.86)
    return Texture(canvas)


def sign(word: str, ground: Rgb, ink: Rgb, size_px: tuple[int, int]) -> Texture:
    """A word as large as its ground allows.

    Args:
        word: What it says; line breaks part its lines.
        ground: Colour behind it.
        ink: Colour of the letters.
        size_px: Width and height.
    """
    canvas = _canvas(ground, size_px)
    lines = word.split("\n")
    tall = size_px[1] // len(lines)
    for row, line in enumerate(lines):
        _centred(canvas[row * tall : (row + 1) * tall], line, _bytes(ink), 0.9)
    return Texture(canvas)


def arrow_sign() -> Texture:
    """A white arrow to the right on blue, as a one-way street has."""
    canvas = _canvas((0.08, 0.25, 0.62), (384, 140))
    cv2.rectangle(canvas, (6, 6), (377, 133), (245, 245, 245), 4)
    shape = np.array(
        [(40, 54), (230, 54), (230, 24), (345, 70), (230, 116), (230, 86), (40, 86)], np.int32
    )
    cv2.fillPoly(canvas, [shape], (245, 245, 245), cv2.LINE_AA)
    return Texture(canvas)


def hazard_stripes(dark: Rgb, light: Rgb) -> Texture:
    """Slanting stripes that repeat without a seam."""
    y, x = np.mgrid[0:256, 0:256]
    stripe = ((x + y) % 128 < 64)[..., None]
    picture = np.where(stripe, np.array(_bytes(dark)), np.array(_bytes(light)))
    return Texture(picture.astype(np.uint8))


def _centred(canvas: NDArray[np.uint8], text: str, ink: tuple[int, int, int], fill: float) -> None:
    font, thick = cv2.FONT_HERSHEY_DUPLEX, max(2, canvas.shape[0] // 22)
    (wide, tall), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = fill * min(canvas.shape[1] / (wide + 24), 0.72 * canvas.shape[0] / tall)
    (wide, tall), _ = cv2.getTextSize(text, font, scale, thick)
    corner = ((canvas.shape[1] - wide) // 2, (canvas.shape[0] + tall) // 2)
    cv2.putText(canvas, text, corner, font, scale, ink, thick, cv2.LINE_AA)


def _canvas(ground: Rgb, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    return np.full((size_px[1], size_px[0], 3), _bytes(ground), np.uint8)


def _bytes(rgb: Rgb) -> tuple[int, int, int]:
    red, green, blue = (round(255 * value) for value in rgb)
    return (red, green, blue)
