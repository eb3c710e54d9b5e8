"""A reflective surface: where it is, how it bends, what it gives back and lets through."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mira.schema.capture import SurfaceType
from mira.sim.rooms.things.meshes import dome, plate, ring
from mira.sim.rooms.things.parts import Finish, Mesh, Part, Rgb, box, solid
from mira.sim.rooms.things.rotation import UPRIGHT, Quaternion, Vector, compose, rotate, yaw

GLASS_GAP_M = 0.004
"""Height of a wall mirror's reflecting plane over its wall."""
SILVER: Rgb = (0.90, 0.925, 0.915)
"""Share of red, green and blue that a mirror gives back."""


@dataclass(frozen=True)
class ReflectiveSurface:
    """A mirror, a pane, a puddle or a screen.

    Its own frame is that of a panel that lies on its back: +z is the side that reflects, +y its
    top edge, +x to the right of someone who looks at it.

    Attributes:
        name: Its name within the scene, such as `mirror_1`.
        surface_type: What kind of surface it is.
        centre_m: Middle of the reflecting side, in the room frame.
        turn: Rotation from its own frame to the room frame.
        width_m: Width, or diameter of a round one.
        height_m: Height; equal to the width for a round one.
        round: Whether its outline is an ellipse.
        bulge_radius_m: Radius of the ball that a convex one is cut from; None for a flat one.
        silver: Share of light given back head-on; glass gives back more at a slant (Schlick).
        see_through: Share of light let through head-on; 0 for mirrors. A surface that lets light
            through reflects on both sides.
        parts: Frame, pole and the like, in its own frame.
    """

    name: str
    surface_type: SurfaceType
    centre_m: Vector
    turn: Quaternion
    width_m: float
    height_m: float
    round: bool = False
    bulge_radius_m: float | None = None
    silver: Rgb = SILVER
    see_through: float = 0.0
    parts: tuple[Part, ...] = ()

    @cached_property
    def normal(self) -> NDArray[np.float64]:
        """Unit normal of the reflecting side at its middle, shape (3,), room frame."""
        return np.round(np.array(rotate(self.turn, (0.0, 0.0, 1.0))), 12) + 0.0

    @property
    def offset_m(self) -> float:
        """Offset of the plane through the middle: `normal · p + offset_m = 0`."""
        return float(-self.normal @ np.array(self.centre_m))

    @cached_property
    def ball_centre_m(self) -> NDArray[np.float64] | None:
        """Centre of the ball that a convex surface is cut from, room frame; None for a flat one."""
        if self.bulge_radius_m is None:
            return None
        return np.array(self.centre_m) - self.bulge_radius_m * self.normal

    def mesh(self) -> Mesh:
        """The reflecting side, in its own frame, its outside towards +z."""
        size = (self.width_m, self.height_m)
        if self.bulge_radius_m is None:
            return plate(*size, round=self.round)
        return dome(*size, self.bulge_radius_m, round=self.round)


def reflect_across(
    surface: ReflectiveSurface, points_m: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mirror images of room-frame points in a flat surface's plane, shape (..., 3)."""
    distance = points_m @ surface.normal + surface.offset_m
    return points_m - 2 * distance[..., None] * surface.normal


def reflect_direction(
    surface: ReflectiveSurface, vectors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mirror images of directions in a flat surface's plane, shape (..., 3)."""
    return vectors - 2 * (vectors @ surface.normal)[..., None] * surface.normal


def facing(yaw_deg: float, *, lean_deg: float = 0.0) -> Quaternion:
    """Turn of a panel that stands upright.

    Args:
        yaw_deg: 0 makes it look towards -y (out of a front wall), 90 towards +x (out of a left
            wall), 180 towards +y, -90 towards -x.
        lean_deg: Positive values make it look down.
    """
    lean = (math.cos(math.radians(lean_deg) / 2), math.sin(math.radians(lean_deg) / 2), 0.0, 0.0)
    return compose(yaw(yaw_deg), compose(UPRIGHT, lean))


def framed_mirror(
    name: str,
    centre_m: Vector,
    turn: Quaternion,
    width_m: float,
    height_m: float,
    *,
    frame: Finish | None,
    round: bool = False,
) -> ReflectiveSurface:
    """A flat mirror with a frame around it; `centre_m` lies on the wall or a little over it."""
    parts = () if frame is None else _frame(frame, width_m, height_m, round=round)
    backing = box(Finish((0.2, 0.2, 0.2)), (width_m, height_m, 0.002), (0, 0, -0.0025))
    back = () if round else (backing,)
    return ReflectiveSurface(
        name, "planar_mirror", centre_m, turn, width_m, height_m, round, parts=(*parts, *back)
    )


def _frame(finish: Finish, width_m: float, height_m: float, *, round: bool) -> tuple[Part, ...]:
    """A frame in front of the reflecting plane only."""
    bar, depth = 0.035, 0.022
    if round:
        return (solid(finish, ring(width_m / 2 + 0.012, 0.014), (0.0, 0.0, 0.0141)),)
    across, along = width_m / 2 + bar / 2, height_m / 2 + bar / 2
    rail, post = (width_m + 2 * bar, bar, depth), (bar, height_m, depth)
    return (
        box(finish, rail, (0, along, depth / 2)),
        box(finish, rail, (0, -along, depth / 2)),
        box(finish, post, (across, 0, depth / 2)),
        box(finish, post, (-across, 0, depth / 2)),
    )
