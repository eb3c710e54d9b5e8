"""Pictures with a meaning: paintings, a clock's face, a packet's print."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.things.parts import Rgb, Texture

Canvas = NDArray[np.uint8]


def painting(rng: Generator) -> Texture:
    """A landscape: sky, sun, hills and a house, different for every seed."""
    canvas = np.zeros((256, 352, 3), np.uint8)
    t = np.linspace(0, 1, 256)[:, None]
    evening = rng.random() < 0.5
    high, low = ((70, 90, 160), (250, 180, 120)) if evening else ((110, 170, 225), (225, 238, 245))
    canvas[:] = ((1 - t) * np.array(high) + t * np.array(low)).astype(np.uint8)[:, None]
    sun = (int(rng.uniform(60, 290)), int(rng.uniform(50, 90)))
    cv2.circle(canvas, sun, 24, (255, 236, 170), -1, cv2.LINE_AA)
    for tone, base in (((96, 130, 150), 150), ((80, 138, 96), 180), ((56, 104, 62), 214)):
        _hill(canvas, rng, tone, base)
    _house(canvas, int(rng.uniform(70, 250)), 206)
    return Texture(canvas)


def abstract_painting(rng: Generator) -> Texture:
    """Overlapping circles and blocks in a few strong colours."""
    canvas = np.full((352, 256, 3), (240, 234, 222), np.uint8)
    tones = ((214, 84, 60), (36, 82, 120), (240, 180, 60), (50, 120, 100), (40, 40, 46))
    for index in rng.permutation(len(tones)):
        x, y = int(rng.uniform(30, 226)), int(rng.uniform(40, 312))
        size = int(rng.uniform(36, 78))
        if rng.random() < 0.5:
            cv2.circle(canvas, (x, y), size, tones[index], -1, cv2.LINE_AA)
        else:
            cv2.rectangle(
                canvas, (x - size, y - size // 2), (x + size, y + size // 2), tones[index], -1
            )
    return Texture(canvas)


def clock_face(rng: Generator) -> Texture:
    """Twelve marks and two hands on white; the corners are white too."""
    canvas = np.full((256, 256, 3), 246, np.uint8)
    for hour in range(12):
        inner = 88 if hour % 3 == 0 else 100
        cv2.line(
            canvas, _dial(hour * 30, inner), _dial(hour * 30, 114), (24, 24, 28), 7, cv2.LINE_AA
        )
    hour, minute = int(rng.integers(12)), int(rng.integers(60))
    cv2.line(canvas, (128, 128), _dial(hour * 30 + minute / 2, 60), (20, 20, 24), 10, cv2.LINE_AA)
    cv2.line(canvas, (128, 128), _dial(minute * 6, 92), (20, 20, 24), 6, cv2.LINE_AA)
    cv2.circle(canvas, (128, 128), 9, (190, 40, 40), -1, cv2.LINE_AA)
    return Texture(canvas)


def packet(rgb: Rgb, word: str) -> Texture:
    """A printed cardboard packet that wraps a box: a word, a band and a bowl on two sides."""
    base = tuple(int(255 * value) for value in rgb)
    plain = np.full((256, 256, 3), base, np.uint8)
    front = plain.copy()
    cv2.rectangle(front, (0, 24), (256, 96), (250, 246, 236), -1)
    cv2.putText(front, word, (18, 80), cv2.FONT_HERSHEY_DUPLEX, 1.75, base, 5, cv2.LINE_AA)
    cv2.ellipse(front, (128, 178), (86, 50), 0, 0, 180, (250, 246, 236), -1, cv2.LINE_AA)
    for k in range(7):
        cv2.circle(front, (62 + 22 * k, 170 - 9 * (k % 2)), 14, (236, 178, 70), -1, cv2.LINE_AA)
    side = plain.copy()
    cv2.rectangle(side, (0, 24), (256, 60), (250, 246, 236), -1)
    return Texture(np.concatenate((side, side, front, front, plain, plain)), cube=True)


def _dial(angle_deg: float, radius: float) -> tuple[int, int]:
    angle = math.radians(angle_deg)
    return (round(128 + radius * math.sin(angle)), round(128 - radius * math.cos(angle)))


def _hill(canvas: Canvas, rng: Generator, tone: tuple[int, int, int], base: int) -> None:
    x = np.arange(canvas.shape[1])
    phase, bumps = rng.uniform(0, 6.28), rng.uniform(1.0, 2.4)
    y = base - 16 * np.sin(2 * np.pi * bumps * x / canvas.shape[1] + phase)
    outline = np.stack((x, y), axis=-1).astype(np.int32)
    corners = np.array([[canvas.shape[1], 256], [0, 256]], np.int32)
    cv2.fillPoly(canvas, [np.vstack((outline, corners))], tone)


def _house(canvas: Canvas, x: int, y: int) -> None:
    cv2.rectangle(canvas, (x, y - 26), (x + 40, y), (236, 226, 208), -1)
    roof = np.array([[x - 6, y - 26], [x + 46, y - 26], [x + 20, y - 50]], np.int32)
    cv2.fillPoly(canvas, [roof], (170, 60, 48))
    cv2.rectangle(canvas, (x + 15, y - 16), (x + 25, y), (96, 66, 44), -1)
