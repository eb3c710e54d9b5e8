"""Prints on goods and shop signs; every word on them is a common noun or a price."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

_PAPER = (247, 242, 228)
Canvas = NDArray[np.uint8]


def label(word: str, rgb: Rgb) -> Texture:
    """A paper label: a frame, a fruit and a word."""
    canvas = _paper(192, 256)
    tone = _tone(rgb)
    cv2.rectangle(canvas, (8, 8), (247, 183), tone, 8)
    cv2.circle(canvas, (128, 68), 38, tone, -1, cv2.LINE_AA)
    cv2.ellipse(canvas, (150, 26), (26, 10), -25, 0, 360, (66, 122, 58), -1, cv2.LINE_AA)
    _written(canvas, word, (128, 148), 1.7, (40, 34, 30))
    return Texture(canvas)


def sign(lines: tuple[str, ...], ground: Rgb, ink: Rgb) -> Texture:
    """Centred lines of large type with a rim."""
    canvas = np.full((256, 256, 3), _tone(ground), np.uint8)
    cv2.rectangle(canvas, (8, 8), (247, 247), _tone(ink), 5)
    step = 240 // (len(lines) + 1)
    for row, line in enumerate(lines):
        size = min(2.4, 9.6 / max(len(line), 3))
        _written(canvas, line, (128, 8 + step * (row + 1)), size, _tone(ink))
    return Texture(canvas)


def wide_sign(word: str, ground: Rgb, ink: Rgb) -> Texture:
    """One word across a board four times as wide as high."""
    canvas = np.full((128, 512, 3), _tone(ground), np.uint8)
    cv2.rectangle(canvas, (6, 6), (505, 121), _tone(ink), 3)
    _written(canvas, word, (256, 64), min(3.0, 21.0 / max(len(word), 4)), _tone(ink))
    return Texture(canvas)


def chalk_board(lines: tuple[str, ...]) -> Texture:
    """White and yellow writing on black."""
    canvas = np.full((320, 224, 3), (36, 40, 40), np.uint8)
    for row, line in enumerate(lines):
        ink = (250, 216, 110) if row == 0 else (238, 238, 232)
        _written(canvas, line, (112, 48 + 62 * row), min(1.8, 8.4 / max(len(line), 3)), ink)
    cv2.line(canvas, (30, 78), (194, 78), (238, 238, 232), 3, cv2.LINE_AA)
    return Texture(canvas)


def stripes(rgb: Rgb, accent: Rgb, *, count: int = 4) -> Texture:
    """Even stripes across, as on awnings and sweaters; one tile."""
    rows = np.arange(256) * count * 2 // 256 % 2
    canvas = np.where(rows[:, None, None] == 0, np.array(_tone(rgb)), np.array(_tone(accent)))
    return Texture(np.repeat(canvas.astype(np.uint8), 256, axis=1))


def dots(rgb: Rgb, accent: Rgb) -> Texture:
    """Dots in rows that are set off against each other; one tile."""
    canvas = np.full((256, 256, 3), _tone(rgb), np.uint8)
    for spot in ((64, 64), (192, 192)):
        cv2.circle(canvas, spot, 30, _tone(accent), -1, cv2.LINE_AA)
    return Texture(canvas)


def flowers(rng: Generator, rgb: Rgb, accent: Rgb) -> Texture:
    """Scattered blossoms; one tile."""
    canvas = np.full((256, 256, 3), _tone(rgb), np.uint8)
    for x in (44, 128, 212):
        for y in (44, 128, 212):
            middle = (x + int(rng.integers(-14, 15)), y + int(rng.integers(-14, 15)))
            for angle in np.arange(5) * 2 * np.pi / 5:
                leaf = (
                    middle[0] + round(13 * np.cos(angle)),
                    middle[1] + round(13 * np.sin(angle)),
                )
                cv2.circle(canvas, leaf, 9, _tone(accent), -1, cv2.LINE_AA)
            cv2.circle(canvas, middle, 7, (250, 224, 120), -1, cv2.LINE_AA)
    return Texture(canvas)


def checks(rgb: Rgb, accent: Rgb) -> Texture:
    """A woven check as on tablecloths and shirts; one tile."""
    x = (np.arange(64) // 16) % 2
    amount = (x[:, None] + x[None, :])[..., None] / 2
    canvas = (1 - amount) * np.array(_tone(rgb)) + amount * np.array(_tone(accent))
    return Texture(canvas.astype(np.uint8))


def screen(amount: str) -> Texture:
    """A till's display."""
    canvas = np.full((96, 256, 3), (18, 46, 40), np.uint8)
    _written(canvas, amount, (150, 48), 1.9, (120, 255, 190))
    return Texture(canvas)


def poster(rng: Generator, word: str, rgb: Rgb) -> Texture:
    """A picture of big overlapping shapes with a word under it."""
    canvas = np.full((352, 256, 3), _tone(rgb), np.uint8)
    tones = ((244, 238, 224), (236, 170, 60), (44, 62, 92), (200, 76, 66))
    for index, tone in enumerate(tones):
        spot = (int(rng.integers(50, 206)), int(rng.integers(60, 210)))
        cv2.circle(canvas, spot, 62 - 9 * index, tone, -1, cv2.LINE_AA)
    cv2.rectangle(canvas, (0, 262), (256, 352), (244, 238, 224), -1)
    _written(canvas, word, (128, 306), min(2.2, 9.0 / max(len(word), 3)), (30, 30, 34))
    return Texture(canvas)


def _paper(height: int, width: int) -> Canvas:
    return np.full((height, width, 3), _PAPER, np.uint8)


def _tone(rgb: Rgb) -> tuple[int, int, int]:
    red, green, blue = (int(255 * value) for value in rgb)
    return (red, green, blue)


def _written(
    canvas: Canvas, word: str, middle: tuple[int, int], size: float, ink: tuple[int, int, int]
) -> None:
    thick = max(2, round(2.2 * size))
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, size, thick)
    corner = (middle[0] - width // 2, middle[1] + height // 2)
    cv2.putText(canvas, word, corner, cv2.FONT_HERSHEY_DUPLEX, size, ink, thick, cv2.LINE_AA)
