"""Bodies."""

from __future__ import annotations

from typing import NamedTuple

from mira.sim.reach.look.marks import Front
from mira.sim.reach.look.modelling import Painted
from mira.sim.reach.look.people import person_named
from mira.sim.reach.scenes import Body
from mira.sim.rooms.things.parts import Finish, Part, box, cylinder, ellipsoid


class BodyLook(NamedTuple):
    """A body.

    Attributes:
        parts: Its pieces, in the world.
        surface: Its front around the mark.
        painted: Its surfaces with colours of their own.
    """

    parts: tuple[Part, ...]
    surface: Front
    painted: tuple[Painted, ...] = ()


def body_look(body: Body) -> BodyLook:
    """What a body looks like, where it stands."""
    if body.track == "human":
        person = person_named(body.name)
        return BodyLook((), person.front, person.surfaces)
    cloth, skin = Finish((0.3, 0.35, 0.5)), Finish((0.8, 0.6, 0.5))
    if body.name == "nova_carter":
        return BodyLook((box(cloth, (1.1, 1.3, 0.7), (0.048, 0.5, 0.45)),), Front())
    x = 0.2 - 0.12 - 0.001
    parts = (
        box(cloth, (0.24, 0.42, 0.65), (x, 0, 1.1)),
        box(cloth, (0.2, 0.3, 0.8), (x, 0, 0.4)),
        ellipsoid(skin, (0.1, 0.075, 0.115), (x, 0, 1.56)),
        cylinder(skin, 0.06, 0.1, (x, 0, 1.45)),
    )
    return BodyLook(parts, Front())
