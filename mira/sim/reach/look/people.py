"""The people of the mirror test."""

from __future__ import annotations

from typing import NamedTuple

from mira.sim.reach.look.baked import Rgb, baked, baked_arrays, painted
from mira.sim.reach.look.marks import Front
from mira.sim.reach.look.modelling import Look, Painted


class Arm(NamedTuple):
    """Colours that a person's own hand has, red, green and blue from 0 to 255.

    Attributes:
        skin: Of the skin.
        sleeve: Of the garment over it.
    """

    skin: Rgb
    sleeve: Rgb


def person_look(name: str) -> Look:
    """Skin, eyes, hair and clothes of a person, in the world."""
    known = baked_arrays()
    surfaces: list[Painted] = []
    while (prefix := f"{name}/{len(surfaces)}") + "/faces" in known:
        palette, gloss = known[f"{prefix}/look"][:-1].reshape(-1, 3), known[f"{prefix}/look"][-1]
        tint = known[f"{prefix}/tint"] / 255
        surfaces.append(painted(baked(prefix), palette, tint, gloss=float(gloss) / 255))
    return Look(painted=tuple(surfaces))


def person_front(name: str) -> Front:
    """A person's front around the mark."""
    a, b, c, d, e = (float(value) for value in baked_arrays()[f"{name}/front"])
    return Front((a, b), (c, d, e))


def person_arm(name: str) -> Arm:
    """What a person's own hand looks like."""
    skin, sleeve = baked_arrays()[f"{name}/arm"].tolist()
    return Arm(tuple(skin), tuple(sleeve))
