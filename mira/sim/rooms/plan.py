"""The plan of one room: everything a renderer needs, in numbers of the room frame.

The room frame has z up and its origin on the floor, metres. Indoors the origin is at the middle of
the front wall, x to the right for someone who faces that wall, y towards it: the room lies at
y < 0. Outdoors the front is the building line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things.parts import Part, Placed, Rgb
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.viewpoint import Viewpoint

Lighting = Literal["day", "night"]
Environment = Literal["indoor", "outdoor"]


@dataclass(frozen=True)
class Lamp:
    """A rectangle that gives light on one side; it is itself not seen.

    Attributes:
        centre_m: Its middle.
        half_u_m: From the middle to the middle of one edge.
        half_v_m: The same for a neighbouring edge; light leaves towards `half_u_m` x `half_v_m`.
        rgb: Radiance; 1 makes a white surface that faces nothing but the lamp white.
    """

    centre_m: Vector
    half_u_m: Vector
    half_v_m: Vector
    rgb: Rgb


@dataclass(frozen=True)
class Sun:
    """A light so far away that its rays are all but parallel.

    Attributes:
        towards: Direction in which its light travels, any length.
        rgb: Irradiance on a surface that faces it, divided by pi.
        spread_deg: Half angle of the disc it is seen as; sets how soft shadows are.
    """

    towards: Vector
    rgb: Rgb
    spread_deg: float = 0.8


@dataclass(frozen=True)
class Sky:
    """What rays meet that leave the scene; it lights the scene too.

    Attributes:
        zenith: Radiance overhead.
        horizon: Radiance at the horizon.
    """

    zenith: Rgb
    horizon: Rgb


@dataclass(frozen=True)
class Walkable:
    """The floor that a person or a robot could stand on if nothing stood there.

    Attributes:
        low_m: Smallest x and y.
        high_m: Largest x and y.
    """

    low_m: tuple[float, float]
    high_m: tuple[float, float]


@dataclass(frozen=True)
class RoomPlan:
    """One room, its lights and its viewpoints.

    Attributes:
        place: Kind of place, such as `bathroom`.
        environment: Indoor or outdoor.
        lighting: Day or night.
        structure: Walls, floors, ground and the like, in the room frame; nobody outlines them.
        walkable: The floor as far as the scene goes.
        surfaces: Its reflective surfaces.
        items: What stands and hangs in it.
        lamps: Lights with an extent.
        sun: The sun, if it shines.
        sky: The sky, if there is one; None for a closed room.
        ambient: Light from everywhere that stands for all later bounces.
        viewpoints: Cameras to choose from, best first by the planner's own lights.
    """

    place: str
    environment: Environment
    lighting: Lighting
    structure: tuple[Part, ...]
    walkable: Walkable
    surfaces: tuple[ReflectiveSurface, ...]
    items: tuple[Placed, ...]
    lamps: tuple[Lamp, ...]
    viewpoints: tuple[Viewpoint, ...]
    sun: Sun | None = None
    sky: Sky | None = None
    ambient: Rgb = (0.0, 0.0, 0.0)
