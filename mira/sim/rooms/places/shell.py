"""The room itself: floor, ceiling, four walls and what runs along them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mira.sim.rooms.reflective import facing
from mira.sim.rooms.things.parts import Finish, Part, box
from mira.sim.rooms.things.rotation import Vector, about

Wall = Literal["front", "right", "back", "left"]
WALLS: tuple[Wall, ...] = ("front", "right", "back", "left")
WALL_YAW_DEG: dict[Wall, float] = {"front": 0.0, "right": -90.0, "back": 180.0, "left": 90.0}
"""Turn of a thing that hangs on a wall; unturned it hangs on the front wall and looks to -y."""
_THICKNESS_M = 0.1
_SKIRTING_M = (0.012, 0.08)


@dataclass(frozen=True)
class Shell:
    """Floor, ceiling and four walls; they end exactly at the room's inner corners.

    Attributes:
        width_m: Inner width along x.
        depth_m: Inner depth along y.
        height_m: Inner height.
        walls: Finish of each wall; a wall that is missing is open.
        floor: Finish of the floor.
        ceiling: Finish of the ceiling.
        skirting: Finish of the skirting boards, if there are any.
    """

    width_m: float
    depth_m: float
    height_m: float
    walls: dict[Wall, Finish]
    floor: Finish
    ceiling: Finish
    skirting: Finish | None = None

    def point(self, wall: Wall, inward_m: float, z_m: float, along_m: float = 0.0) -> Vector:
        """A point some way into the room from a wall.

        Args:
            wall: The wall.
            inward_m: Distance from it.
            z_m: Height.
            along_m: Distance from its middle, to the right of someone who faces it.
        """
        half_w, half_d = self.width_m / 2, self.depth_m / 2
        points: dict[Wall, Vector] = {
            "front": (along_m, -inward_m, z_m),
            "back": (-along_m, -self.depth_m + inward_m, z_m),
            "right": (half_w - inward_m, -half_d - along_m, z_m),
            "left": (-half_w + inward_m, -half_d + along_m, z_m),
        }
        return points[wall]

    def parts(self) -> Iterator[Part]:
        """The shell in the room frame."""
        half_w, half_d, thick = self.width_m / 2, self.depth_m / 2, _THICKNESS_M
        floor = (half_w, half_d, thick / 2)
        yield Part("box", self.floor, floor, (0, -half_d, -thick / 2))
        lid = (0, -half_d, self.height_m + thick / 2)
        yield Part("box", self.ceiling, floor, lid, about((1.0, 0.0, 0.0), 180.0))
        for wall, finish in self.walls.items():
            length = self.width_m if wall in ("front", "back") else self.depth_m
            turn = facing(WALL_YAW_DEG[wall])
            middle = self.point(wall, -thick / 2, self.height_m / 2)
            yield box(finish, (length, self.height_m, thick), middle, turn)
            if self.skirting is not None:
                deep, high = _SKIRTING_M
                spot = self.point(wall, deep / 2, high / 2)
                yield box(self.skirting, (length, high, deep), spot, turn)
