"""Convex mirrors on walls and poles, as at blind corners."""

from __future__ import annotations

import math

from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.things.meshes import ring, turned
from mira.sim.rooms.things.parts import Finish, Item, Placed, box, cylinder, rod, solid
from mira.sim.rooms.things.rotation import Vector

_STEEL = Finish((0.50, 0.51, 0.52), specular=0.3, shininess=0.5)
_BRACKET_M = 0.16


def convex_mirror(
    name: str,
    centre_m: Vector,
    *,
    yaw_deg: float,
    lean_deg: float,
    diameter_m: float,
    bulge_radius_m: float,
    rim: Finish,
) -> ReflectiveSurface:
    """A round convex mirror with a rim, a back and a bracket 0.3 m long."""
    radius = diameter_m / 2
    sag = bulge_radius_m - math.sqrt(bulge_radius_m**2 - radius**2)
    back = turned(
        [(0, -sag - 0.07), (0.4 * radius, -sag - 0.065), (radius, -sag - 0.02),
         (radius + 0.01, -sag - 0.005), (radius, -sag - 0.002), (0, -sag - 0.002)]
    )  # fmt: skip
    parts = (
        solid(rim, ring(radius + 0.008, 0.018), (0.0, 0.0, -sag)),
        solid(Finish((0.30, 0.31, 0.32), specular=0.2), back),
        rod(_STEEL, (0, 0, -sag - 0.06), (0, 0, -sag - _BRACKET_M), 0.022),
        cylinder(_STEEL, 0.07, 0.012, (0, 0, -sag - 0.075)),
    )
    return ReflectiveSurface(
        name, "convex_mirror", centre_m, facing(yaw_deg, lean_deg=lean_deg), diameter_m, diameter_m,
        round=True, bulge_radius_m=bulge_radius_m, silver=(0.86, 0.88, 0.88), parts=parts,
    )  # fmt: skip


def pole_behind(
    surface: ReflectiveSurface, *, top_m: float, foot_z_m: float = 0.0
) -> tuple[Item, Vector]:
    """A pole that the bracket of a convex mirror ends at, and where it stands."""
    assert surface.bulge_radius_m is not None
    radius = surface.width_m / 2
    sag = surface.bulge_radius_m - math.sqrt(surface.bulge_radius_m**2 - radius**2)
    end = surface.normal * -(sag + _BRACKET_M)
    height = top_m - foot_z_m
    parts = (
        cylinder(_STEEL, 0.036, height, (0, 0, height / 2)),
        cylinder(_STEEL, 0.085, 0.02, (0, 0, 0.01)),
    )
    pole = Item("pole", "mirror pole", parts, 0.09, annotated=False)
    x, y = surface.centre_m[0] + float(end[0]), surface.centre_m[1] + float(end[1])
    return pole, (x, y, foot_z_m)


def clearance(surface: ReflectiveSurface) -> Placed:
    """A block around a convex mirror, to be reserved so that nothing stands in it."""
    edge = surface.width_m + 0.06
    part = box(_STEEL, (edge, edge, edge), (0, 0, 0))
    return Placed(Item("clearance", "clearance", (part,), edge), surface.centre_m)


def sight_line(start_m: tuple[float, float], end_m: tuple[float, float]) -> Placed:
    """A strip of floor, to be reserved for somebody and for what that person looks along."""
    x, y = end_m[0] - start_m[0], end_m[1] - start_m[1]
    part = box(_STEEL, (math.hypot(x, y), 1.1, 1.9), (0, 0, 0.95))
    middle = ((start_m[0] + end_m[0]) / 2, (start_m[1] + end_m[1]) / 2, 0.0)
    item = Item("sight line", "sight line", (part,), 1.0)
    return Placed(item, middle, math.degrees(math.atan2(y, x)))
