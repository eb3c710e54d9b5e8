"""The web of a radar, an axis a number, as places in drawings. y goes downwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple


class Spoke(NamedTuple):
    """An axis from the middle, 0, to its end, 1."""

    x: float
    y: float
    label: str
    label_x: float
    label_y: float
    anchor: str
    """Where the label begins: `start`, `middle` or `end`."""


class RadarWeb(NamedTuple):
    """Axes evenly around the middle of a square.

    Attributes:
        size_px: Width and height of the square.
        reach_px: Length of an axis.
        axes: How many there are.
        turned: How far the first is from the top, clockwise, in shares of the way to the next.
    """

    size_px: float
    reach_px: float
    axes: int
    turned: float = 0.0

    def shape(self, shares: Sequence[float]) -> str:
        """Points of a polygon, as SVG takes them, by how far out it is on each axis, 0 to 1."""
        places = (self._at(k, share) for k, share in zip(range(self.axes), shares, strict=True))
        return " ".join(f"{x},{y}" for x, y in places)

    def rings(self) -> tuple[str, ...]:
        """Shapes of a quarter, a half, three quarters, and all."""
        return tuple(self.shape([quarters / 4] * self.axes) for quarters in range(1, 5))

    def spokes(self, labels: Sequence[str], *, labels_at: float) -> tuple[Spoke, ...]:
        """The axes.

        Args:
            labels: What each is called.
            labels_at: How far out labels stand; the end of an axis is 1.
        """
        return tuple(
            self._spoke(k, label, labels_at)
            for k, label in zip(range(self.axes), labels, strict=True)
        )

    def _spoke(self, axis: int, label: str, labels_at: float) -> Spoke:
        across = math.cos(self._turn(axis))
        anchor = "middle" if abs(across) < 0.2 else "start" if across > 0 else "end"
        x, y = self._at(axis, 1.0)
        label_x, label_y = self._at(axis, labels_at)
        return Spoke(x, y, label, label_x, round(label_y + 4, 1), anchor)

    def _turn(self, axis: int) -> float:
        return 2 * math.pi * (axis + self.turned) / self.axes - math.pi / 2

    def _at(self, axis: int, share: float) -> tuple[float, float]:
        turn, reach, middle = self._turn(axis), self.reach_px * share, self.size_px / 2
        return round(middle + reach * math.cos(turn), 1), round(middle + reach * math.sin(turn), 1)
