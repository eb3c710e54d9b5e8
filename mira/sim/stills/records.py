"""What the stills of all worlds have in common."""

from __future__ import annotations

from pathlib import PurePosixPath

import numpy as np
from numpy.typing import ArrayLike

from mira.schema.capture import RigidTransform
from mira.schema.record import PathInside, Record

Pixel = tuple[float, float]
"""A position x, y in a picture; the origin is the centre of the first pixel."""


class Still(Record):
    """A picture of a world; a line of `frames.jsonl`."""

    file: PathInside
    """Its path in the folder."""
    sha256: str
    """Digest of the file."""

    @property
    def caption(self) -> str:
        """What a contact sheet has below it."""
        return PurePosixPath(self.file).stem


def camera_pose(axes: ArrayLike, at_m: ArrayLike) -> RigidTransform:
    """Takes points from a camera's frame to the world's.

    Args:
        axes: Rows are the camera's right, down and forward in the world, shape (3, 3).
        at_m: Where it is in the world, metres.
    """
    first, second, third = (tuple(row) for row in rounded(np.asarray(axes).T, 9).tolist())
    return RigidTransform(
        target="world",
        source="camera",
        rotation=(first, second, third),
        translation_m=tuple(rounded(at_m, 9).tolist()),
    )


def pixel(at_px: ArrayLike) -> Pixel | None:
    """A position to a thousandth of a pixel; None for what no picture shows, which is NaN."""
    x, y = rounded(at_px, 3).tolist()
    return None if np.isnan((x, y)).any() else (x, y)


def rounded(values: ArrayLike, decimals: int) -> np.ndarray:
    """Numbers that are the same wherever they are worked out, none of them -0."""
    return np.round(np.asarray(values, np.float64), decimals) + 0.0
