"""Letters of labels, drawn here so that no release of a font can change a rendered picture.

Each character is one or more lines through points of a grid 4 wide and 6 high, `xy` digit by
digit from the top-left, drawn with a round pen.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_STROKES = {
    "A": "062046 1434",
    "B": "003041423303 334445360600",
    "C": "4130100105163645",
    "D": "00204244260600",
    "E": "40000646 0333",
    "F": "400006 0333",
    "G": "41301001051636454323",
    "H": "0006 4046 0343",
    "I": "2026 1030 1636",
    "J": "4045361605",
    "K": "0006 400346",
    "L": "000646",
    "M": "0600234046",
    "N": "06004640",
    "O": "100105163645413010",
    "P": "06003041423303",
    "Q": "100105163645413010 2446",
    "R": "06003041423303 2346",
    "S": "413010010213334445361605",
    "T": "0040 2026",
    "U": "000516364540",
    "V": "002640",
    "W": "0016223640",
    "X": "0046 4006",
    "Y": "002340 2326",
    "Z": "00400646",
    "0": "100105163645413010 3115",
    "1": "112026 1636",
    "2": "01103041420646",
    "3": "01103041423323 334445361605",
    "4": "36300444",
    "5": "400003334445361605",
    "6": "4130100105163645443303",
    "7": "004016",
    "8": "13020110304142331304051636454433",
    "9": "0516364541301001021343",
    "-": "1333",
    "?": "01103041422324 2626",
}
_ADVANCE = 6.0
_PEN_RADIUS = 0.65


@lru_cache(maxsize=1024)
def text_coverage(text: str, height_px: int) -> NDArray[np.uint8]:
    """How far letters cover each pixel, 0 to 255, cut to their ink.

    Args:
        text: Small letters are drawn as capitals, unknown characters as a question mark.
        height_px: Height of a capital, at least 5.

    Returns:
        Coverage, shape (height_px, width), read-only.
    """
    unit = height_px / (6 + 2 * _PEN_RADIUS)
    starts, ends = _segments(text.upper())
    left = min(starts[:, 0].min(), ends[:, 0].min()) - _PEN_RADIUS
    right = max(starts[:, 0].max(), ends[:, 0].max()) + _PEN_RADIUS
    columns = (np.arange(round((right - left) * unit)) + 0.5) / unit + left
    rows = (np.arange(height_px) + 0.5) / unit - _PEN_RADIUS
    points = np.stack(np.meshgrid(columns, rows), axis=-1)
    distance = _distance(points, starts, ends) - _PEN_RADIUS
    coverage = np.rint(255 * np.clip(0.5 - distance * unit, 0, 1)).astype(np.uint8)
    coverage.flags.writeable = False
    return coverage


def _segments(text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of all pen lines of a text in grid units, each of shape (n, 2)."""
    starts, ends = [], []
    for place, character in enumerate(text):
        for stroke in _STROKES.get(character, _STROKES["?"]).split():
            points = np.array([int(digit) for digit in stroke], dtype=np.float64).reshape(-1, 2)
            points[:, 0] += place * _ADVANCE
            starts.append(points[:-1])
            ends.append(points[1:])
    return np.concatenate(starts), np.concatenate(ends)


def _distance(
    points: NDArray[np.float64], starts: NDArray[np.float64], ends: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Distance from each point, shape (h, w, 2), to the nearest segment; shape (h, w)."""
    nearest: NDArray[np.float64] = np.full(points.shape[:2], np.inf)
    for start, end in zip(starts, ends, strict=True):
        along = end - start
        length_squared = max(float(along @ along), 1e-9)
        share = np.clip(((points - start) * along).sum(axis=-1) / length_squared, 0, 1)
        offset = points - start - share[..., None] * along
        nearest = np.minimum(nearest, (offset * offset).sum(axis=-1))
    distance: NDArray[np.float64] = np.sqrt(nearest)
    return distance
