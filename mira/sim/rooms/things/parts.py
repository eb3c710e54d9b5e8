"""What rooms are made of, before any engine sees it: finishes, parts, items."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.rotation import IDENTITY, Quaternion, Vector, along

Rgb = tuple[float, float, float]
Shape = Literal["box", "cylinder", "sphere", "ellipsoid", "capsule", "mesh"]


@dataclass(frozen=True, eq=False)
class Texture:
    """A picture on a surface.

    Attributes:
        pixels: Colours, shape (height, width, 3), uint8. A cube texture stacks six squares
            (right, left, up, down, front, back in the engine's order) from top to bottom.
        cube: Whether the picture wraps all sides of its part instead of facing its +z side.
    """

    pixels: NDArray[np.uint8]
    cube: bool = False


@dataclass(frozen=True)
class Finish:
    """The look of a part.

    Attributes:
        rgb: Colour in [0, 1]; multiplies the texture.
        texture: Picture on the surface, if any.
        tile_m: Edge of one texture tile in metres; None stretches the picture over the part.
        specular: Strength of highlights in [0, 1].
        shininess: Sharpness of highlights in [0, 1].
        glow: Light that the part gives off by itself, in [0, 1].
    """

    rgb: Rgb = (1.0, 1.0, 1.0)
    texture: Texture | None = None
    tile_m: float | None = None
    specular: float = 0.15
    shininess: float = 0.3
    glow: float = 0.0


@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh.

    Attributes:
        vertices_m: Corners in the part's frame, shape (n, 3).
        faces: Anticlockwise corner indices seen from outside, shape (m, 3).
    """

    vertices_m: NDArray[np.float64]
    faces: NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """One rigid piece.

    Attributes:
        shape: Kind of solid.
        finish: Its look.
        size_m: Half extents; (radius, half length) of cylinders and capsules; (radius,) of
            spheres; empty for meshes.
        at_m: Centre, in the item's frame.
        turn: Rotation into the item's frame.
        mesh: The surface of a mesh part.
        name: What a person would call it where it sets one side of its item apart from another,
            such as `handle` or `clock face`; empty for parts that nobody would mention.
    """

    shape: Shape
    finish: Finish
    size_m: tuple[float, ...] = ()
    at_m: Vector = (0.0, 0.0, 0.0)
    turn: Quaternion = IDENTITY
    mesh: Mesh | None = None
    name: str = ""


@dataclass(frozen=True, eq=False)
class Item:
    """A thing that a person would name.

    Its frame stands on z = 0 (or hangs with its back on y = 0) and looks towards -y.

    Attributes:
        category: What it is, such as `cup`.
        description: How a person would call it, such as `white cup`.
        parts: Its pieces.
        radius_m: Radius of the circle it needs on its support.
        annotated: Whether it is outlined; fixtures such as doors are not.
    """

    category: str
    description: str
    parts: tuple[Part, ...] = field(repr=False)
    radius_m: float
    annotated: bool = True


@dataclass(frozen=True)
class Placed:
    """An item in the room.

    Attributes:
        item: The thing.
        at_m: Its origin in the room frame, metres.
        yaw_deg: Its turn about the upward axis.
    """

    item: Item
    at_m: Vector
    yaw_deg: float = 0.0


def box(
    finish: Finish,
    size_m: Vector,
    at_m: Vector,
    turn: Quaternion = IDENTITY,
    *,
    name: str = "",
) -> Part:
    """A box with full edge lengths `size_m` around its centre `at_m`."""
    half = (size_m[0] / 2, size_m[1] / 2, size_m[2] / 2)
    return Part("box", finish, half, at_m, turn, name=name)


def cylinder(
    finish: Finish,
    radius_m: float,
    height_m: float,
    at_m: Vector,
    turn: Quaternion = IDENTITY,
    *,
    name: str = "",
) -> Part:
    """An upright cylinder around its centre `at_m`."""
    return Part("cylinder", finish, (radius_m, height_m / 2), at_m, turn, name=name)


def ellipsoid(
    finish: Finish,
    half_m: Vector,
    at_m: Vector,
    turn: Quaternion = IDENTITY,
    *,
    name: str = "",
) -> Part:
    """An ellipsoid with half axes `half_m`."""
    return Part("ellipsoid", finish, half_m, at_m, turn, name=name)


def sphere(finish: Finish, radius_m: float, at_m: Vector, *, name: str = "") -> Part:
    """A ball."""
    return Part("sphere", finish, (radius_m,), at_m, name=name)


def rod(finish: Finish, start_m: Vector, end_m: Vector, radius_m: float, *, name: str = "") -> Part:
    """A round stick with round ends from one point to another."""
    start, end = np.array(start_m), np.array(end_m)
    x, y, z = ((start + end) / 2).tolist()
    half_length = float(np.linalg.norm(end - start)) / 2
    return Part(
        "capsule", finish, (radius_m, half_length), (x, y, z), along(end - start), name=name
    )


def solid(
    finish: Finish,
    mesh: Mesh,
    at_m: Vector = (0, 0, 0),
    turn: Quaternion = IDENTITY,
    *,
    name: str = "",
) -> Part:
    """A mesh part."""
    return Part("mesh", finish, (), at_m, turn, mesh, name)
