"""Bodies, where they stand, and their front around the mark."""

from __future__ import annotations

from typing import NamedTuple

from mira.sim.reach.look.carrier import nova_carter
from mira.sim.reach.look.humanoids import gr1_t2, tien_kung
from mira.sim.reach.look.marks import Front
from mira.sim.reach.look.modelling import Look
from mira.sim.reach.look.people import person_front, person_look
from mira.sim.reach.scenes import Body


class Standing(NamedTuple):
    """A body in the world.

    Attributes:
        look: What it is made of.
        front: Its front around the mark.
    """

    look: Look
    front: Front


def standing(body: Body) -> Standing:
    """A body where its scenes have it."""
    if body.track == "human":
        return Standing(person_look(body.name), person_front(body.name))
    return Standing(_ROBOTS[body.name](), Front())


_ROBOTS = {"tienkung": tien_kung, "gr1_t2": gr1_t2, "nova_carter": nova_carter}
"""Robots have a flat front at their mark."""
