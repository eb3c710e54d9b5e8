"""Every shape of a drawing as it is drawn a second time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.perturb.drawing import Json, is_ring, points_of
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.wobble import Redrawn, Size, redraw_box, redraw_ring, shift_points

_SHIFTED = frozenset({"rotation", "circle"})


def redraw_shape(
    shape: Any, *, noise: AnnotatorNoise, size_px: Size, rng: Generator
) -> NDArray[np.float64] | None:
    """Shift a shape's points in place.

    Polygons wobble, upright rectangles keep their right angles, turned ones and circles are
    shifted as a whole; all others stay.

    Returns:
        How far each point was moved; None where the shape stays.
    """
    points = points_of(shape)
    if points is None or noise.vertex_px == 0:
        return None
    redrawn = _redrawn(shape, points, noise, size_px, rng)
    if redrawn is None:
        return None
    shape["points"] = redrawn.points.tolist()
    return redrawn.shift_px


def _redrawn(
    shape: Json, points: NDArray[np.float64], noise: AnnotatorNoise, size_px: Size, rng: Generator
) -> Redrawn | None:
    sigma_px, kind = noise.vertex_px, shape.get("shape_type")
    if kind in _SHIFTED:
        return shift_points(points, sigma_px=sigma_px, size_px=size_px, rng=rng)
    if kind == "rectangle" and len(points) in (2, 4):
        return redraw_box(points, sigma_px=sigma_px, size_px=size_px, rng=rng)
    if not is_ring(shape):
        return None
    return redraw_ring(
        points, sigma_px=sigma_px, wobble_px=noise.wobble_px, size_px=size_px, rng=rng
    )
