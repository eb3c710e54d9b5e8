"""Where one stands to look at a street corner's window, mirrors and puddle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from numpy.random import Generator

from mira.sim.rooms.places.placing import Arrangement
from mira.sim.rooms.reflective import ReflectiveSurface
from mira.sim.rooms.things.rotation import Vector
from mira.sim.rooms.viewpoint import Viewpoint, look_at

_VIEWPOINTS = 8


def street_viewpoints(
    rng: Generator, arrangement: Arrangement, surfaces: list[ReflectiveSurface]
) -> Iterator[Viewpoint]:
    """Cameras on the pavement: two for each mirror and the puddle, the rest before the shop."""
    left = _VIEWPOINTS
    others = [_DRAWS[s.surface_type] for s in surfaces if s.surface_type in _DRAWS]
    for draw, most in [*((draw, 2) for draw in others), (_before_shop, _VIEWPOINTS)]:
        wanted = min(most, left)
        for _ in range(100):
            if wanted == 0:
                break
            eye, target = draw(rng, surfaces)
            if _unblocked(arrangement, eye, target):
                yield look_at(eye, target)
                wanted, left = wanted - 1, left - 1


def _unblocked(arrangement: Arrangement, eye: Vector, target: Vector) -> bool:
    """Whether a person fits there and nothing stands right before the lens."""
    if not arrangement.room_to_stand(eye[0], eye[1], reach_m=0.4):
        return False
    x, y = target[0] - eye[0], target[1] - eye[1]
    length = math.hypot(x, y)
    return all(
        arrangement.room_to_stand(
            eye[0] + x / length * step, eye[1] + y / length * step, reach_m=0.3
        )
        for step in (0.45, 0.85, 1.2)
    )


def _before_shop(rng: Generator, _: list[ReflectiveSurface]) -> tuple[Vector, Vector]:
    target = (float(rng.uniform(-0.4, 1.6)), 0.0, float(rng.uniform(0.85, 1.05)))
    bearing = math.radians(float(rng.uniform(18, 40))) * (-1.0 if rng.random() < 0.5 else 1.0)
    y = -float(rng.uniform(2.9, 3.6))
    return (target[0] + y * math.tan(bearing), y, float(rng.uniform(1.35, 1.65))), target


def _before_panel(rng: Generator, _: list[ReflectiveSurface]) -> tuple[Vector, Vector]:
    target = (float(rng.uniform(1.2, 1.8)), 0.0, float(rng.uniform(0.85, 1.0)))
    eye = (
        float(rng.uniform(0.0, 2.6)),
        -float(rng.uniform(2.9, 3.6)),
        float(rng.uniform(1.35, 1.6)),
    )
    return eye, target


def _before_convex(rng: Generator, surfaces: list[ReflectiveSurface]) -> tuple[Vector, Vector]:
    surface = next(s for s in surfaces if s.surface_type == "convex_mirror")
    x, y, z = surface.centre_m
    out = math.atan2(float(surface.normal[1]), float(surface.normal[0]))
    out += math.radians(float(rng.uniform(-6, 8)))
    reach = float(rng.uniform(1.7, 2.4))
    eye = (x + reach * math.cos(out), y + reach * math.sin(out), float(rng.uniform(1.45, 1.65)))
    return eye, (x - 0.15, y + 0.1, z - 0.35)


def _over_puddle(rng: Generator, surfaces: list[ReflectiveSurface]) -> tuple[Vector, Vector]:
    x, y, _ = next(s for s in surfaces if s.surface_type == "water").centre_m
    eye = (
        x - float(rng.uniform(2.3, 3.0)),
        y + 0.1 + float(rng.uniform(-0.12, 0.12)),
        float(rng.uniform(0.9, 1.1)),
    )
    return eye, (x + 0.6, y + 0.15, 0.2)


_Draw = Callable[[Generator, list[ReflectiveSurface]], tuple[Vector, Vector]]
_DRAWS: dict[str, _Draw] = {
    "planar_mirror": _before_panel,
    "convex_mirror": _before_convex,
    "water": _over_puddle,
}
