"""On which sides a thing may go on beyond its outline, and how far.

Looked at along lines that leave the outline to one side: what lies on a line next to the outline
may hide the rest of the thing, which can go on as far as that does and no farther, or it would
show again behind it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.geometry.cropped_mask import CroppedMask
from mira.geometry.measured_scene import SceneGeometry
from mira.geometry.mirror_policy import DepthNoisePolicy
from mira.geometry.outlined_areas import OutlinedAreas
from mira.geometry.plane_fitting import depth_sigma_m
from mira.schema.annotation import ImageAnnotation

Depth = NDArray[np.floating]
Mask = NDArray[np.bool_]

_REACH_PX = 3
"""What comes so near to an outline touches it."""
_END_SHARE = 0.25
"""Lines leave from the outermost part of a thing, this share of its width or height."""
_LEAST_PX = 3
"""Fewer lines with something on them are a slip of the outline."""
_LEAST_SHARE = 0.2
"""What is nearer by depth alone is on so many of the lines at least: outlines run into the
background here and there."""
_AROUND = 2
"""Lines are followed for so many widths or heights of the thing; what goes on is endless."""
_LINES = 48
"""So many lines a side, of those that leave it, tell enough."""
_NEARER_M = 0.06
"""What is nearer than the thing by less, beside noise, may be the thing or what it stands on."""
_SIGMAS = 3.0


class CutOff(NamedTuple):
    """By how many pixels a thing may go on beyond each side; 0 where it ends there."""

    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0


def cut_off_sides(
    annotation: ImageAnnotation,
    areas: OutlinedAreas,
    scene: SceneGeometry,
    depth_m: Depth,
    noise: DepthNoisePolicy,
) -> dict[int, CutOff]:
    """For each instance how far it may go on beyond each side, hidden by something.

    What may hide it: the picture's edge, and for a reflection the edge of the surface that it is
    seen in, without end; an instance that touches it and is measured nearer, or is not measured;
    anything else next to it with nearer readings.

    Args:
        annotation: The picture's annotation.
        areas: Its outlines as masks.
        scene: What geometry says of it.
        depth_m: z of every pixel, metres, 0 for none, shape (height, width).
        noise: Errors of depth.
    """
    picture = _Picture(annotation, areas, scene, depth_m)
    found = {}
    for number, one in enumerate(annotation.instances):
        area = areas.instances[one.instance_id]
        if not area.mask.any():
            found[one.instance_id] = CutOff()
            continue
        slack = _NEARER_M + _SIGMAS * float(depth_sigma_m(picture.near_end_m[number], noise))
        surface = areas.surfaces[one.seen_in[0]] if one.seen_in else None
        found[one.instance_id] = CutOff(
            *(picture.hidden_px(number, side, surface, slack) for side in _leaving(area))
        )
    return found


class _Side(NamedTuple):
    """Lines that leave an outline to one side.

    Attributes:
        rows: Of each line's first pixel outside, shape (n,).
        columns: Likewise.
        step: Rows and columns from a pixel of a line to the next.
        size_px: Width or height of the thing along the lines.
        every: Each line stands for so many.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    step: tuple[int, int]
    size_px: int
    every: int


def _leaving(area: CroppedMask) -> Iterator[_Side]:
    """Lines to the left, right, top and bottom, from the outermost part of a thing each."""
    for mask, flip, down in (
        (area.mask, False, False),
        (area.mask[:, ::-1], True, False),
        (area.mask.T, False, True),
        (area.mask.T[:, ::-1], True, True),
    ):
        lines = np.flatnonzero(mask.any(axis=1))
        first = mask[lines].argmax(axis=1)
        reached = np.flatnonzero(mask.any(axis=0))
        size = int(reached[-1] - reached[0] + 1)
        outermost = np.flatnonzero(first < reached[0] + max(_END_SHARE * size, 1))
        every = max(len(outermost) // _LINES, 1)
        lines, first = lines[outermost[::every]], first[outermost[::every]]
        along = mask.shape[1] - 1 - first + 1 if flip else first - 1
        sign = 1 if flip else -1
        if down:
            yield _Side(along + area.top, lines + area.left, (sign, 0), size, every)
        else:
            yield _Side(lines + area.top, along + area.left, (0, sign), size, every)


class _Picture:
    """What is outlined and measured in a picture.

    Attributes:
        near_end_m: z of each instance's near end, 0 where it is not measured.
    """

    def __init__(
        self,
        annotation: ImageAnnotation,
        areas: OutlinedAreas,
        scene: SceneGeometry,
        depth_m: Depth,
    ) -> None:
        seen = {one.instance_id: one.seen for one in scene.instances}
        order = [seen[one.instance_id] for one in annotation.instances]
        self.near_end_m = [0.0 if one is None else one.extents_m.low_m[2] for one in order]
        self._middle_m = np.array([0.0 if one is None else one.centre_m[2] for one in order])
        self._depth_m = depth_m
        size = (annotation.height_px, annotation.width_px)
        self._owner: NDArray[np.int32] = np.full(size, -1, np.int32)
        for number, one in enumerate(annotation.instances):
            area = areas.instances[one.instance_id]
            area.of(self._owner)[area.mask] = number

    def hidden_px(
        self, number: int, side: _Side, surface: CroppedMask | None, slack_m: float
    ) -> float:
        """How far a thing may go on to a side.

        Args:
            number: The instance's place in the annotation.
            side: Lines that leave it there.
            surface: The mirror that it is seen in, if it is a reflection.
            slack_m: Readings are nearer than the thing when they are by so much.
        """
        if self._ends_at(side):
            return math.inf
        thing = _Thing(number, surface, self.near_end_m[number] - slack_m)
        beside = self._along(side, 2 * _REACH_PX, thing)
        starts = (beside.endless | beside.named)[:, :_REACH_PX].any(axis=1)
        # Depth at an outline is mixed of both sides: a jump shows a little farther out.
        jumps = np.asarray(beside.nearer[:, _REACH_PX:].all(axis=1))
        if jumps.sum() >= max(_LEAST_PX / side.every, _LEAST_SHARE * len(jumps)):
            starts |= jumps
        if starts.sum() * side.every < _LEAST_PX:
            return 0.0
        steps = _AROUND * side.size_px + 2 * _REACH_PX
        lines = side._replace(rows=side.rows[starts], columns=side.columns[starts])
        along = self._along(lines, steps, thing)
        hides = along.endless | along.named | along.nearer | along.unread
        hides[:, :_REACH_PX] = True
        ends = np.where(hides.all(axis=1), steps, np.argmin(hides, axis=1))
        endless = (along.endless & (np.arange(steps) < ends[:, None])).any()
        return math.inf if endless or ends.max() == steps else float(ends.max())

    def _ends_at(self, side: _Side) -> bool:
        """Whether a thing reaches the picture's edge on a side, but for a pixel."""
        rows, columns = side.rows + side.step[0], side.columns + side.step[1]
        height, width = self._owner.shape
        return bool(((rows < 0) | (columns < 0) | (rows >= height) | (columns >= width)).any())

    def _along(self, side: _Side, steps: int, thing: _Thing) -> _Along:
        """What lies on the first pixels of lines."""
        far = np.arange(steps)
        rows = side.rows[:, None] + far * side.step[0]
        columns = side.columns[:, None] + far * side.step[1]
        height, width = self._owner.shape
        endless = (rows < 0) | (columns < 0) | (rows >= height) | (columns >= width)
        if thing.surface is not None:
            endless |= ~_covered(thing.surface, rows, columns)
        rows, columns = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
        owner, depth = self._owner[rows, columns], self._depth_m[rows, columns]
        before = np.append(self._middle_m <= self._middle_m[thing.number], False)
        before[thing.number] = False
        unread = ~(depth > 0)
        nearer = (depth < thing.before_m) & ~unread & (owner != thing.number)
        return _Along(endless, before[owner], nearer, unread)


class _Thing(NamedTuple):
    """What may be hidden: its place in the annotation, its mirror, and what z is before it."""

    number: int
    surface: CroppedMask | None
    before_m: float


class _Along(NamedTuple):
    """Pixels of lines, shape (lines, steps).

    Attributes:
        endless: Outside the picture, or the mirror.
        named: Of an instance that is nearer.
        nearer: Measured nearer.
        unread: Not measured.
    """

    endless: Mask
    named: Mask
    nearer: Mask
    unread: Mask


def _covered(area: CroppedMask, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Mask:
    """Which pixels of a picture are in a mask."""
    height, width = area.mask.shape
    if not area.mask.size:
        return np.zeros(rows.shape, bool)
    y, x = rows - area.top, columns - area.left
    inside = (y >= 0) & (x >= 0) & (y < height) & (x < width)
    return np.asarray(inside & area.mask[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)])
