"""Shaded solids: ellipsoids, tapered tubes and boxes, as flat faces of one colour each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mira.sim.treasure.pictures.canvas import Canvas, FloatArray, Rgb

_LIGHT = np.array([-0.35, -0.25, 0.9]) / np.linalg.norm([-0.35, -0.25, 0.9])
_AMBIENT, _DIFFUSE = 0.9, 0.16
_AROUND, _ALONG = 28, 18

Point = tuple[float, float, float]


class Pose(NamedTuple):
    """Where somebody's own axes are: x to their front, y to their left, z up.

    Attributes:
        at_m: Where they stand on the floor.
        yaw_deg: Where they face, from +x against the clock.
    """

    at_m: tuple[float, float]
    yaw_deg: float

    def world(self, points_m: FloatArray) -> FloatArray:
        """Points of their own axes in the world, shape (..., 3)."""
        yaw = math.radians(self.yaw_deg)
        x = points_m[..., 0] * math.cos(yaw) - points_m[..., 1] * math.sin(yaw) + self.at_m[0]
        y = points_m[..., 0] * math.sin(yaw) + points_m[..., 1] * math.cos(yaw) + self.at_m[1]
        return np.stack([x, y, points_m[..., 2]], axis=-1)


class Solid(NamedTuple):
    """A convex thing to be drawn.

    Attributes:
        corners_m: Its faces in the world, shape (n, 4, 3).
        colours: Their colours, shaded, shape (n, 3).
        centre_m: What decides what is drawn before it.
    """

    corners_m: FloatArray
    colours: FloatArray
    centre_m: Point

    def draw(self, canvas: Canvas) -> None:
        """Draw it."""
        canvas.faces(self.corners_m, self.colours)


def draw_parts(canvas: Canvas, parts: Sequence[Solid]) -> None:
    """Draw solids, far ones first, equally far ones in the order they are given."""
    for part in sorted(parts, key=lambda part: -canvas.distance_m(part.centre_m)):
        part.draw(canvas)


def ellipsoid(pose: Pose, centre_m: Point, radii_m: Point, colour: Rgb) -> Solid:
    """An ellipsoid along somebody's axes."""
    faces = _unit_sphere() * np.array(radii_m) + np.array(centre_m)
    return shaded(pose, faces, colour, centre_m)


def cap(
    pose: Pose,
    centre_m: Point,
    radii_m: Point,
    colour: Rgb,
    *,
    edge_deg: Callable[[FloatArray], FloatArray],
) -> Solid:
    """The top of an ellipsoid, down to an edge.

    Args:
        pose: Whose axes.
        centre_m: Its middle.
        radii_m: Its half axes.
        colour: Its colour.
        edge_deg: How far up the edge is, by degrees to the left of the front, shape (n,).
    """
    left_deg = np.linspace(-180, 180, 2 * _AROUND + 1)
    share = np.linspace(0, 1, _ALONG // 2 + 1)[:, None]
    edge = edge_deg(left_deg)[None, :]
    up = np.radians(edge + share * (90 - edge))
    left = np.broadcast_to(np.radians(left_deg), up.shape)
    faces = _faces(_on_sphere(left, up)) * np.array(radii_m) + np.array(centre_m)
    return shaded(pose, faces, colour, centre_m)


def tube(pose: Pose, rings: Sequence[tuple[Point, tuple[float, float]]], colour: Rgb) -> Solid:
    """An upright tube through rings, from the lowest to the highest, open at its ends.

    Args:
        pose: Whose axes.
        rings: Middle of each, with its half axes to the front and to the side.
        colour: Its colour.
    """
    angles = np.linspace(0, 2 * math.pi, _AROUND + 1)
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)
    loops = [np.array(c) + circle * np.array([front, side, 0.0]) for c, (front, side) in rings]
    middle = np.mean([c for c, _ in rings], axis=0)
    return shaded(pose, _faces(np.stack(loops)), colour, (middle[0], middle[1], middle[2]))


def block(pose: Pose, low_m: Point, high_m: Point, colour: Rgb) -> Solid:
    """A box along somebody's axes."""
    signs = np.array(_BLOCK)
    low, high = np.array(low_m), np.array(high_m)
    faces = np.where(signs, high, low)
    middle = (low + high) / 2
    return shaded(pose, faces, colour, (middle[0], middle[1], middle[2]))


def shaded(pose: Pose, faces_m: FloatArray, colour: Rgb, centre_m: Point) -> Solid:
    """A solid of faces along somebody's axes.

    Args:
        pose: Whose axes.
        faces_m: Its faces, corners against the clock as seen from outside, shape (n, 4, 3).
        colour: Its colour in full light.
        centre_m: What decides what is drawn before it.
    """
    corners = pose.world(faces_m)
    normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    x, y, z = pose.world(np.array(centre_m)).tolist()
    light = _AMBIENT + _DIFFUSE * np.maximum(0.0, normals @ _LIGHT)
    colours: FloatArray = np.clip(light[:, None] * np.array(colour), 0, 255)
    return Solid(corners, colours, (x, y, z))


@lru_cache(maxsize=1)
def _unit_sphere() -> FloatArray:
    """Faces of the unit sphere, shape (n, 4, 3)."""
    around = np.linspace(-math.pi, math.pi, _AROUND + 1)
    along = np.linspace(-math.pi / 2, math.pi / 2, _ALONG + 1)
    left, up = np.meshgrid(around, along)
    return _faces(_on_sphere(left, up))


def _on_sphere(left: FloatArray, up: FloatArray) -> FloatArray:
    return np.stack([np.cos(up) * np.cos(left), np.cos(up) * np.sin(left), np.sin(up)], axis=-1)


def _faces(grid: FloatArray) -> FloatArray:
    """Faces between the points of a grid, rows from below, columns against the clock."""
    faces: FloatArray = np.stack(
        [grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2
    )
    return faces.reshape(-1, 4, 3)


_BLOCK = (
    ((0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)),
    ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
    ((1, 1, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)),
    ((0, 1, 0), (0, 0, 0), (0, 0, 1), (0, 1, 1)),
)
