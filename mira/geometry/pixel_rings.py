"""The exact outline of a mask, along the edges of its pixels."""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

_STEP_X = np.array((1, 0, -1, 0))
_STEP_Y = np.array((0, 1, 0, -1))
"""Right, down, left, up: each direction is the one before turned right."""


def polygons_of_mask(mask: NDArray[np.bool_]) -> list[shapely.Polygon]:
    """The parts of a mask, each with its holes, as polygons with corners at whole pixels.

    Pixel (column, row) covers [column, column + 1] x [row, row + 1]. Pixels that touch at a corner
    alone belong to different parts.

    Args:
        mask: Shape (height, width).
    """
    rings = _rings(mask)
    if not rings:
        return []
    _, label = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    outside: dict[int, NDArray[np.int64]] = {}
    holes: dict[int, list[NDArray[np.int64]]] = defaultdict(list)
    for ring, (column, row) in rings:
        part = int(label[row, column])
        if _signed_area(ring) > 0:
            outside[part] = ring
        else:
            holes[part].append(ring)
    return [shapely.Polygon(ring, holes[part]) for part, ring in sorted(outside.items())]


def _rings(mask: NDArray[np.bool_]) -> list[tuple[NDArray[np.int64], tuple[int, int]]]:
    """Closed chains of corners with the mask on their right, and a mask pixel beside each."""
    x, y, direction, column, row = _edges(mask)
    following = _following(x, y, direction, width=mask.shape[1] + 1)
    turns = direction[following] != direction
    # Only corners are walked: edges after which the direction changes.
    corner = np.flatnonzero(turns)
    end_x, end_y = x + _STEP_X[direction], y + _STEP_Y[direction]
    links = _next_corner(following, turns)[following].tolist()
    unseen = set(corner.tolist())
    rings = []
    for start in corner.tolist():
        if start not in unseen:
            continue
        chain, edge = [], start
        while edge in unseen:
            unseen.discard(edge)
            chain.append(edge)
            edge = links[edge]
        ring = np.stack((end_x[chain], end_y[chain]), axis=-1)
        pixel = (int(column[start]), int(row[start]))
        rings += [(part, pixel) for part in _split_where_touching(ring)]
    return rings


def _next_corner(following: NDArray[np.int64], turns: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The first edge from each on, itself included, after which the direction changes."""
    reached = np.where(turns, np.arange(len(turns)), following)
    while not turns[reached].all():
        reached = reached[reached]
    return reached


def _split_where_touching(ring: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """A ring that comes back to one of its corners is cut in two there: an outline and a hole."""
    rings: list[list[tuple[int, ...]]] = []
    open_chain: list[tuple[int, ...]] = []
    seen: dict[tuple[int, ...], int] = {}
    for corner in map(tuple, ring.tolist()):
        if corner in seen:
            start = seen[corner]
            rings.append(open_chain[start:])
            for passed in open_chain[start + 1 :]:
                del seen[passed]
            del open_chain[start + 1 :]
        else:
            seen[corner] = len(open_chain)
            open_chain.append(corner)
    rings.append(open_chain)
    return [np.array(part) for part in rings]


def _edges(mask: NDArray[np.bool_]) -> tuple[NDArray[np.int64], ...]:
    """Unit edges with the mask on their right: start x, y, direction, and the pixel there."""
    wide = np.pad(mask, 1)
    inner = wide[1:-1, 1:-1]
    sides = (
        (inner & ~wide[:-2, 1:-1], 0, 0, 0),
        (inner & ~wide[1:-1, 2:], 1, 1, 0),
        (inner & ~wide[2:, 1:-1], 2, 1, 1),
        (inner & ~wide[1:-1, :-2], 3, 0, 1),
    )
    found = []
    for border, direction, right, down in sides:
        row, column = np.nonzero(border)
        found.append((column + right, row + down, np.full(len(row), direction), column, row))
    return tuple(np.concatenate(values) for values in zip(*found, strict=True))


def _following(
    x: NDArray[np.int64], y: NDArray[np.int64], direction: NDArray[np.int64], *, width: int
) -> NDArray[np.int64]:
    """The edge that goes on from each edge's end; where two do, the one that turns right."""
    height = int(y.max(initial=0)) + 2
    starting = np.full((4, height * width), -1)
    starting[direction, y * width + x] = np.arange(len(x))
    end = (y + _STEP_Y[direction]) * width + x + _STEP_X[direction]
    following = np.full(len(x), -1)
    for turn in (3, 0, 1):
        candidate = starting[(direction + turn) % 4, end]
        following = np.where(candidate >= 0, candidate, following)
    return following


def _signed_area(ring: NDArray[np.int64]) -> float:
    """Twice the area of a ring, positive if its inside is on its right (y down)."""
    x, y = ring[:, 0], ring[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
