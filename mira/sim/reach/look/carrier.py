"""A carrier on wheels: a wide low body with a deck, sensors and a parcel."""

from __future__ import annotations

from mira.sim.reach.look.modelling import Look
from mira.sim.rooms.things.meshes import turned
from mira.sim.rooms.things.parts import Finish, Part, box, cylinder, rod, solid, sphere
from mira.sim.rooms.things.rotation import UPRIGHT, Vector
from mira.sim.rooms.things.sections import Section, lofted

_BODY = Finish((0.33, 0.36, 0.40), specular=0.3, shininess=0.45)
_DECK = Finish((0.16, 0.17, 0.19), specular=0.1)
_GREEN = Finish((0.36, 0.68, 0.10), specular=0.2, glow=0.15)
_TYRE = Finish((0.08, 0.08, 0.09), specular=0.1)
_STEEL = Finish((0.70, 0.72, 0.75), specular=0.6, shininess=0.6)
_LENS = Finish((0.02, 0.04, 0.08), specular=0.9, shininess=0.9)
_LAMP = Finish((0.95, 0.97, 1.0), specular=0.0, glow=0.6)
_CARDBOARD = Finish((0.70, 0.52, 0.33), specular=0.03)
_TAPE = Finish((0.84, 0.74, 0.56), specular=0.15)

_MIDDLE = (0.024, 0.5)
"""Where it stands: x so that its front ends behind the mark at 0.6."""
_HALF_X, _HALF_Y = 0.575, 0.74
_WHEEL_M = 0.17


def nova_carter() -> Look:
    """The carrier, its front to the mirror; the mark is beside the middle of its front."""
    x, y = _MIDDLE
    hull: list[Section] = [
        (0.12, _HALF_X - 0.05, _HALF_Y - 0.09, x, y),
        (0.20, _HALF_X, _HALF_Y - 0.04, x, y),
        (0.60, _HALF_X, _HALF_Y - 0.04, x, y),
        (0.64, _HALF_X - 0.02, _HALF_Y - 0.06, x, y),
    ]
    parts = [
        solid(_BODY, lofted(hull, power=14, around=96)),
        box(_DECK, (1.04, 1.3, 0.012), (x, y, 0.646)),
        box(_GREEN, (0.004, 1.24, 0.035), (x - _HALF_X - 0.001, y, 0.52)),
        box(_DECK, (0.004, 1.0, 0.16), (x - _HALF_X - 0.001, y, 0.36)),
        *_front(x + _HALF_X, y),
        *_rails(x, y),
        *_lidar((x + 0.42, y, 0.66)),
        *_parcel((x - 0.05, y + 0.22, 0.652)),
    ]
    for wheel_x in (x - 0.36, x + 0.36):
        for side in (-1, 1):
            parts += _wheel((wheel_x, y + side * (_HALF_Y - 0.05), _WHEEL_M), side)
    return Look(tuple(parts))


def _front(x: float, y: float) -> list[Part]:
    """A green band, cameras and lamps; the place of the mark is left free."""
    parts = [
        box(_GREEN, (0.004, 1.24, 0.03), (x - 0.0015, y, 0.28)),
        box(_DECK, (0.004, 0.5, 0.13), (x - 0.0015, y + 0.08, 0.47)),
    ]
    for eye in (-0.10, 0.10):
        parts.append(sphere(_LENS, 0.03, (x - 0.008, y + 0.08 + eye, 0.48)))
    parts += [box(_LAMP, (0.006, 0.10, 0.025), (x, y + side * 0.52, 0.345)) for side in (-1, 1)]
    return parts


def _rails(x: float, y: float) -> list[Part]:
    """A low rail along both sides of the deck."""
    parts = []
    for side in (-1, 1):
        at = y + side * 0.63
        parts.append(rod(_STEEL, (x - 0.48, at, 0.74), (x + 0.48, at, 0.74), 0.011))
        for post in (-0.48, 0.0, 0.48):
            parts.append(rod(_STEEL, (x + post, at, 0.65), (x + post, at, 0.74), 0.011))
    return parts


def _lidar(foot_m: Vector) -> list[Part]:
    """A laser scanner on a short post."""
    x, y, z = foot_m
    profile = ((0.0005, 0.0), (0.05, 0.0), (0.05, 0.06), (0.042, 0.075), (0.0005, 0.08))
    return [
        cylinder(_STEEL, 0.02, 0.12, (x, y, z + 0.06)),
        solid(_DECK, turned(profile), (x, y, z + 0.12)),
        cylinder(_GREEN, 0.0505, 0.012, (x, y, z + 0.155)),
    ]


def _parcel(foot_m: Vector) -> list[Part]:
    x, y, z = foot_m
    return [
        box(_CARDBOARD, (0.42, 0.34, 0.24), (x, y, z + 0.12)),
        box(_TAPE, (0.424, 0.05, 0.242), (x, y, z + 0.1205)),
    ]


def _wheel(hub_m: Vector, side: int) -> list[Part]:
    x, y, z = hub_m
    out = side * 0.05
    return [
        cylinder(_TYRE, _WHEEL_M, 0.10, hub_m, UPRIGHT),
        cylinder(_STEEL, 0.09, 0.012, (x, y + out, z), UPRIGHT),
        cylinder(_GREEN, 0.035, 0.02, (x, y + out, z), UPRIGHT),
    ]
