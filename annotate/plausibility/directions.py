"""Links of one flat surface run towards one point of the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotate.plausibility.common_point import Bearing, Link, bearings_of
from annotate.plausibility.doubts import Doubt, listed
from annotate.plausibility.layout import Layout
from annotate.plausibility.policy import PlausibilityPolicy
from mira.schema.annotation import Correspondence

Pair = tuple[int, int]
"""A real object and its reflection."""
_FLAT = frozenset({"planar_mirror", "glass", "water", "screen"})
_FEWEST = 3
"""Any two lines meet somewhere."""


def doubt_directions(
    layout: Layout, links: Iterable[Correspondence], policy: PlausibilityPolicy
) -> Iterator[Doubt]:
    """Links that run in another direction than the others of their surface.

    Where three or more and most of a surface's links meet in one point, each that does not is
    named. Where they do not, one of them is wrong and nobody can tell which, so the surface is.
    Reflections of reflections, bent surfaces and those of an unknown type are left out, and links
    too short to have a direction.

    That a reflection's outline is the mirrored one of its object is not tested: in simulated rooms
    it fits the plain one better in two of three pairs, as the back of a thing has its front's
    outline mirrored, and a mirror behind a thing shows its back.
    """
    by_surface: dict[int, list[Pair]] = {}
    for link in links:
        seen_in = layout.instances[link.reflected_id].seen_in
        if link.real_id is not None and link.reflection_of_id == link.real_id and len(seen_in) == 1:
            by_surface.setdefault(seen_in[0], []).append((link.real_id, link.reflected_id))
    for surface, pairs in by_surface.items():
        if len(pairs) >= _FEWEST and layout.surfaces[surface].surface_type in _FLAT:
            yield from _of_surface(surface, pairs, layout, policy)


def _of_surface(
    surface: int, pairs: Sequence[Pair], layout: Layout, policy: PlausibilityPolicy
) -> Iterator[Doubt]:
    lines = {pair: _line(pair, layout, policy) for pair in pairs}
    lines = {
        pair: line
        for pair, line in lines.items()
        if abs(line.way) > policy.direction_min_length * abs(line.half)
    }
    if len(lines) < _FEWEST:
        return
    bearings = bearings_of(
        list(lines.values()), spread=policy.direction_spread, most=policy.direction_most_links
    )
    found = dict(zip(lines, bearings, strict=True))
    good = [pair for pair, bearing in found.items() if _agrees(bearing, policy)]
    if len(good) == len(lines):
        return
    if len(good) < _FEWEST or 2 * len(good) <= len(lines):
        yield _no_point(surface, list(lines))
        return
    for pair in lines:
        if pair not in good:
            yield _other_way(pair, found[pair].degrees, surface, good)


def _agrees(bearing: Bearing, policy: PlausibilityPolicy) -> bool:
    if bearing.miss <= policy.direction_tolerance:
        return True
    return bearing.degrees < policy.direction_least_degrees


def _line(pair: Pair, layout: Layout, policy: PlausibilityPolicy) -> Link:
    own, other = layout.box_px(pair[0]), layout.box_px(pair[1])
    start = complex(own[0] + own[2], own[1] + own[3]) / 2
    end = complex(other[0] + other[2], other[1] + other[3]) / 2
    half = complex(own[2] - own[0] + other[2] - other[0], own[3] - own[1] + other[3] - other[1]) / 2
    cut = layout.is_at_border(pair[0], within_px=policy.border_px)
    leeway = policy.direction_cut_factor if cut else 1.0
    return Link((start + end) / 2, end - start, half, leeway)


def _other_way(pair: Pair, degrees: float, surface: int, good: Sequence[Pair]) -> Doubt:
    real, reflection = pair
    others = listed(sorted(other for _, other in good))
    message = (
        f"the way from object {real} to its reflection {reflection} points {degrees:.0f}° off the "
        f"point that those to reflections {others} in surface {surface} run to: is the link right?"
    )
    return Doubt("link-direction", "warning", reflection, message)


def _no_point(surface: int, pairs: Sequence[Pair]) -> Doubt:
    reflections = listed(sorted(reflection for _, reflection in pairs))
    message = (
        f"expected the lines from objects to their reflections {reflections} in surface {surface} "
        "to meet in one point, as those of a flat surface do, found none: is a link wrong?"
    )
    return Doubt("link-direction", "warning", surface, message)
