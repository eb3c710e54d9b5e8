"""A mirror in a room: its plane, its outline, its frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.meshes import ring
from mira.sim.rooms.parts import Finish, Part, box, solid
from mira.sim.rooms.rotation import UPRIGHT, Quaternion, Vector, compose, rotate, yaw

Wall = Literal["front", "right", "back", "left"]
WALL_YAW_DEG: dict[Wall, float] = {"front": 0.0, "right": -90.0, "back": 180.0, "left": 90.0}
"""Turn of a thing that hangs on a wall; unturned it hangs on the front wall and looks to -y."""
GLASS_GAP_M = 0.004
"""Height of the reflecting plane over its wall."""


@dataclass(frozen=True)
class Mirror:
    """A planar mirror on a wall, in the room frame (x right, y towards the front wall, z up).

    Attributes:
        name: Its name within the scene, such as `mirror_1`.
        wall: The wall it hangs on.
        centre_m: Middle of the reflecting plane.
        width_m: Width, or diameter of a round one.
        height_m: Height; equal to the width for a round one.
        round: Whether it is a disc.
        frame: Look of the frame.
    """

    name: str
    wall: Wall
    centre_m: Vector
    width_m: float
    height_m: float
    round: bool
    frame: Finish

    @property
    def turn(self) -> Quaternion:
        """Rotation from a panel that faces +z to the mirror's pose."""
        return compose(yaw(WALL_YAW_DEG[self.wall]), UPRIGHT)

    @property
    def normal(self) -> NDArray[np.float64]:
        """Unit normal into the room, shape (3,)."""
        return np.round(np.array(rotate(self.turn, (0.0, 0.0, 1.0))), 12) + 0.0

    @property
    def offset_m(self) -> float:
        """The plane's offset: `normal · p + offset_m = 0`."""
        return float(-self.normal @ np.array(self.centre_m))

    def frame_parts(self) -> tuple[Part, ...]:
        """The frame, in front of the reflecting plane only, in the mirror's panel frame."""
        bar, depth = 0.035, 0.022
        if self.round:
            rim = ring(self.width_m / 2 + 0.012, 0.014)
            return (solid(self.frame, rim, (0.0, 0.0, 0.0141)),)
        across, along = self.width_m / 2 + bar / 2, self.height_m / 2 + bar / 2
        rail = (self.width_m + 2 * bar, bar, depth)
        post = (bar, self.height_m, depth)
        return (
            box(self.frame, rail, (0, along, depth / 2)),
            box(self.frame, rail, (0, -along, depth / 2)),
            box(self.frame, post, (across, 0, depth / 2)),
            box(self.frame, post, (-across, 0, depth / 2)),
        )


def reflect_across(mirror: Mirror, points_m: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mirror images of room-frame points, shape (..., 3)."""
    distance = points_m @ mirror.normal + mirror.offset_m
    return points_m - 2 * distance[..., None] * mirror.normal


def reflect_direction(mirror: Mirror, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mirror images of directions, shape (..., 3)."""
    return vectors - 2 * (vectors @ mirror.normal)[..., None] * mirror.normal
