"""A reflection is seen in a surface, so it lies inside the surface's outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotate.plausibility.doubts import Doubt, listed
from annotate.plausibility.layout import Layout
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import Instance


def doubt_containment(layout: Layout, policy: PlausibilityPolicy) -> Iterator[Doubt]:
    """Reflections that lie mostly outside of the surface they are said to be seen in.

    The first surface of a chain is the one on the picture, so reflections of reflections count
    too. What stands in front of a surface hides the reflection behind it, so holes of the surface
    do not count as inside. Where nobody has said in which surface a reflection is seen, all
    surfaces of the picture together must hold it; a picture without any has a finding of its own.
    """
    if not layout.surfaces:
        return
    reflections = [one for one in layout.instances.values() if one.visibility == "reflected"]
    held = _held(reflections, layout, policy.reflection_inside_share)
    for reflection in reflections:
        if reflection.instance_id in held:
            continue
        shares = _shares(reflection.instance_id, layout)
        if reflection.seen_in:
            yield _outside(reflection, shares, policy.reflection_inside_share)
        else:
            yield _in_none(reflection, shares, policy.reflection_inside_share)


def _held(reflections: Sequence[Instance], layout: Layout, bound: float) -> set[int]:
    """The reflections that lie in their surface, or in any surfaces if they name none."""
    pairs = [
        (one.instance_id, surface)
        for one in reflections
        for surface in one.seen_in[:1] or layout.surfaces
    ]
    total: dict[int, float] = {}
    for (thing, _), share in layout.shares_inside(pairs).items():
        total[thing] = total.get(thing, 0.0) + share
    return {thing for thing, share in total.items() if share >= bound}


def _shares(thing: int, layout: Layout) -> dict[int, float]:
    """The share of a thing in each surface, the largest first."""
    found = layout.shares_inside([(thing, surface) for surface in layout.surfaces])
    shares = {surface: share for (_, surface), share in found.items()}
    return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))


def _outside(reflection: Instance, shares: dict[int, float], bound: float) -> Doubt:
    named, number = reflection.seen_in[0], reflection.instance_id
    holders = [surface for surface, share in shares.items() if share >= bound]
    found = f"{shares[named]:.0%} of reflection {number} lies inside surface {named}"
    advice = (
        f"{shares[holders[0]]:.0%} lies in surface {holders[0]}: is `in_mirror` right?"
        if holders
        else "is it a reflection, is `in_mirror` right, and is the surface drawn to its edge?"
    )
    message = f"{found}, expected {bound:.0%} or more; {advice}"
    return Doubt("reflection-outside-surface", "warning", number, message)


def _in_none(reflection: Instance, shares: dict[int, float], bound: float) -> Doubt:
    number = reflection.instance_id
    message = (
        f"{sum(shares.values()):.0%} of reflection {number} lies inside a surface "
        f"({listed(sorted(shares))}), expected {bound:.0%} or more: is it a reflection, and is "
        "its surface drawn?"
    )
    return Doubt("reflection-without-surface", "warning", number, message)
