"""What is printed, written or shown at work and in the hall: screens, keys, charts, labels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

Canvas = NDArray[np.uint8]
Tone = tuple[int, int, int]

_STRONG: tuple[Tone, ...] = (
    (52, 120, 200), (226, 108, 58), (70, 160, 110), (228, 180, 60), (130, 90, 170),
)  # fmt: skip
_INK: Tone = (42, 44, 52)


def work_screen(rng: Generator) -> Texture:
    """A screen at work: a window with a chart and one with lines of text."""
    backdrop = ((36, 78, 120), (40, 96, 92), (74, 58, 110))[int(rng.integers(3))]
    canvas = np.full((288, 512, 3), backdrop, np.uint8)
    cv2.rectangle(canvas, (0, 270), (512, 288), (24, 28, 38), -1)
    for number in range(6):
        spot = (16 + 26 * number, 274)
        tone = _STRONG[number % len(_STRONG)]
        cv2.rectangle(canvas, spot, (spot[0] + 14, spot[1] + 10), tone, -1)
    _window(canvas, (20, 16), (270, 250))
    _text_lines(canvas, rng, (34, 54), (250, 236), 13)
    _window(canvas, (290, 40), (494, 230))
    _bars(canvas, rng, (306, 78), (480, 216))
    return Texture(canvas)


def phone_display() -> Texture:
    """A small bluish display with a line of digits."""
    canvas = np.full((48, 128, 3), (150, 190, 190), np.uint8)
    cv2.putText(canvas, "14:32", (18, 36), cv2.FONT_HERSHEY_DUPLEX, 1.0, _INK, 2, cv2.LINE_AA)
    return Texture(canvas)


def keyboard_keys(plastic: Rgb, key: Rgb) -> Texture:
    """Rows of keys with a space bar and a block of digits."""
    canvas = np.full((160, 512, 3), _bytes(plastic), np.uint8)
    for row in range(5):
        y = 10 + 29 * row
        x, step = 10 + 6 * (row % 3), 25
        while x + 22 < 370:
            wide = 150 if row == 4 and 90 < x < 120 else 0
            cv2.rectangle(canvas, (x, y), (x + 21 + wide, y + 24), _bytes(key), -1)
            x += step + wide
        for column in range(4):
            left = 396 + 26 * column
            cv2.rectangle(canvas, (left, y), (left + 21, y + 24), _bytes(key), -1)
    return Texture(canvas)


def telephone_keys() -> Texture:
    """A keypad of three by four keys."""
    canvas = np.full((160, 128, 3), (54, 56, 60), np.uint8)
    for row in range(4):
        for column in range(3):
            corner = (10 + 38 * column, 8 + 38 * row)
            cv2.rectangle(canvas, corner, (corner[0] + 30, corner[1] + 28), (226, 226, 222), -1)
    return Texture(canvas)


def board_drawing(rng: Generator) -> Texture:
    """A whiteboard in use: a diagram of boxes and arrows, a curve and a list."""
    canvas = np.full((320, 512, 3), 247, np.uint8)
    blue, red, green = (40, 70, 180), (200, 50, 50), (40, 140, 80)
    for number in range(3):
        corner = (30 + 100 * number, 44 + 30 * (number % 2))
        cv2.rectangle(canvas, corner, (corner[0] + 68, corner[1] + 44), blue, 3, cv2.LINE_AA)
        if number < 2:
            start = (corner[0] + 70, corner[1] + 24)
            end = (corner[0] + 98, 66 + 30 * ((number + 1) % 2))
            cv2.arrowedLine(canvas, start, end, red, 3, cv2.LINE_AA, tipLength=0.4)
    cv2.line(canvas, (40, 170), (40, 296), _INK, 3, cv2.LINE_AA)
    cv2.line(canvas, (40, 296), (260, 296), _INK, 3, cv2.LINE_AA)
    x = np.linspace(0, 1, 40)
    bend = float(rng.uniform(1.4, 3.0))
    curve = np.stack((44 + 210 * x, 288 - 104 * x**bend), axis=-1).astype(np.int32)
    cv2.polylines(canvas, [curve], False, green, 4, cv2.LINE_AA)
    for row in range(6):
        y = 60 + 38 * row
        cv2.rectangle(canvas, (340, y - 9), (354, y + 5), red, 2)
        tip = int(rng.uniform(400, 490))
        cv2.line(canvas, (368, y), (tip, y), _INK, 3, cv2.LINE_AA)
    return Texture(canvas)


def flip_chart_page(rng: Generator) -> Texture:
    """A page of a flip chart: a heading, a pie and a few lines."""
    canvas = np.full((400, 288, 3), 250, np.uint8)
    cv2.putText(canvas, "PLAN", (62, 66), cv2.FONT_HERSHEY_DUPLEX, 2.0, (200, 50, 50), 5)
    cv2.line(canvas, (50, 86), (236, 86), (200, 50, 50), 4)
    share = int(rng.uniform(60, 150))
    cv2.ellipse(canvas, (144, 186), (70, 70), 0, 0, 360, _STRONG[0], -1, cv2.LINE_AA)
    cv2.ellipse(canvas, (144, 186), (70, 70), -90, 0, share, _STRONG[1], -1, cv2.LINE_AA)
    cv2.ellipse(canvas, (144, 186), (70, 70), -90, share, share + 80, _STRONG[3], -1, cv2.LINE_AA)
    _text_lines(canvas, rng, (40, 290), (250, 380), 22, thickness=5)
    return Texture(canvas)


def calendar_month(rng: Generator) -> Texture:
    """A month of a wall calendar under a simple landscape."""
    canvas = np.full((384, 256, 3), 248, np.uint8)
    tone = _STRONG[int(rng.integers(len(_STRONG)))]
    canvas[:160] = (176, 212, 238)
    hill = np.array([(0, 160), (0, 110), (80, 60), (150, 120), (210, 80), (256, 120), (256, 160)])
    cv2.fillPoly(canvas, [hill.astype(np.int32)], (74, 128, 92))
    cv2.circle(canvas, (206, 40), 18, (250, 214, 110), -1, cv2.LINE_AA)
    cv2.rectangle(canvas, (0, 160), (256, 192), tone, -1)
    for day in range(31):
        cell = (18 + 33 * (day % 7), 206 + 34 * (day // 7))
        ink = (206, 60, 54) if day % 7 == 6 else _INK
        cv2.rectangle(canvas, cell, (cell[0] + 20, cell[1] + 20), ink, 2)
    return Texture(canvas)


def address_label() -> Texture:
    """A white label with an address, a stamp and a bar code."""
    canvas = np.full((160, 256, 3), 250, np.uint8)
    cv2.rectangle(canvas, (4, 4), (251, 155), (30, 30, 34), 3)
    for row, end in enumerate((150, 190, 120)):
        cv2.line(canvas, (18, 28 + 22 * row), (end, 28 + 22 * row), _INK, 7)
    for bar in range(26):
        x = 20 + 8 * bar
        cv2.line(canvas, (x, 100), (x, 142), (20, 20, 22), 2 + 3 * (bar * 7 % 3 == 0))
    cv2.rectangle(canvas, (202, 16), (238, 62), (196, 60, 52), -1)
    return Texture(canvas)


def door_mat(rng: Generator, rgb: Rgb, accent: Rgb) -> Texture:
    """A coir mat with a double border and the word HELLO."""
    grain = 1 + 0.12 * rng.standard_normal((160, 256, 1))
    canvas = np.full((160, 256, 3), _bytes(rgb), np.uint8)
    cv2.rectangle(canvas, (10, 10), (245, 149), _bytes(accent), 5)
    cv2.putText(canvas, "HELLO", (38, 98), cv2.FONT_HERSHEY_DUPLEX, 1.8, _bytes(accent), 5)
    return Texture(np.clip(canvas * grain, 0, 255).astype(np.uint8))


def _window(canvas: Canvas, low: tuple[int, int], high: tuple[int, int]) -> None:
    cv2.rectangle(canvas, low, high, (246, 247, 249), -1)
    cv2.rectangle(canvas, low, (high[0], low[1] + 20), (206, 212, 222), -1)
    for number, tone in enumerate(((226, 96, 84), (232, 190, 80), (96, 180, 104))):
        cv2.circle(canvas, (low[0] + 12 + 15 * number, low[1] + 10), 5, tone, -1, cv2.LINE_AA)


def _text_lines(
    canvas: Canvas,
    rng: Generator,
    low: tuple[int, int],
    high: tuple[int, int],
    step: int,
    *,
    thickness: int = 3,
) -> None:
    for y in range(low[1], high[1], step):
        end = low[0] + int((high[0] - low[0]) * rng.uniform(0.45, 1.0))
        cv2.line(canvas, (low[0], y), (end, y), (96, 102, 116), thickness)


def _bars(canvas: Canvas, rng: Generator, low: tuple[int, int], high: tuple[int, int]) -> None:
    step = (high[0] - low[0]) // 6
    for number in range(6):
        tall = int((high[1] - low[1]) * rng.uniform(0.25, 1.0))
        left = low[0] + step * number
        tone = _STRONG[number % len(_STRONG)]
        cv2.rectangle(canvas, (left, high[1] - tall), (left + step - 8, high[1]), tone, -1)
    cv2.line(canvas, (low[0] - 6, high[1]), (high[0], high[1]), _INK, 2)


def _bytes(rgb: Rgb) -> Tone:
    return (int(255 * rgb[0]), int(255 * rgb[1]), int(255 * rgb[2]))
