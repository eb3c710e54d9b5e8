"""Two robots in the shape of people: Tien Kung, white and slim, and GR-1 T2, dark and broad."""

from __future__ import annotations

from mira.sim.reach.look.modelling import Look
from mira.sim.rooms.things.meshes import ring
from mira.sim.rooms.things.parts import (
    Finish,
    Part,
    box,
    cylinder,
    ellipsoid,
    rod,
    solid,
    sphere,
)
from mira.sim.rooms.things.rotation import UPRIGHT, Vector, about
from mira.sim.rooms.things.sections import Section, between, lofted

_SHELL = Finish((0.86, 0.88, 0.90), specular=0.35, shininess=0.5)
_GRAPHITE = Finish((0.23, 0.25, 0.29), specular=0.3, shininess=0.4)
_JOINT = Finish((0.10, 0.11, 0.13), specular=0.25)
_STEEL = Finish((0.62, 0.64, 0.68), specular=0.6, shininess=0.6)
_VISOR = Finish((0.02, 0.03, 0.05), specular=0.9, shininess=0.9)
_CYAN = Finish((0.10, 0.85, 1.0), specular=0.0, glow=0.8)
_AMBER = Finish((1.0, 0.60, 0.10), specular=0.0, glow=0.7)
_FORWARD = about((0.0, 1.0, 0.0), 90.0)
"""Turns what stands upright so that it points to the mirror."""
_SURFACE_M = 0.199
"""x of the plate in front of the chest, a hair behind the marks on it."""


def tien_kung() -> Look:
    """A white robot with a visor that glows cyan."""
    torso: list[Section] = [
        (1.02, 0.075, 0.095, 0.085, 0.0),
        (1.08, 0.095, 0.125, 0.085, 0.0),
        (1.22, 0.105, 0.165, 0.085, 0.0),
        (1.33, 0.098, 0.165, 0.08, 0.0),
        (1.38, 0.07, 0.105, 0.07, 0.0),
    ]
    head: list[Section] = [
        (1.44, 0.05, 0.05, 0.085, 0.0),
        (1.48, 0.085, 0.072, 0.085, 0.0),
        (1.56, 0.095, 0.08, 0.085, 0.0),
        (1.61, 0.07, 0.06, 0.08, 0.0),
        (1.63, 0.03, 0.025, 0.08, 0.0),
    ]
    parts = [
        solid(_SHELL, lofted(between(torso), power=3.2)),
        box(_GRAPHITE, (0.03, 0.20, 0.20), (_SURFACE_M - 0.015, 0, 1.2)),
        box(_STEEL, (0.028, 0.215, 0.215), (_SURFACE_M - 0.017, 0, 1.2)),
        box(_GRAPHITE, (0.06, 0.20, 0.16), (-0.02, 0, 1.24)),
        box(_CYAN, (0.006, 0.10, 0.008), (-0.052, 0, 1.29)),
        cylinder(_JOINT, 0.045, 0.10, (0.08, 0, 1.41)),
        solid(_SHELL, lofted(between(head), power=2.4)),
        ellipsoid(_VISOR, (0.06, 0.068, 0.05), (0.13, 0, 1.545)),
        rod(_CYAN, (0.186, -0.035, 1.55), (0.186, 0.035, 1.55), 0.006),
        cylinder(_JOINT, 0.085, 0.07, (0.08, 0, 0.99)),
    ]
    for y in (-0.082, 0.082):
        parts.append(cylinder(_CYAN, 0.022, 0.012, (0.08, y, 1.545), UPRIGHT))
    parts += _pelvis(_SHELL, 0.08)
    for side in (-1, 1):
        parts += _arm(_SHELL, _JOINT, side, (0.075, 0.215, 1.315), 0.042)
        parts += _leg(_SHELL, _JOINT, side, 0.08)
    return Look(tuple(parts))


def gr1_t2() -> Look:
    """A dark robot with a round head, a face of glass and amber lights."""
    torso: list[Section] = [
        (1.00, 0.085, 0.115, 0.08, 0.0),
        (1.08, 0.10, 0.14, 0.08, 0.0),
        (1.24, 0.108, 0.19, 0.078, 0.0),
        (1.36, 0.10, 0.185, 0.075, 0.0),
        (1.42, 0.065, 0.11, 0.07, 0.0),
    ]
    parts = [
        solid(_GRAPHITE, lofted(between(torso), power=3.6)),
        box(_STEEL, (0.03, 0.235, 0.215), (_SURFACE_M - 0.015, 0, 1.25)),
        box(_JOINT, (0.026, 0.26, 0.24), (_SURFACE_M - 0.017, 0, 1.25)),
        box(_JOINT, (0.05, 0.24, 0.24), (-0.025, 0, 1.24)),
        *(box(_STEEL, (0.01, 0.17, 0.012), (-0.051, 0, 1.18 + 0.04 * row)) for row in range(4)),
        cylinder(_JOINT, 0.05, 0.08, (0.075, 0, 1.44)),
        ellipsoid(_GRAPHITE, (0.10, 0.088, 0.105), (0.08, 0, 1.545)),
        ellipsoid(_VISOR, (0.07, 0.075, 0.085), (0.125, 0, 1.545)),
        solid(_STEEL, ring(0.075, 0.006), (0.135, 0, 1.545), _FORWARD),
        *(sphere(_AMBER, 0.011, (0.19, y, 1.555)) for y in (-0.03, 0.03)),
        cylinder(_JOINT, 0.09, 0.08, (0.08, 0, 0.97)),
    ]
    for y in (-0.086, 0.086):
        parts.append(cylinder(_AMBER, 0.026, 0.012, (0.075, y, 1.545), UPRIGHT))
        parts.append(cylinder(_STEEL, 0.034, 0.008, (0.075, y, 1.545), UPRIGHT))
    parts += _pelvis(_GRAPHITE, 0.08)
    for side in (-1, 1):
        parts += _arm(_GRAPHITE, _STEEL, side, (0.07, 0.245, 1.345), 0.05)
        parts += _leg(_GRAPHITE, _STEEL, side, 0.08)
    return Look(tuple(parts))


def _pelvis(shell: Finish, x: float) -> list[Part]:
    sections: list[Section] = [
        (0.82, 0.06, 0.07, x, 0.0),
        (0.87, 0.085, 0.14, x, 0.0),
        (0.95, 0.08, 0.135, x, 0.0),
        (0.97, 0.06, 0.09, x, 0.0),
    ]
    return [solid(shell, lofted(between(sections), power=3))]


def _arm(
    shell: Finish, joint: Finish, side: int, shoulder_m: Vector, radius_m: float
) -> list[Part]:
    """An arm that ends behind the back, out of the way of the hand that moves."""
    x, y, z = shoulder_m
    shoulder = (x, side * y, z)
    elbow = (x - 0.13, side * (y + 0.035), z - 0.25)
    wrist = (x - 0.215, side * 0.05, z - 0.335)
    upper = ((x - 0.02, side * (y + 0.005), z - 0.045), (x - 0.11, side * (y + 0.03), z - 0.21))
    return [
        sphere(joint, radius_m * 1.35, shoulder),
        cylinder(shell, radius_m * 1.25, 0.03, (x, side * (y + radius_m * 1.05), z), UPRIGHT),
        rod(shell, *upper, radius_m),
        sphere(joint, radius_m * 1.1, elbow),
        rod(shell, elbow, wrist, radius_m * 0.82),
    ]


def _leg(shell: Finish, joint: Finish, side: int, x: float) -> list[Part]:
    y = side * 0.105
    thigh: list[Section] = [
        (0.50, 0.05, 0.048, x, y),
        (0.62, 0.065, 0.062, x, y),
        (0.80, 0.075, 0.072, x, y),
        (0.85, 0.055, 0.055, x, y),
    ]
    shin: list[Section] = [
        (0.10, 0.04, 0.038, x - 0.01, y),
        (0.24, 0.05, 0.046, x - 0.01, y),
        (0.38, 0.062, 0.055, x - 0.005, y),
        (0.45, 0.048, 0.046, x, y),
    ]
    foot: list[Section] = [
        (0.0, 0.125, 0.05, x + 0.035, y),
        (0.03, 0.125, 0.052, x + 0.035, y),
        (0.06, 0.09, 0.046, x + 0.015, y),
        (0.09, 0.05, 0.04, x - 0.005, y),
    ]
    return [
        solid(shell, lofted(between(thigh), power=2.8)),
        cylinder(joint, 0.05, 0.11, (x, y, 0.475), UPRIGHT),
        solid(shell, lofted(between(shin), power=2.8)),
        solid(joint, lofted(foot, power=3.5)),
    ]
