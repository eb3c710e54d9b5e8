"""Which shape of the one annotation is which of the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from annotate.agreement.overlaps import Floats, Ints, Overlaps


class Match(NamedTuple):
    """Two shapes that are taken for one thing."""

    first: int
    """Place of the one annotation's shape."""
    second: int
    """Place of the other's."""
    iou: float
    """What they share."""


def match_shapes(overlaps: Overlaps) -> tuple[Match, ...]:
    """The pairing whose IoUs have the greatest sum (Kuhn 1955; Munkres 1957), each shape once.

    Args:
        overlaps: Pairs of shapes that share enough to be partners.

    Returns:
        By the place of the first.
    """
    first, second = overlaps.first.tolist(), overlaps.second.tolist()
    found = list(map(Match, first, second, overlaps.iou.tolist()))
    if len(set(first)) < len(found) or len(set(second)) < len(found):
        chosen = _assigned(overlaps.first, overlaps.second, overlaps.iou)
        found = [found[place] for place in chosen.tolist()]
    return tuple(sorted(found))


def _assigned(first: Ints, second: Ints, iou: Floats) -> Ints:
    """Places of the pairs that are chosen."""
    from scipy.optimize import linear_sum_assignment

    rows, row = np.unique(first, return_inverse=True)
    columns, column = np.unique(second, return_inverse=True)
    matrix = np.zeros((len(rows), len(columns)))
    matrix[row, column] = iou
    place = np.full(matrix.shape, -1)
    place[row, column] = np.arange(len(iou))
    chosen = place[linear_sum_assignment(matrix, maximize=True)]
    return np.asarray(chosen[chosen >= 0])
