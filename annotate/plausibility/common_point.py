"""The point of the picture that the lines from objects to their images in one flat mirror meet in.

A mirror moves every point along its normal. In the picture, the lines along one direction meet in
that direction's vanishing point (Hartley and Zisserman, *Multiple View Geometry*, 2004, section
8.6), which may be at infinity; all reflections lie on the same side of their objects: towards it,
or all away from it where the mirror looks away from the camera's axis. Seen from that point, an
object and its image cover the same angle, whatever sides of it they show, so their middles across
the line agree but for what is hidden.

Points of the picture are complex numbers here, x + iy in pixels: the real part of conj(a) · b is
the dot product of a and b, its imaginary part their cross product.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple


class Link(NamedTuple):
    """An object and its reflection, as their boxes give them."""

    middle: complex
    """Half way between their middles."""
    way: complex
    """From the object's middle to the reflection's."""
    half: complex
    """Half width and half height of the two together."""
    leeway: float
    """Factor of what it may miss the point by."""


class Bearing(NamedTuple):
    """How a link stands to a point."""

    miss: float
    """How far its ends lie beside their line through the point, as a share of their half extents
    across it; infinite where the reflection lies on the other side than those of most links."""
    degrees: float
    """Angle between the way to the reflection and that line."""


class _Candidate(NamedTuple):
    """A point where two lines meet, in homogeneous coordinates."""

    point: complex
    weight: float


class _Sight(NamedTuple):
    """A link as seen from a candidate, on the scale of its distance from there."""

    ahead: float
    beside: float
    miss: float


def bearings_of(links: Sequence[Link], *, spread: float, most: int) -> list[Bearing]:
    """How each link stands to the point that suits all of them best.

    The candidates are the points where two of the lines meet; the one with the largest sum of
    1 / (1 + (miss / spread)²) is taken, so that a few wrong links do not draw it to themselves. One
    that suits every link ends the search. Nothing is drawn by chance.

    Args:
        links: Two or more.
        spread: Miss at which a link counts half.
        most: Candidates come from the longest so many links.
    """
    best, side, best_score = [], 1, -1.0
    longest = sorted(links, key=lambda link: -abs(link.way))[:most]
    for first, second in combinations(longest, 2):
        candidate = _crossing(first, second)
        sights = [_sight(link, candidate) for link in links]
        for turn in (1, -1):
            suits = [sight.miss / spread for sight in sights if turn * sight.ahead > 0]
            if len(suits) == len(links) and max(suits) <= 1:
                return [_bearing(sight, turn) for sight in sights]
            score = sum(1 / (1 + suit * suit) for suit in suits)
            if score > best_score:
                best, side, best_score = sights, turn, score
    return [_bearing(sight, side) for sight in best]


def _crossing(first: Link, second: Link) -> _Candidate:
    """Where two lines meet; of weight 0 at infinity, and 0 all over if the lines are one."""
    back = first.way.conjugate()
    weight = (back * second.way).imag
    apart = second.middle - first.middle
    return _Candidate(
        first.middle * weight + first.way * (apart.conjugate() * second.way).imag, weight
    )


def _sight(link: Link, candidate: _Candidate) -> _Sight:
    towards = candidate.point - link.middle * candidate.weight
    moved = towards.conjugate() * link.way
    across = link.half.real * abs(towards.imag) + link.half.imag * abs(towards.real)
    beside = abs(moved.imag)
    return _Sight(moved.real, beside, beside / (across * link.leeway) if across else math.inf)


def _bearing(sight: _Sight, side: int) -> Bearing:
    ahead = side * sight.ahead
    degrees = math.degrees(math.atan2(sight.beside, ahead))
    return Bearing(sight.miss if ahead > 0 else math.inf, degrees)
