"""A face that shows what its owner shows: eyes, brows and mouth on the front of a head.

Places on the head are degrees to the left of straight ahead (the owner's left) and up. Valence 1
is a wide smile with raised brows, -1 a frown with brows drawn together; what the body shows is in
the cheeks (positive) or in pale skin and a drop of sweat (negative).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.pictures.canvas import Canvas, FloatArray, Rgb
from mira.sim.treasure.pictures.solids import Point, Pose

_WHITE: Rgb = (250, 250, 248)
_PUPIL: Rgb = (30, 24, 22)
_LIPS: Rgb = (176, 62, 66)
_MOUTH: Rgb = (112, 30, 38)
_BLUSH: Rgb = (236, 96, 92)
_SWEAT: Rgb = (120, 178, 226)


class Head(NamedTuple):
    """A head to draw a face on.

    Attributes:
        pose: Where its owner stands and faces.
        centre_m: Its middle, in its owner's axes.
        radii_m: Its half axes.
        brows: Colour of the brows.
        iris: Colour of the eyes.
        lashes: Whether the eyes have lashes.
    """

    pose: Pose
    centre_m: Point
    radii_m: Point
    brows: Rgb
    iris: Rgb
    lashes: bool

    def at(self, left_deg: FloatArray, up_deg: FloatArray) -> FloatArray:
        """Points just above the skin, in the world, shape (n, 3)."""
        left, up = np.radians(left_deg), np.radians(up_deg)
        out = np.stack([np.cos(up) * np.cos(left), np.cos(up) * np.sin(left), np.sin(up)], axis=-1)
        return self.pose.world(out * np.array(self.radii_m) * 1.005 + np.array(self.centre_m))


def draw_face(canvas: Canvas, head: Head, emotion: Emotion) -> None:
    """Draw what of a face is turned to the eye."""
    face = _Face(canvas, head)
    smile, frown = max(0.0, emotion.facial), max(0.0, -emotion.facial)
    _draw_body_signs(face, emotion.physiological)
    for side in (1, -1):
        _draw_eye(face, side, smile, frown)
        _draw_brow(face, side, smile, frown)
    _draw_mouth(face, smile, frown)


class _Face:
    """Draws in degrees on a head; what is turned away from the eye is left out."""

    def __init__(self, canvas: Canvas, head: Head) -> None:
        self.head = head
        self._canvas = canvas

    def patch(self, left: FloatArray, up: FloatArray, colour: Rgb, *, opacity: float = 1.0) -> None:
        """A filled outline."""
        middle = self.head.at(np.array([left.mean()]), np.array([up.mean()]))[0]
        if self._is_turned_to_eye(middle):
            self._canvas.polygon(self.head.at(left, up), colour, opacity=opacity)

    def disc(
        self, left: float, up: float, radii: tuple[float, float], colour: Rgb, **more: float
    ) -> None:
        """A filled ellipse."""
        angles = np.linspace(0, 2 * math.pi, 28, endpoint=False)
        x, y = left + radii[0] * np.cos(angles), up + radii[1] * np.sin(angles)
        self.patch(x, y, colour, **more)

    def stroke(self, left: FloatArray, up: FloatArray, width: FloatArray, colour: Rgb) -> None:
        """A line whose width changes along it."""
        x = np.concatenate([left, left[::-1]])
        y = np.concatenate([up + width / 2, (up - width / 2)[::-1]])
        self.patch(x, y, colour)

    def _is_turned_to_eye(self, point: FloatArray) -> bool:
        head = self.head
        centre = head.pose.world(np.array(head.centre_m))
        eye = np.array(self._canvas.eye.at_m)
        normal = (point - centre) / np.array(head.radii_m).mean() ** 2
        return float(normal @ (eye - point)) > 0.12 * float(
            np.linalg.norm(normal) * np.linalg.norm(eye - point)
        )


def _draw_eye(face: _Face, side: int, smile: float, frown: float) -> None:
    tall = 7.6 * (1 - 0.25 * smile - 0.22 * frown)
    at = 21.0 * side
    face.disc(at, 4, (9.5, tall + 1.2), face.head.brows if face.head.lashes else (120, 92, 80))
    face.disc(at, 3.6, (9.0, tall), _WHITE)
    face.disc(at, 3.6, (5.6, min(6.4, tall)), face.head.iris)
    face.disc(at, 3.6, (3.2, min(3.7, tall)), _PUPIL)
    face.disc(at + 2.0, 5.6, (1.3, 1.4), _WHITE)


def _draw_brow(face: _Face, side: int, smile: float, frown: float) -> None:
    along = np.linspace(0, 1, 9)  # from the nose outwards
    left = side * (9 + 24 * along)
    arch = 3.5 * np.sin(math.pi * along)
    up = 19 + arch + 4.5 * smile - 13 * frown * (1 - along) + 3 * frown * along
    face.stroke(left, up, 4.6 - 2.2 * along + 1.2 * frown, face.head.brows)


def _draw_mouth(face: _Face, smile: float, frown: float) -> None:
    along = np.linspace(-1, 1, 21)
    left = (15 + 9 * smile + 2 * frown) * along
    line = -34 + (13 * smile - 12 * frown) * (along**2 - 0.5)
    full = 1 - along**2
    if smile > 0.3:
        open_by = 18 * (smile - 0.15)
        x = np.concatenate([left, left[::-1]])
        face.patch(x, np.concatenate([line, (line - open_by * full)[::-1]]), _MOUTH)
        face.patch(x, np.concatenate([line, (line - 0.4 * open_by * full)[::-1]]), _WHITE)
    face.stroke(left, line, 2.2 + 1.6 * full + 1.2 * frown, _LIPS)


def _draw_body_signs(face: _Face, valence: float) -> None:
    if valence > 0:
        for side in (1, -1):
            for size in (1.0, 0.7):
                face.disc(38 * side, -13, (11 * size, 8 * size), _BLUSH, opacity=0.4 * valence)
    elif valence < 0:
        angles = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        pointed = np.where(np.sin(angles) > 0, 2.1, 1.0)
        size = 4.6 * min(1.0, -2 * valence)
        face.patch(44 + size * 0.8 * np.cos(angles), 13 + size * pointed * np.sin(angles), _SWEAT)
