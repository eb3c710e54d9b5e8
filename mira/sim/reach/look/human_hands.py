"""Hands of people: bare, in a glove, painted; palm to the body, fingers up, in a sleeve."""

from __future__ import annotations

import numpy as np

from mira.sim.reach.look.baked import Baked, Rgb, baked, painted
from mira.sim.reach.look.modelling import Look
from mira.sim.reach.look.people import Arm
from mira.sim.rooms.things.meshes import ring, turned
from mira.sim.rooms.things.parts import Finish, Mesh, Part, solid
from mira.sim.rooms.things.rotation import Vector

HUMAN_HANDS = ("bare", "gloved", "painted")
"""Names of all looks."""
_TIPS_M, _END_M = 0.125, -0.125
"""Heights of the ends of the baked hand; its palm is at 0."""
_ROWS = 100
_CUFF_M = -0.095
_PAINTED_M = -0.075
_GLOVE: Rgb = (116, 58, 196)
_GLOVE_THICK_M = 0.003
_PAINT: Rgb = (0, 176, 230)
_STRIPE: Rgb = (20, 40, 120)
_STRIPES_M = ((0.085, 0.125), (0.03, 0.05), (-0.015, 0.0), (-0.065, -0.05))
_ARM_M = (0.019, 0.006)
"""Middle of the left arm, x and y, where the sleeve is."""
_SLEEVE = ((0.0005, -0.20), (0.030, -0.198), (0.041, -0.185), (0.041, -0.115), (0.036, -0.108))


def human_hand(name: str, arm: Arm, *, left: bool) -> Look:
    """A hand of a person.

    Args:
        name: Its look, one of `HUMAN_HANDS`.
        arm: The person's colours.
        left: Whether it is the left hand.
    """
    surface = baked("hand")
    colours = np.tile(np.array(arm.skin, np.uint8), (_ROWS, 1))
    heights = np.linspace(_TIPS_M, _END_M, _ROWS)
    x, y = _ARM_M[0], _ARM_M[1] if left else -_ARM_M[1]
    parts = [_sleeve(arm.sleeve, (x, y, 0.0))]
    if name == "gloved":
        colours[:] = _GLOVE
        surface = _thicker(surface)
        parts.append(_cuff((x, y, _CUFF_M)))
    elif name == "painted":
        colours[heights > _PAINTED_M] = _PAINT
        for low, high in _STRIPES_M:
            colours[(heights >= low) & (heights <= high)] = _STRIPE
    z = surface.mesh.vertices_m[:, 2]
    tint = np.clip((_TIPS_M - z) / (_TIPS_M - _END_M), 0, 1)
    surface = surface if left else _other_side(surface)
    return Look(tuple(parts), (painted(surface, colours, tint, gloss=0.15),))


def _sleeve(colour: Rgb, at_m: Vector) -> Part:
    """The end of a sleeve, closed below, so that the arm has an end."""
    red, green, blue = (value / 255 for value in colour)
    return solid(Finish((red, green, blue), specular=0.05), turned(_SLEEVE), at_m)


def _cuff(at_m: Vector) -> Part:
    """The rolled edge of a glove."""
    red, green, blue = (value / 255 for value in _GLOVE)
    return solid(Finish((red, green, blue), specular=0.3), ring(0.033, 0.005), at_m)


def _thicker(surface: Baked) -> Baked:
    vertices = surface.mesh.vertices_m + _GLOVE_THICK_M * surface.normals
    return surface._replace(mesh=Mesh(vertices, surface.mesh.faces))


def _other_side(surface: Baked) -> Baked:
    """The right hand of a left one."""
    flip = np.array((1.0, -1.0, 1.0))
    mesh = Mesh(surface.mesh.vertices_m * flip, surface.mesh.faces[:, ::-1])
    return surface._replace(mesh=mesh, normals=surface.normals * flip)
