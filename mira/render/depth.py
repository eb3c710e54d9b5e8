"""Depth as a colour picture."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from mira.render.style import ColorMap, RenderStyle
from mira.schema.record import Record

_READINGS = 1 << 16


class DepthScale(Record):
    """What the colours of a depth picture mean."""

    color_map: ColorMap
    """Colours, from `near` to `far`."""
    near: float | None
    """Reading of the first colour and all nearer ones; absent when nothing was read."""
    far: float | None
    """Reading of the last colour and all farther ones; absent when nothing was read."""
    unit: Literal["m", "raw"]
    """Unit of both: metres, or the file's own steps where depth is not metric."""
    valid_fraction: float
    """Share of pixels with a reading."""

    @property
    def in_words(self) -> str | None:
        """What the colours span, such as `0.52 to 3.10 m`; None where nothing was read."""
        if self.near is None or self.far is None:
            return None
        if self.unit == "m":
            return f"{self.near:.2f} to {self.far:.2f} m"
        return f"{self.near:.0f} to {self.far:.0f} steps"


class DepthPicture(NamedTuple):
    """A coloured depth map and its legend."""

    image_rgb: NDArray[np.uint8]
    scale: DepthScale


def render_depth(
    depth: NDArray[np.uint16], *, unit_m: float | None, style: RenderStyle
) -> DepthPicture:
    """Depth in colours, the range fitted to the picture.

    Args:
        depth: Readings, 0 for none, shape (height, width).
        unit_m: Metres a step; absent for depth that is not metric, whose range is given raw.
        style: Colour map, percentiles of the range and the colour of no reading.

    Returns:
        Colours, shape (height, width, 3), and the range they span. A picture of one single depth
        takes the nearest colour.
    """
    counts = np.bincount(depth.ravel(), minlength=_READINGS)
    valid = depth.size - int(counts[0])
    counts[0] = 0
    reading_range = _percentiles(counts, (style.depth_low_percentile, style.depth_high_percentile))
    image_rgb = np.take(_reading_colors(reading_range, style), depth, axis=0)
    near, far = (None, None) if reading_range is None else reading_range
    scale = DepthScale(
        color_map=style.depth_map,
        near=_in_unit(near, unit_m),
        far=_in_unit(far, unit_m),
        unit="raw" if unit_m is None else "m",
        valid_fraction=valid / depth.size if depth.size else 0.0,
    )
    return DepthPicture(image_rgb, scale)


@cache
def color_table(name: ColorMap) -> NDArray[np.uint8]:
    """The colours of a map, near to far; shape (256, 3), red, green, blue, read-only.

    Jet and gray are computed here, so no release of another package can change them. Gray goes
    from white to dark and stops short of black.
    """
    if name == "jet":
        table = _jet()
    elif name == "gray":
        table = np.repeat(np.linspace(255, 40, 256).round().astype(np.uint8)[:, None], 3, axis=1)
    else:
        steps = np.arange(256, dtype=np.uint8)[:, None]
        mapped = cv2.applyColorMap(steps, getattr(cv2, f"COLORMAP_{name.upper()}"))
        table = np.asarray(mapped[:, 0, ::-1], dtype=np.uint8).copy()
    table.flags.writeable = False
    return table


def _jet() -> NDArray[np.uint8]:
    position = np.linspace(0, 4, 256)
    channels = [np.clip(1.5 - np.abs(position - peak), 0, 1) for peak in (3, 2, 1)]
    return np.rint(255 * np.stack(channels, axis=1)).astype(np.uint8)


def _reading_colors(
    reading_range: tuple[float, float] | None, style: RenderStyle
) -> NDArray[np.uint8]:
    colors = np.empty((_READINGS, 3), dtype=np.uint8)
    if reading_range is not None:
        near, far = reading_range
        span = far - near if far > near else 1.0
        position = np.clip((np.arange(_READINGS) - near) / span, 0, 1)
        colors[:] = color_table(style.depth_map)[np.rint(255 * position).astype(np.intp)]
    colors[0] = style.no_reading_color
    return colors


def _percentiles(
    counts: NDArray[np.intp], percentiles: tuple[float, float]
) -> tuple[float, float] | None:
    """Percentiles of a histogram, linear between ranks as numpy's default; none when empty."""
    at_most = np.cumsum(counts)
    total = int(at_most[-1])
    if total == 0:
        return None
    ranks = (total - 1) * np.sort(np.array(percentiles)) / 100
    below = np.searchsorted(at_most, np.floor(ranks), side="right")
    above = np.searchsorted(at_most, np.ceil(ranks), side="right")
    near, far = below + (above - below) * (ranks - np.floor(ranks))
    return float(near), float(far)


def _in_unit(reading: float | None, unit_m: float | None) -> float | None:
    return reading if reading is None or unit_m is None else reading * unit_m
