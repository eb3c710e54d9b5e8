"""Hands."""

from __future__ import annotations

from mira.sim.rooms.things.parts import Finish, Part, box, rod


def hand_parts(name: str, *, left: bool) -> list[Part]:
    """A hand."""
    skin = Finish((0.2, 0.5, 0.9), glow=0.1)
    side = -1 if left else 1
    parts = [box(skin, (0.03, 0.09, 0.09), (0, 0, 0)), rod(skin, (0, 0, -0.05), (0, 0, -0.2), 0.03)]
    for y in (-0.035, -0.012, 0.012, 0.035):
        parts.append(rod(skin, (0, y, 0.04), (0, y * 1.3, 0.1), 0.01))
    parts.append(rod(skin, (0, side * 0.04, 0), (0, side * 0.08, 0.04), 0.012))
    return parts
