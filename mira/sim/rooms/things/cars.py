"""Coachwork of cars and vans: the shell of a vehicle, lofted from its side view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.things.lofts import capped, loft_parts, rounded_outline
from mira.sim.rooms.things.meshes import smooth
from mira.sim.rooms.things.parts import Finish, Part

Floats = NDArray[np.float64]
_BODY, _TRIM, _SEAM, _GLASS = 0, 1, 2, 3
_COLUMNS = 40
_GLASS_FINISH = Finish((0.055, 0.065, 0.075), specular=0.9, shininess=0.92)
_BLACK = Finish((0.05, 0.05, 0.055), specular=0.2, shininess=0.4)
_SEAM_FINISH = Finish((0.03, 0.03, 0.035), specular=0.0)


@dataclass(frozen=True)
class Build:
    """Measures of a vehicle; its front is at -y, its middle at y = 0.

    Attributes:
        kind: What a person would call it, such as `hatchback`.
        length_m: Over the bumpers.
        half_width_m: Half its width, without side mirrors.
        top: (height, y) points of the lower body's upper edge, from the front to the back.
        cabin_foot: y at which the windscreen and the rear end meet the lower body.
        cabin_roof: y at which they meet the roof.
        belt_m: Height of the windows' lower edge.
        roof_m: Height of the roof's edge; its middle is 5 cm higher.
        inset_m: How far the roof's edge lies inside the lower body, on each side.
        seams: y of the doors' edges.
        post_m: y of the post between the front and the rear side window.
        rear_post_m: Width of the painted corner at the back.
        axles: y of the front and the rear axle.
        wheel_m: Radius of a wheel.
        panels: Whether the sides and the back behind the post are sheet metal, as on a van.
    """

    kind: str
    length_m: float
    half_width_m: float
    top: tuple[tuple[float, float], ...]
    cabin_foot: tuple[float, float]
    cabin_roof: tuple[float, float]
    belt_m: float
    roof_m: float
    inset_m: float
    seams: tuple[float, ...]
    post_m: float
    rear_post_m: float
    axles: tuple[float, float]
    wheel_m: float
    panels: bool = False


def shell(build: Build, paint: Finish) -> list[Part]:
    """Body and cabin with their windows."""
    return [*_lower_body(build, paint), *_cabin(build, paint)]


def half_width_at(build: Build, y: float) -> float:
    """Half width of the lower body at its widest height."""
    return float(_half_width(build, np.array([y]))[0])


def _half_width(build: Build, y: Floats) -> Floats:
    """Narrower towards both ends, as coachwork is seen from above."""
    half = build.length_m / 2
    reach = 0.62
    inward = np.clip((np.abs(y) - half + reach) / reach, 0, 1)
    return build.half_width_m * (0.80 + 0.20 * (1 - inward**2.6) ** (1 / 2.2))


def _stations(build: Build) -> Floats:
    """Places along the body where an outline is needed, y rising."""
    half = build.length_m / 2
    places = [np.linspace(-half, half, 30), half - 0.25 * np.linspace(0, 1, 7) ** 2]
    places.append(-places[-1])
    for axle in build.axles:
        reach = _arch(build)
        angle = np.linspace(0, np.pi, 15)
        places += [
            axle + reach * np.cos(angle),
            np.array([axle - reach - 1e-3, axle + reach + 1e-3]),
        ]
    for seam in build.seams:
        places.append(np.array([seam - 0.006, seam + 0.006]))
    return np.unique(np.round(np.concatenate(places), 4))


def _arch(build: Build) -> float:
    return build.wheel_m + 0.055


def _underside(build: Build, y: Floats) -> Floats:
    """Height of the lower edge: the sill, and the arches over the wheels."""
    half = build.length_m / 2
    nose = np.clip((np.abs(y) - half + 0.3) / 0.3, 0, 1)
    low = 0.2 + 0.08 * nose**2
    for axle in build.axles:
        inside = _arch(build) ** 2 - (y - axle) ** 2
        low = np.where(
            inside > 0, np.maximum(low, build.wheel_m + np.sqrt(np.maximum(inside, 0))), low
        )
    return low


def _lower_body(build: Build, paint: Finish) -> list[Part]:
    y = _stations(build)
    profile = np.array(smooth(build.top))
    top = np.interp(y, profile[:, 1], profile[:, 0])
    low, wide = _underside(build, y), _half_width(build, y)
    rings = []
    for at, z_top, z_low, half_w in zip(y, top, low, wide, strict=True):
        # The outline is that of the whole flank even over a wheel, cut off at the arch.
        outline = rounded_outline(half_w, (z_top - 0.2) / 2, power=4.2, count=_COLUMNS)
        z = np.maximum(outline[:, 1] + (z_top + 0.2) / 2, z_low)
        lean = 1 - 0.05 * np.clip((z - 0.55) / 0.45, 0, 1)
        rings.append(np.stack((outline[:, 0] * lean, np.full(_COLUMNS, at), z), axis=-1))
    grid = capped(np.stack(rings))
    return loft_parts(
        grid,
        _body_labels(build, grid),
        {_BODY: (paint, ""), _TRIM: (_BLACK, ""), _SEAM: (_SEAM_FINISH, "")},
    )


def _body_labels(build: Build, grid: Floats) -> NDArray[np.int64]:
    """Seams between the doors; black below the sill."""
    middle = (grid[:-1] + grid[1:]) / 2
    middle = (middle + np.roll(middle, -1, axis=1)) / 2
    labels = np.full(middle.shape[:2], _BODY, np.int64)
    low, high = 0.31, build.belt_m - 0.02
    side = np.abs(middle[..., 0]) > 0.7 * build.half_width_m
    tall = (middle[..., 2] > low) & (middle[..., 2] < high)
    for seam in build.seams:
        labels[(np.abs(middle[..., 1] - seam) < 0.005) & side & tall] = _SEAM
    labels[(middle[..., 2] < 0.285)] = _TRIM
    return labels


def _cabin(build: Build, paint: Finish) -> list[Part]:
    """Windscreen, side windows, rear window and roof."""
    rise = np.array([0.0, 0.07, 0.3, 0.55, 0.8, 0.93, 1.0])
    rings = [_cabin_ring(build, share) for share in rise]
    edge = rings[-1]
    centre = edge.mean(axis=0)
    for scale, lift in ((0.985, 0.022), (0.95, 0.038), (0.8, 0.05), (0.5, 0.056), (0.0, 0.058)):
        ring = centre + (edge - centre) * scale
        ring[:, 2] = edge[:, 2] + lift
        rings.append(ring)
    labels = np.full((len(rings) - 1, len(edge)), _BODY, np.int64)
    labels[1:5] = np.where(_glazed(build), _GLASS, _BODY)
    return loft_parts(
        np.stack(rings), labels, {_BODY: (paint, ""), _GLASS: (_GLASS_FINISH, "window")}
    )


_FRONT, _CORNER, _WINDOW, _POST = 7, 2, 5, 2


def _cabin_ring(build: Build, share: float) -> Floats:
    """Outline at a share of the height between belt and roof, anticlockwise from the right front.

    Right side from front to back, rear from right to left, left side back, windscreen.
    """
    front = build.cabin_foot[0] + (build.cabin_roof[0] - build.cabin_foot[0]) * share
    back = build.cabin_foot[1] + (build.cabin_roof[1] - build.cabin_foot[1]) * share
    height = build.belt_m - 0.05 + (build.roof_m - build.belt_m + 0.05) * share
    wide = build.half_width_m * 0.945 - build.inset_m * share**1.25
    knots = [front, front + 0.09, build.post_m - 0.045, build.post_m + 0.045]
    knots += [back - build.rear_post_m, back]
    counts = [_CORNER, _WINDOW, _POST, _WINDOW, _CORNER]
    side = np.concatenate(
        [
            np.linspace(a, b, n, endpoint=False)
            for a, b, n in zip(knots, knots[1:], counts, strict=False)
        ]
    )
    ends = np.linspace(-1, 1, _FRONT)
    bow = 0.10 * (1 - ends**2)
    inner = wide - 0.07
    # The corners themselves are part of the sides' first and the ends' last cells.
    right = np.stack((np.full(len(side), wide), side), axis=-1)
    taper = np.clip((right[:, 1] - build.post_m) / (back - build.post_m), 0, 1) ** 2
    right[:, 0] -= 0.05 * taper
    left = np.concatenate((right[1:], [[wide - 0.05, back]]))[::-1] * (-1, 1)
    rear = np.stack((-ends * (inner - 0.05), back + 0.6 * bow), axis=-1)
    screen = np.stack((ends * inner, front - bow), axis=-1)
    first = np.array([[wide - 0.05, back]])
    last = np.array([[-wide, front]])
    flat = np.concatenate((right, first, rear, left, last, screen))
    return np.column_stack((flat, np.full(len(flat), height)))


def _glazed(build: Build) -> NDArray[np.bool_]:
    """Which cells of a ring between belt and roof are glass."""
    side = [False] * _CORNER + [True] * _WINDOW + [False] * _POST
    side += [not build.panels] * _WINDOW + [False] * _CORNER
    rear = [False] + [not build.panels] * (_FRONT - 1) + [False]
    screen = [False] + [True] * (_FRONT - 1) + [False]
    return np.array(side + rear + side[::-1] + screen)
