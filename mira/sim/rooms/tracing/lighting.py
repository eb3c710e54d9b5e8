"""Light that arrives at points: from lamps, sun and sky, straight and scattered once."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from mira.sim.rooms.plan import Lamp, RoomPlan, Sun
from mira.sim.rooms.tracing.finishes import Finishes
from mira.sim.rooms.tracing.rays import Floats, RayScene, lifted
from mira.sim.rooms.tracing.vectors import along, dot, mapped, unit

_FAR_M = np.float32(60.0)
_MOSTLY = np.float32(0.999)
_FAINT_COS = 0.6
_QUARTERS = np.array(((0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5)), np.float32)


class Light:
    """The lights of one scene."""

    def __init__(self, plan: RoomPlan, finishes: Finishes, rays: RayScene) -> None:
        self._plan, self._finishes, self._rays = plan, finishes, rays

    def direct(self, points: Floats, normals: Floats, strata: Strata) -> Floats:
        """Light straight from lamps and sun, over pi, shape (k, 3).

        Args:
            points: Points just off their surface, shape (k, 3).
            normals: Unit normals there, shape (k, 3).
            strata: Gives the places on lamps that are asked.
        """
        total = np.zeros(points.shape, np.float32)
        for lamp in self._plan.lamps:
            total += self._from_lamp(lamp, points, normals, strata.draw())
        if self._plan.sun is not None:
            total += self._from_sun(self._plan.sun, points, normals, strata.draw())
        return total

    def scattered(self, points: Floats, normals: Floats, strata: Strata) -> Floats:
        """Light from all around that was scattered once or comes from the sky, over pi.

        Args:
            points: Points just off their surface, shape (k, 3).
            normals: Unit normals there, shape (k, 3).
            strata: Gives the directions that are asked.
        """
        directions = _cosine_directions(normals, strata.draw())
        seen = self.seen(points, directions, Strata(strata.rng, len(points)))
        return seen + np.asarray(self._plan.ambient, np.float32)

    def seen(self, points: Floats, directions: Floats, strata: Strata) -> Floats:
        """Radiance that arrives along directions, surfaces taken as dull, shape (k, 3)."""
        hits = self._rays.first(points, directions)
        radiance = self.sky(directions)
        landed = np.flatnonzero(hits.triangle >= 0)
        triangle = hits.triangle[landed]
        towards = np.take(directions, landed, axis=0)
        normal = self._finishes.flat_normals_of(triangle, towards)
        there = np.take(points, landed, axis=0) + towards * hits.distance[landed, None]
        arriving = self._from_any_lamp(lifted(there, normal), normal, strata.of(landed))
        arriving += np.asarray(self._plan.ambient, np.float32)
        albedo = np.take(self._finishes.mean_albedo, triangle, axis=0)
        radiance[landed] = albedo * arriving + self._finishes.triangle_glow[triangle]
        return radiance

    def _from_any_lamp(self, points: Floats, normals: Floats, strata: Strata) -> Floats:
        """As `direct`, but each point asks one light, drawn by chance, for all of them."""
        lights = len(self._plan.lamps) + (self._plan.sun is not None)
        total = np.zeros(points.shape, np.float32)
        picked = strata.pick(lights)
        for number in range(lights):
            mine = np.flatnonzero(picked == number)
            own = (np.take(points, mine, axis=0), np.take(normals, mine, axis=0))
            place = strata.of(mine).draw()
            if number < len(self._plan.lamps):
                total[mine] = self._from_lamp(self._plan.lamps[number], *own, place)
            elif self._plan.sun is not None:
                total[mine] = self._from_sun(self._plan.sun, *own, place)
        return total * np.float32(lights)

    def sky(self, directions: Floats) -> Floats:
        """Radiance of the sky, black indoors, shape (k, 3)."""
        sky = self._plan.sky
        if sky is None:
            return np.zeros(directions.shape, np.float32)
        height = np.clip(directions[:, 2:], 0, 1) ** np.float32(0.5)
        zenith, horizon = np.asarray(sky.zenith, np.float32), np.asarray(sky.horizon, np.float32)
        return horizon + height * (zenith - horizon)

    def highlights(
        self, points: Floats, normals: Floats, towards_eye: Floats, sharpness: Floats
    ) -> Floats:
        """Highlights of unit strength, shadows left out, shape (k, 3)."""
        total = np.zeros(points.shape, np.float32)
        for lamp in self._plan.lamps:
            area, face = _lamp_face(lamp)
            out = np.asarray(lamp.centre_m, np.float32) - points
            square = dot(out, out)
            out *= (1 / np.sqrt(square))[:, None]
            facing = np.maximum(-along(out, face), 0) * (area / np.pi) / square
            total += _lobe(out, normals, towards_eye, sharpness, facing, lamp.rgb)
        if self._plan.sun is not None:
            towards = -np.asarray(self._plan.sun.towards, np.float32)
            out = np.broadcast_to(towards / np.linalg.norm(towards), points.shape)
            ones = np.ones(len(points), np.float32)
            total += _lobe(out, normals, towards_eye, sharpness, ones, self._plan.sun.rgb)
        return total

    def _from_lamp(self, lamp: Lamp, points: Floats, normals: Floats, place: Floats) -> Floats:
        """One ray from each point to its place on a lamp, places in the unit square."""
        area, face = _lamp_face(lamp)
        sides = 2 * np.column_stack((lamp.half_u_m, lamp.half_v_m))
        corner = np.asarray(lamp.centre_m) - np.asarray(lamp.half_u_m) - np.asarray(lamp.half_v_m)
        out = mapped(place, sides, corner) - points
        leaving, arriving = -along(out, face), dot(out, normals)
        # Points behind the lamp or turned away from it need no ray.
        lit = np.flatnonzero((leaving > 0) & (arriving > 0))
        towards = np.take(out, lit, axis=0)
        reach = np.full(len(lit), _MOSTLY, np.float32)
        lit = lit[~self._rays.blocked(np.take(points, lit, axis=0), towards, reach)]
        square = np.maximum(dot(out, out)[lit], np.float32(1e-2))
        strength = np.zeros(len(points), np.float32)
        strength[lit] = leaving[lit] * arriving[lit] * (area / np.float32(np.pi)) / square**2
        return strength[:, None] * np.asarray(lamp.rgb, np.float32)

    def _from_sun(self, sun: Sun, points: Floats, normals: Floats, place: Floats) -> Floats:
        """One ray from each point to its place on the sun's disc."""
        towards = -np.asarray(sun.towards, np.float64)
        towards /= np.linalg.norm(towards)
        side, up = _frame(towards)
        radius = np.sqrt(place[:, 0]) * np.float32(np.tan(np.radians(sun.spread_deg)))
        angle = place[:, 1] * np.float32(2 * np.pi)
        disc = np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=-1)
        out = mapped(disc, np.column_stack((side, up)), towards)
        cosine = dot(out, normals)
        lit = np.flatnonzero(cosine > 0)
        far = np.full(len(lit), _FAR_M, np.float32)
        dark = self._rays.blocked(np.take(points, lit, axis=0), np.take(out, lit, axis=0), far)
        lit = lit[~dark]
        strength = np.zeros(len(points), np.float32)
        strength[lit] = cosine[lit]
        return strength[:, None] * np.asarray(sun.rgb, np.float32)


class Strata:
    """Random places in the unit square, kept apart for neighbours in a picture.

    Of each two by two neighbours every one draws from another quarter of the square, so that an
    average over them covers it evenly.
    """

    def __init__(
        self, rng: Generator, count: int, quarter: NDArray[np.integer] | None = None
    ) -> None:
        """Set up a source.

        Args:
            rng: Source of all places.
            count: Number of points.
            quarter: Column parity plus twice the row parity of each point, shape (count,);
                places are drawn from the whole square when missing.
        """
        self.rng, self._count, self._quarter = rng, count, quarter

    def draw(self) -> Floats:
        """A place for each point, shape (count, 2)."""
        place = self.rng.random((self._count, 2), dtype=np.float32)
        if self._quarter is not None:
            place *= np.float32(0.5)
            place += _QUARTERS[self._quarter]
        return place

    def pick(self, count: int) -> NDArray[np.int8]:
        """A number below `count` for each point, shape (points,)."""
        return self.rng.integers(max(count, 1), size=self._count, dtype=np.int8)

    def of(self, chosen: NDArray[np.intp]) -> Strata:
        """A source for some of the points."""
        quarter = None if self._quarter is None else self._quarter[chosen]
        return Strata(self.rng, len(chosen), quarter)


def _lobe(
    out: Floats,
    normals: Floats,
    towards_eye: Floats,
    sharpness: Floats,
    strength: Floats,
    rgb: tuple[float, float, float],
) -> Floats:
    """A normalised Blinn-Phong highlight."""
    half = unit(out + towards_eye)
    cosine = dot(half, normals)
    bright = np.flatnonzero((cosine > _FAINT_COS) & (dot(out, normals) > 0))
    sharp = sharpness[bright]
    value = np.zeros(len(out), np.float32)
    value[bright] = strength[bright] * cosine[bright] ** sharp * (sharp + 8) / 8
    return np.asarray(value[:, None] * np.asarray(rgb, np.float32), np.float32)


def _lamp_face(lamp: Lamp) -> tuple[np.float32, Floats]:
    """Area and unit normal of a lamp's bright side."""
    across = np.cross(lamp.half_u_m, lamp.half_v_m)
    size = float(np.linalg.norm(across))
    return np.float32(4 * size), np.asarray(across / size, np.float32)


def _cosine_directions(normals: Floats, strata: Floats) -> Floats:
    """Directions around normals, the steeper the likelier, shape (k, 3)."""
    height = 1 - 2 * strata[:, 0]
    angle = strata[:, 1] * np.float32(2 * np.pi)
    flat = np.sqrt(np.maximum(1 - height * height, 0))
    ball = np.stack((flat * np.cos(angle), flat * np.sin(angle), height), axis=-1)
    return np.asarray(normals * np.float32(1.0001) + ball, np.float32)


def _frame(axis: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two unit vectors across an axis."""
    side = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    return side, np.cross(axis, side)
