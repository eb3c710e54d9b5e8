"""Lamps that make a room by day or by night."""

from __future__ import annotations

from mira.sim.rooms.places.shell import Shell
from mira.sim.rooms.plan import Lamp, Lighting
from mira.sim.rooms.things.parts import Rgb

DAYLIGHT: Rgb = (0.93, 0.97, 1.05)
"""Light of a clear sky through a window, against the camera's white."""
WARM: Rgb = (1.08, 0.97, 0.80)
"""Light of a bulb."""
NEUTRAL: Rgb = (1.0, 0.99, 0.96)
"""Light of a tube or an office panel."""


def scaled(rgb: Rgb, factor: float) -> Rgb:
    """A colour made stronger or weaker."""
    return (rgb[0] * factor, rgb[1] * factor, rgb[2] * factor)


def ceiling_lamp(
    shell: Shell, x_m: float, y_m: float, *, size_m: float = 0.5, rgb: Rgb = WARM
) -> Lamp:
    """A square light under the ceiling that shines down."""
    half = size_m / 2
    return Lamp((x_m, y_m, shell.height_m - 0.05), (0.0, half, 0.0), (half, 0.0, 0.0), rgb)


def home_lamps(shell: Shell, lighting: Lighting) -> tuple[Lamp, ...]:
    """Light sources of a room at home: by day a window on the left wall too.

    The lamp hangs between the front wall and whoever looks at it, so that both the things and,
    through the mirror, their backs have light.
    """
    day = lighting == "day"
    lamp = ceiling_lamp(
        shell, 0.15, -shell.depth_m * 0.36, size_m=0.6, rgb=scaled(WARM, 9.0 if day else 15.0)
    )
    if not day:
        return (lamp,)
    window = Lamp(
        (-shell.width_m / 2 + 0.12, -shell.depth_m * 0.52, 1.5),
        (0.0, 0.5, 0.0),
        (0.0, 0.0, 0.5),
        scaled(DAYLIGHT, 7.0),
    )
    return lamp, window
