"""The plan of one room: everything a renderer needs, in numbers of the room frame.

The room frame has its origin on the floor at the middle of the front wall: x to the right for
someone who faces that wall, y towards it (the room lies at y < 0), z up, metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mira.sim.rooms.mirror import Mirror, Wall
from mira.sim.rooms.parts import Finish, Placed, Rgb
from mira.sim.rooms.rotation import Vector
from mira.sim.rooms.viewpoint import Viewpoint

Lighting = Literal["day", "night"]


@dataclass(frozen=True)
class Lamp:
    """A light source.

    Attributes:
        at_m: Where it is.
        towards: Direction of its axis, any length.
        rgb: Its strength and colour.
        cutoff_deg: Half angle of its cone.
        exponent: How fast it falls off from its axis.
        shadows: Whether it casts shadows.
    """

    at_m: Vector
    towards: Vector
    rgb: Rgb
    cutoff_deg: float = 85.0
    exponent: float = 1.0
    shadows: bool = False


@dataclass(frozen=True)
class Shell:
    """Floor, ceiling and four walls.

    Attributes:
        width_m: Inner width along x.
        depth_m: Inner depth along y.
        height_m: Inner height.
        walls: Finish of each wall.
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
    skirting: Finish | None


@dataclass(frozen=True)
class RoomPlan:
    """One room, its lights and its viewpoints.

    Attributes:
        place: Kind of place, such as `bathroom`.
        lighting: Day or night.
        shell: The room itself.
        mirrors: Its mirrors.
        items: What stands and hangs in it.
        lamps: Light sources.
        ambient: Light from everywhere.
        viewpoints: Cameras, one a picture.
    """

    place: str
    lighting: Lighting
    shell: Shell
    mirrors: tuple[Mirror, ...]
    items: tuple[Placed, ...]
    lamps: tuple[Lamp, ...]
    ambient: Rgb
    viewpoints: tuple[Viewpoint, ...]
