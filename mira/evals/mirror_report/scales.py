"""Numbers to places in drawings, and the marks along their edges."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple


class Scale(NamedTuple):
    """A straight scale.

    Attributes:
        low: Number at the beginning.
        high: Number at the end.
        start_px: Where the beginning is.
        end_px: Where the end is.
    """

    low: float
    high: float
    start_px: float
    end_px: float

    def at(self, number: float) -> float:
        """Where a number is, in px, kept within the scale."""
        share = (min(max(number, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start_px + share * (self.end_px - self.start_px), 1)

    def ticks(self, step: float) -> list[tuple[float, str]]:
        """Where round numbers are, and how they are written."""
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [
            (self.at(k * step), f"{k * step + 0.0:.{digits}f}".replace("-", "−"))
            for k in range(first, last + 1)
        ]


def rounded_range(
    numbers: Iterable[float], *, step: float, least: tuple[float, float]
) -> tuple[float, float]:
    """A range with round ends that holds numbers and another range.

    A hundredth of a step beyond an end is not seen.
    """
    known = [*numbers, *least]
    low, high = math.floor(min(known) / step + 0.01), math.ceil(max(known) / step - 0.01)
    return low * step, high * step
