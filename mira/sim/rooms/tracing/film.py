"""Light as a camera would store it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.policy import FilmPolicy
from mira.sim.rooms.tracing.vectors import along

_LUMA = np.array((0.2126, 0.7152, 0.0722), np.float32)


def developed(radiance: NDArray[np.float32], policy: FilmPolicy) -> NDArray[np.uint8]:
    """An exposed picture with soft highlights, shape (height, width, 3), uint8 RGB.

    Args:
        radiance: Linear light, same shape.
        policy: Exposure and contrast.
    """
    # Exposure needs no more than every third pixel of every third row.
    luma = along(radiance[::3, ::3].reshape(-1, 3), _LUMA)
    middle = float(np.exp(np.log(luma + np.float32(1e-4)).mean()))
    bright = float(np.quantile(luma, policy.white_quantile))
    gain = min(policy.middle_grey / middle, policy.white_level / max(bright, 1e-4))
    exposed = radiance * np.float32(gain)
    # A shoulder that reaches 1 slowly: x (1 + x / w^2) / (1 + x), Reinhard et al. 2002.
    white = np.float32(policy.white_level)
    mapped = exposed * (1 + exposed / white**2) / (1 + exposed)
    shown = np.clip(mapped, 0, 1) ** np.float32(1 / 2.2)
    return np.asarray(shown * 255 + np.float32(0.5), np.uint8)
