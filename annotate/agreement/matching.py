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


def match_shapes(overlaps: Overlaps, *, min_iou: float) -> tuple[Match, ...]:
    """The pairing whose IoUs have the greatest sum (Kuhn 1955; Munkres 1957), each shape once.

    Args:
        overlaps: Pairs of shapes that share something.
        min_iou: Pairs that share less are none.

    Returns:
        By the place of the first.
    """
    enough = overlaps.iou >= min_iou
    first, second, iou = overlaps.first[enough], overlaps.second[enough], overlaps.iou[enough]
    if len(np.unique(first)) < len(first) or len(np.unique(second)) < len(second):
        chosen = _assigned(first, second, iou)
        first, second, iou = first[chosen], second[chosen], iou[chosen]
    order = np.argsort(first, kind="stable")
    return tuple(
        Match(*found)
        for found in zip(
            first[order].tolist(), second[order].tolist(), iou[order].tolist(), strict=True
        )
    )


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
