"""Lamps that make a room by day or by night."""

from __future__ import annotations

from mira.sim.rooms.parts import Rgb
from mira.sim.rooms.plan import Lamp, Lighting, Shell

_DAY: Rgb = (0.50, 0.50, 0.50)
_WARM: Rgb = (0.50, 0.43, 0.33)


def draw_lamps(shell: Shell, lighting: Lighting) -> tuple[Lamp, ...]:
    """Light sources: one from above with shadows, a window or wall lamp, soft fills both ways.

    Fills reach the front wall from the camera's side and the back wall from the mirror's side;
    without the second a reflection is dim.
    """
    day = lighting == "day"
    depth, half, high = shell.depth_m, shell.width_m / 2, shell.height_m
    main = _DAY if day else _WARM
    key = Lamp((0.15, -depth * 0.4, high - 0.06), (0, 0.1, -1), main, cutoff_deg=70.0, shadows=True)
    aperture: Rgb = (0.34, 0.36, 0.40) if day else (0.08, 0.09, 0.14)
    window = Lamp((-half + 0.15, -depth * 0.52, 1.8), (1, 0.35, -0.35), aperture)
    fill: Rgb = (0.24, 0.24, 0.24) if day else (0.26, 0.22, 0.17)
    front = Lamp((0.2, -depth * 0.75, 2.0), (0, 1, -0.25), fill)
    bounced: Rgb = (1.45 * fill[0], 1.45 * fill[1], 1.45 * fill[2])
    back = Lamp((0.0, -0.03, 1.6), (0, -1, -0.2), bounced, cutoff_deg=89.0, exponent=0.0)
    return key, window, front, back
