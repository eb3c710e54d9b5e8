"""The floor from above: cells, boxes, who went where and faces which way."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.schema.episode import BoxId
from mira.sim.treasure.floor import HALF_WIDTH, Square, Stance
from mira.sim.treasure.pictures.room import BOX_COLOURS
from mira.sim.treasure.replay.moments import Moment
from mira.sim.treasure.rules import PLAYERS, Player

_SCALE = 3
_PAPER, _LINE, _STAR = (245, 246, 244), (214, 216, 212), (255, 214, 10)
COLOURS: dict[Player, tuple[int, int, int]] = {
    "subject": (32, 118, 124),
    "participant": (208, 108, 44),
}
"""Colours of the players, as their clothes."""


def draw_floor(
    so_far: list[Moment], boxes: tuple[Square, Square], reward_box: BoxId, *, size_px: int
) -> NDArray[np.uint8]:
    """A square plan, RGB, x to the right and the participant's side above.

    Args:
        so_far: Moments up to the one that is shown.
        boxes: Cells of the boxes.
        reward_box: The one with a star.
        size_px: Its width and height.
    """
    plan = _Plan(size_px * _SCALE)
    for edge in np.arange(-HALF_WIDTH - 0.5, HALF_WIDTH + 1):
        plan.line([(edge, -HALF_WIDTH - 0.5), (edge, HALF_WIDTH + 0.5)], _LINE, 0.03)
        plan.line([(-HALF_WIDTH - 0.5, edge), (HALF_WIDTH + 0.5, edge)], _LINE, 0.03)
    for box, (x, y) in enumerate(boxes):
        square = [
            (x + dx, y + dy) for dx, dy in ((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4))
        ]
        plan.fill(
            square, (int(BOX_COLOURS[box][0]), int(BOX_COLOURS[box][1]), int(BOX_COLOURS[box][2]))
        )
    x, y = boxes[reward_box]
    angles = np.pi / 2 + np.arange(10) * np.pi / 5
    radii = np.where(np.arange(10) % 2 == 0, 0.3, 0.13)
    star = zip(x + radii * np.cos(angles), y + radii * np.sin(angles), strict=True)
    plan.fill([(float(a), float(b)) for a, b in star], _STAR)
    for side, player in zip((-0.07, 0.07), PLAYERS, strict=True):
        way = [moment.stances[player].at for moment in so_far]
        plan.line([(a + side, b + side) for a, b in way], COLOURS[player], 0.08)
        plan.player(so_far[-1].stances[player], COLOURS[player])
    small = cv2.resize(plan.pixels, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


class _Plan:
    def __init__(self, size_px: int) -> None:
        self.pixels: NDArray[np.uint8] = np.full((size_px, size_px, 3), _PAPER, np.uint8)
        self._cell_px = size_px / (2 * HALF_WIDTH + 2)

    def line(
        self, way: list[tuple[float, float]], colour: tuple[int, int, int], wide: float
    ) -> None:
        thick = max(1, round(wide * self._cell_px))
        cv2.polylines(self.pixels, [self._places(way)], False, colour, thick, cv2.LINE_AA)

    def fill(self, outline: list[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        cv2.fillPoly(self.pixels, [self._places(outline)], colour, cv2.LINE_AA)

    def player(self, stance: Stance, colour: tuple[int, int, int]) -> None:
        """A disc with a nose."""
        angle = np.pi / 4 * stance.facing
        x, y = stance.at
        around = angle + np.linspace(0.5, 2 * np.pi - 0.5, 40)
        outline = [(x + 0.33 * float(np.cos(a)), y + 0.33 * float(np.sin(a))) for a in around]
        tip = (x + 0.62 * float(np.cos(angle)), y + 0.62 * float(np.sin(angle)))
        self.fill([*outline, tip], colour)

    def _places(self, points: list[tuple[float, float]]) -> NDArray[np.int32]:
        found = np.array(points, float) * np.array([1, -1]) + HALF_WIDTH + 1
        places: NDArray[np.int32] = np.rint(found * self._cell_px).astype(np.int32)
        return places
