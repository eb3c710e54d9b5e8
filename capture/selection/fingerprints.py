"""What a view's reflections look like, in a few numbers that can be compared."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from capture.picture_hash import hash_distance, hash_picture
from capture.selection.measuring import union_of
from capture.selection.policy import ReflectionPolicy
from capture.selection.regions import ViewRegions

_SMALL_PX = 32
_MOST_SURFACES = 16
_LAB_BINS = (4, 8, 8)
_LAB_RANGES = ((0.0, 256.0), (64.0, 192.0), (64.0, 192.0))
"""Lightness, green to red, blue to yellow, as OpenCV scales them; stronger colours are rare."""


@dataclass(frozen=True, eq=False)
class Fingerprints:
    """Fingerprints of a view.

    Attributes:
        of_surfaces: Whether surfaces were looked at; else the whole picture.
        hashes: One a surface that shows something, the largest first.
        sizeable: How many of these are large enough to want a match in another view.
        palette: Shares of colours in what was looked at, of sum 1; absent where nothing was.
        labels: The scene's names of the surfaces in the view, where known.
    """

    of_surfaces: bool
    hashes: tuple[int, ...] = ()
    sizeable: int = 0
    palette: NDArray[np.float32] | None = None
    labels: frozenset[str] = field(default_factory=frozenset)


class AlikePlaces(NamedTuple):
    """Two views that are alike, as places in a sequence, and the bits by which they differ."""

    first: int
    second: int
    distance: int


def take_fingerprints(
    image_rgb: NDArray[np.uint8], regions: ViewRegions, *, policy: ReflectionPolicy
) -> Fingerprints:
    """Fingerprints of the surfaces of a view, or of the whole picture where none are known.

    Args:
        image_rgb: The picture, shape (height, width, 3).
        regions: Its surfaces.
        policy: Which surfaces are too small, and which too plain.
    """
    shape = image_rgb.shape[:2]
    masks = regions.masks if regions.known else (np.ones(shape, np.bool_),)
    if not masks:
        return Fingerprints(of_surfaces=True)
    areas = [int(mask.sum()) for mask in masks]
    order = sorted(range(len(areas)), key=lambda place: (-areas[place], place))[:_MOST_SURFACES]
    telling = [
        place for place in order if _contrast(image_rgb, masks[place]) >= policy.least_contrast
    ]
    return Fingerprints(
        of_surfaces=regions.known,
        hashes=tuple(hash_picture(image_rgb, masks[place]) for place in telling),
        sizeable=sum(areas[place] >= policy.least_share * areas[order[0]] for place in telling),
        palette=_palette(image_rgb[union_of(masks, shape)]),
        labels=frozenset(filter(None, regions.labels)),
    )


def distance_between(first: Fingerprints, second: Fingerprints) -> int | None:
    """Bits by which two views differ: those of the sizeable surface whose best match is worst.

    Views are alike only where each sizeable surface of either has a match in the other. None
    where the two cannot be compared.
    """
    if not first.sizeable or not second.sizeable or first.of_surfaces != second.of_surfaces:
        return None
    return max(_worst_match(first, second), _worst_match(second, first))


def shared_colours(first: Fingerprints, second: Fingerprints) -> float | None:
    """How much of their colours two views share, 0 to 1; None as for `distance_between`."""
    if first.palette is None or second.palette is None or first.of_surfaces != second.of_surfaces:
        return None
    return float(np.minimum(first.palette, second.palette).sum())


def find_alike(prints: list[Fingerprints], *, most: int) -> tuple[AlikePlaces, ...]:
    """Pairs of views that differ by at most so many bits, in order.

    Args:
        prints: Fingerprints of views.
        most: Largest distance.
    """
    owners = np.array([k for k, entry in enumerate(prints) for _ in entry.hashes], np.intp)
    hashes = np.array([value for entry in prints for value in entry.hashes], np.uint64)
    pairs: set[tuple[int, int]] = set()
    for place, value in enumerate(hashes):
        near = np.flatnonzero(np.bitwise_count(hashes[place + 1 :] ^ value) <= most) + place + 1
        owner = int(owners[place])
        pairs |= {(owner, int(other)) for other in owners[near] if other != owner}
    found = []
    for first, second in sorted(pairs):
        distance = distance_between(prints[first], prints[second])
        if distance is not None and distance <= most:
            found.append(AlikePlaces(first, second, distance))
    return tuple(found)


def _worst_match(ours: Fingerprints, theirs: Fingerprints) -> int:
    return max(
        min(hash_distance(value, other) for other in theirs.hashes)
        for value in ours.hashes[: ours.sizeable]
    )


def _palette(pixels_rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Shares of coarse colours among pixels, shape (n, 3)."""
    lab = cv2.cvtColor(pixels_rgb[:, None], cv2.COLOR_RGB2LAB)
    ranges = [end for limits in _LAB_RANGES for end in limits]
    counts = cv2.calcHist([lab], [0, 1, 2], None, list(_LAB_BINS), ranges).ravel()
    return (counts / max(float(counts.sum()), 1.0)).astype(np.float32)


def _contrast(image_rgb: NDArray[np.uint8], mask: NDArray[np.bool_]) -> float:
    """Standard deviation of what is left of a region in small, where noise has averaged out."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    grey = cv2.cvtColor(np.ascontiguousarray(image_rgb[box]), cv2.COLOR_RGB2GRAY)
    inside = mask[box]
    filled = np.where(inside, grey, grey[inside].mean()).astype(np.float32)
    size = (_SMALL_PX, _SMALL_PX)
    small = cv2.resize(filled, size, interpolation=cv2.INTER_AREA)
    seen = cv2.resize(inside.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.5
    return float(small[seen].std()) if seen.any() else 0.0
