"""A thing seen directly covers a surface, so the surface's outline goes around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from annotate.plausibility.doubts import Doubt
from annotate.plausibility.layout import Layout, Pair
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import Surface


def doubt_occlusion(layout: Layout, policy: PlausibilityPolicy) -> Iterator[Doubt]:
    """Surfaces in which direct instances lie, though nothing is seen through them.

    What stands in front of a surface is cut out of it. So a direct instance within the outline
    was either not cut out or is a reflection labelled as an object; outlines alone do not tell
    which, depth behind the surface's plane would. Glass is left out, as things behind it are seen
    directly; a surface of which nobody has said the type is not. A thing that holds the surface
    itself, as a television does its screen, surrounds it.
    """
    directs = [one.instance_id for one in layout.instances.values() if one.visibility == "direct"]
    pairs = [
        (thing, number)
        for number, surface in layout.surfaces.items()
        if surface.surface_type != "glass"
        for thing in directs
        if layout.common_box_px(thing, number)
    ]
    inside = _at_least(layout.shares_inside(pairs), policy.direct_inside_share)
    turned = [(number, thing) for thing, number in inside]
    carriers = _at_least(layout.shares_inside(turned), policy.carrier_share)
    found: dict[int, dict[int, float]] = {}
    for (thing, number), share in inside.items():
        if (number, thing) not in carriers:
            found.setdefault(number, {})[thing] = share
    for number, shares in found.items():
        yield _doubt(layout.surfaces[number], shares)


def _at_least(shares: Mapping[Pair, float], bound: float) -> dict[Pair, float]:
    return {pair: share for pair, share in shares.items() if share >= bound}


def _doubt(surface: Surface, shares: dict[int, float]) -> Doubt:
    number = surface.surface_id
    found = ", ".join(f"{thing} ({share:.0%})" for thing, share in list(shares.items())[:6])
    more = f" and {len(shares) - 6} more" if len(shares) > 6 else ""
    glass = "" if surface.surface_type else ", or give it the `surface_type` glass if it is that"
    message = (
        f"expected nothing seen directly inside surface {number}, found {found}{more}: cut what "
        f"stands in front out of the surface, label what is seen in it as a reflection{glass}"
    )
    return Doubt("direct-in-surface", "warning", number, message)
