"""Triangles cut by a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def cut_triangles(corners: Floats, heights_m: Floats) -> tuple[Floats, Ints]:
    """What of some triangles lies over a plane.

    Args:
        corners: Positions, metres, shape (n, 3, 3).
        heights_m: Signed distance of each corner from the plane, shape (n, 3).

    Returns:
        The pieces over the plane, wound as the triangles they are of, shape (m, 3, 3); and the
        triangle that each is of, shape (m,). A triangle with two corners over it gives two.
    """
    over = heights_m > 0
    count = over.sum(axis=1)
    whole = np.flatnonzero(count == 3)
    tip, tip_of = _turned(corners, heights_m, count == 1, over)
    # With two corners over the plane the lone one under it comes first.
    base, base_of = _turned(corners, heights_m, count == 2, ~over)
    pieces = [
        corners[whole],
        np.stack((tip.first, tip.on_next, tip.on_last), axis=1),
        np.stack((base.on_next, base.next, base.last), axis=1),
        np.stack((base.on_next, base.last, base.on_last), axis=1),
    ]
    return np.concatenate(pieces), np.concatenate((whole, tip_of, base_of, base_of))


class _Lone:
    """Triangles seen from the corner that is alone on its side of the plane."""

    def __init__(self, corners: Floats, heights_m: Floats) -> None:
        self.first, self.next, self.last = corners[:, 0], corners[:, 1], corners[:, 2]
        self.on_next = _crossing(self.first, self.next, heights_m[:, 0], heights_m[:, 1])
        self.on_last = _crossing(self.first, self.last, heights_m[:, 0], heights_m[:, 2])


def _turned(
    corners: Floats, heights_m: Floats, chosen: NDArray[np.bool_], lone: NDArray[np.bool_]
) -> tuple[_Lone, Ints]:
    """Some triangles, their corners turned around until the lone one is the first."""
    places = np.flatnonzero(chosen)
    order = (np.argmax(lone[places], axis=1)[:, None] + np.arange(3)) % 3
    turned = np.take_along_axis(corners[places], order[..., None], axis=1)
    return _Lone(turned, np.take_along_axis(heights_m[places], order, axis=1)), places


def _crossing(a: Floats, b: Floats, height_a: Floats, height_b: Floats) -> Floats:
    """Where edges from a to b cross the plane."""
    share = height_a / (height_a - height_b)
    return np.asarray(a + share[:, None] * (b - a), np.float64)
