"""A surface is drawn for what is seen in it."""

from __future__ import annotations

from collections.abc import Iterator

from annotate.plausibility.doubts import Doubt
from annotate.plausibility.layout import Layout


def doubt_emptiness(layout: Layout, *, lost_reflections: int) -> Iterator[Doubt]:
    """Surfaces that no reflection is seen in, on a picture that has reflections.

    For the record alone: a mirror may show nothing but a wall, and glass often shows nothing. A
    picture without any reflection has a finding of its own, and where reflections were left out,
    or lie somewhere in the surface and name none, nobody knows.

    Args:
        layout: The picture.
        lost_reflections: Reflections that were left out as faulty.
    """
    reflections = [one for one in layout.instances.values() if one.visibility == "reflected"]
    if lost_reflections or not reflections:
        return
    shown = {one.seen_in[0] for one in reflections if one.seen_in}
    undecided = [one.instance_id for one in reflections if not one.seen_in]
    for number in layout.surfaces:
        if number in shown or any(layout.common_box_px(thing, number) for thing in undecided):
            continue
        message = f"expected a reflection in surface {number}, found none: is one missing?"
        yield Doubt("surface-without-reflection", "info", number, message)
