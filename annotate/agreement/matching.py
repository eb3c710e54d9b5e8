"""Which shape of the one annotation is which of the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from annotate.agreement.overlaps import Overlaps


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
    found = map(Match, overlaps.first.tolist(), overlaps.second.tolist(), overlaps.iou.tolist())
    best: dict[int, Match] = {}
    for match in found:
        if match.first not in best or match.iou > best[match.first].iou:
            best[match.first] = match
    # Where all can have the one they share most with, no other pairing has a greater sum.
    if len({match.second for match in best.values()}) == len(best):
        return tuple(sorted(best.values()))
    return tuple(sorted(_assigned(overlaps)))


def _assigned(overlaps: Overlaps) -> Iterator[Match]:
    """The pairs that are chosen."""
    from scipy.optimize import linear_sum_assignment

    rows, row = np.unique(overlaps.first, return_inverse=True)
    columns, column = np.unique(overlaps.second, return_inverse=True)
    matrix = np.zeros((len(rows), len(columns)))
    matrix[row, column] = overlaps.iou
    for i, k in zip(*linear_sum_assignment(matrix, maximize=True), strict=True):
        if matrix[i, k] > 0:
            yield Match(int(rows[i]), int(columns[k]), float(matrix[i, k]))
