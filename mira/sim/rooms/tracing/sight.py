"""What camera rays end at: straight on, by mirrors, through glass.

A ray that meets a mirror goes on from there; a ray that meets glass goes on behind it, and what
the glass reflects becomes a second sight of the same ray. Only the first pane on a ray splits it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.tracing.rays import Floats, Hits, RayScene
from mira.sim.rooms.tracing.scene_mesh import SceneMesh
from mira.sim.rooms.tracing.vectors import dot, unit

Chain = tuple[int, ...]
"""Indices of the reflective surfaces that a ray from the camera is thrown back by, in order."""
_SLANT_POWER = 5
_NUDGE_M, _FLAT_NUDGE_M = np.float32(1e-4), np.float32(2e-5)
"""From a surface; by flat ones less, or rays that start beside a frame would lie within it."""
_MIN_COSINE = np.float32(0.02)


@dataclass(frozen=True, eq=False)
class Sights:
    """Ends of rays; arrays over k sights of n rays.

    Attributes:
        ray: Which ray, shape (k,).
        triangle: Where it ends, -1 in the sky, shape (k,).
        u: Share of the triangle's second corner, shape (k,).
        v: Share of its third corner, shape (k,).
        point: End in the room frame, shape (k, 3).
        direction: Unit direction in which the ray arrives, shape (k, 3).
        length: Length of the whole way, metres, shape (k,).
        virtual_length: Distance at which two eyes would see the end: the same as `length` by flat
            mirrors, less by convex ones, shape (k,).
        weight: Share of red, green and blue that is left on the way back, shape (k, 3).
        chain: Code of the surfaces on the way, see `SightTracer.chain_of`, shape (k,).
        first_surface: Index of the reflective surface that the ray meets first, -1 for none,
            shape (k,).
        first_length: Length to whatever the ray meets first, metres, shape (k,).
    """

    ray: NDArray[np.int32]
    triangle: NDArray[np.int32]
    u: Floats
    v: Floats
    point: Floats
    direction: Floats
    length: Floats
    virtual_length: Floats
    weight: Floats
    chain: NDArray[np.int32]
    first_surface: NDArray[np.int32]
    first_length: Floats

    def __len__(self) -> int:
        return len(self.ray)

    def take(self, chosen: NDArray[np.intp]) -> Sights:
        """Some of the sights, by their places."""
        return Sights(
            **{name: np.take(value, chosen, axis=0) for name, value in vars(self).items()}
        )

    def without(self, dropped: NDArray[np.bool_]) -> Sights:
        """The sights but for some; they themselves if none is dropped."""
        return self.take(np.flatnonzero(~dropped)) if dropped.any() else self


@dataclass(eq=False)
class _Flight:
    """Rays under way."""

    ray: NDArray[np.int32]
    origin: Floats
    direction: Floats
    weight: Floats
    length: Floats
    chain: NDArray[np.int32]
    split: NDArray[np.bool_]
    """Whether the ray has met glass that split it."""
    by_glass: NDArray[np.bool_]
    first_surface: NDArray[np.int32]
    first_length: Floats
    bend_length: Floats
    """Length of the way to the last convex surface; NaN before any."""
    focal: Floats
    """Focal lengths of that surface at the ray's slant, in the plane of incidence and across it,
    shape (n, 2); NaN before any."""
    level: Floats
    """How much that plane lies along the line between two eyes: the squared cosine; NaN before."""

    def take(self, chosen: NDArray[np.bool_]) -> _Flight:
        places = np.flatnonzero(chosen)
        return _Flight(
            **{name: np.take(value, places, axis=0) for name, value in vars(self).items()}
        )

    @staticmethod
    def join(pieces: list[_Flight]) -> _Flight:
        if len(pieces) == 1:
            return pieces[0]
        names = vars(pieces[0])
        return _Flight(**{name: np.concatenate([vars(p)[name] for p in pieces]) for name in names})


class SightTracer:
    """Follows rays through one scene."""

    def __init__(self, plan: RoomPlan, mesh: SceneMesh, rays: RayScene, *, max_order: int) -> None:
        self._plan, self._mesh, self._rays, self._max_order = plan, mesh, rays, max_order
        self._base = len(plan.surfaces) + 1
        self._bent = any(surface.bulge_radius_m is not None for surface in plan.surfaces)

    def chain_of(self, code: int) -> Chain:
        """The surfaces that a chain's code stands for."""
        chain = []
        while code:
            code, digit = divmod(code, self._base)
            chain.append(digit - 1)
        return tuple(reversed(chain))

    def follow(
        self, origin: Floats, directions: Floats, across: ArrayLike = (1.0, 0.0, 0.0)
    ) -> tuple[Sights, Sights]:
        """Where rays end.

        Args:
            origin: Where they start, shape (3,) or (n, 3).
            directions: Unit directions, shape (n, 3).
            across: Direction from one eye to the other, shape (3,); `virtual_length` in a convex
                surface depends on it.

        Returns:
            One sight a ray, in the rays' order, with all glass looked through; and the second
            sights of rays that glass split, by what it reflects.
        """
        eyes = np.asarray(across, np.float32)
        flight = self._start(origin, directions)
        hits = self._rays.first(flight.origin, flight.direction)
        surface = self._surface_of(hits)
        flight.first_length, flight.first_surface = hits.distance, surface
        # All rays get their place; those that go on are written over where they end.
        straight = self._ended(flight, hits, slice(None))
        by_glass = [straight.take(np.zeros(0, np.intp))]
        flight, _ = self._advance(flight, hits, surface, eyes)
        while len(flight.ray):
            hits = self._rays.first(flight.origin, flight.direction)
            going, ended = self._advance(flight, hits, self._surface_of(hits), eyes)
            _fill(straight, self._ended(flight, hits, np.flatnonzero(ended & ~flight.by_glass)))
            if flight.by_glass.any():
                second = np.flatnonzero(ended & flight.by_glass)
                by_glass.append(self._ended(flight, hits, second))
            flight = going
        return straight, _in_order(by_glass)

    def _surface_of(self, hits: Hits) -> NDArray[np.int32]:
        """Index of the reflective surface that each ray meets, -1 for none."""
        return np.where(hits.triangle >= 0, self._surface[hits.triangle], np.int32(-1))

    @cached_property
    def _surface(self) -> NDArray[np.int32]:
        return self._mesh.surface

    def _start(self, origin: Floats, directions: Floats) -> _Flight:
        count = len(directions)
        unset = np.full(count, np.nan, np.float32)
        return _Flight(
            ray=np.arange(count, dtype=np.int32),
            origin=np.broadcast_to(np.asarray(origin, np.float32), directions.shape),
            direction=directions.copy(),
            weight=np.ones((count, 3), np.float32),
            length=np.zeros(count, np.float32),
            chain=np.zeros(count, np.int32),
            split=np.zeros(count, bool),
            by_glass=np.zeros(count, bool),
            first_surface=np.full(count, -1, np.int32),
            first_length=unset,
            bend_length=unset.copy(),
            focal=np.full((count, 2), np.nan, np.float32),
            level=unset.copy(),
        )

    def _advance(
        self, flight: _Flight, hits: Hits, surface: NDArray[np.int32], eyes: Floats
    ) -> tuple[_Flight, NDArray[np.bool_]]:
        """Rays that go on, and which of the given ones ended here."""
        ended = surface < 0
        pieces = [] if (~ended).any() else [flight.take(np.zeros(len(ended), bool))]
        for index, reflective in enumerate(self._plan.surfaces):
            here = surface == index
            if not here.any():
                continue
            part = flight.take(here)
            distance = hits.distance[here]
            point = part.origin + part.direction * distance[:, None]
            part.length = part.length + distance
            normal = self._normals(index, point)
            cosine = -dot(part.direction, normal)
            if reflective.see_through > 0:
                pieces += self._at_glass(index, part, point, normal, cosine, eyes)
                continue
            deep = self._order(part.chain) >= self._max_order
            stuck = (cosine <= 0) | deep
            ended[np.flatnonzero(here)[stuck]] = True
            pieces.append(self._thrown_back(index, part, point, normal, cosine, eyes).take(~stuck))
        return _Flight.join(pieces), ended

    def _at_glass(
        self,
        index: int,
        part: _Flight,
        point: Floats,
        normal: Floats,
        cosine: Floats,
        eyes: Floats,
    ) -> list[_Flight]:
        """Light that goes through a pane, and light that it gives back."""
        surface = self._plan.surfaces[index]
        slant = np.asarray((1 - np.abs(cosine)) ** _SLANT_POWER, np.float32)
        silver = np.asarray(surface.silver, np.float32)
        back = silver + (1 - silver) * slant[:, None]
        through = part.take(np.ones(len(part.ray), bool))
        through.weight = part.weight * (surface.see_through * (1 - slant))[:, None]
        through.origin = point + part.direction * _NUDGE_M
        through.length = part.length + _NUDGE_M
        through.split = np.ones(len(part.ray), bool)
        inward = np.where((cosine < 0)[:, None], -normal, normal)
        thrown = self._thrown_back(index, part, point, inward, np.abs(cosine), eyes)
        thrown.weight = part.weight * back
        thrown.by_glass = np.ones(len(part.ray), bool)
        thrown.split = np.ones(len(part.ray), bool)
        splits = ~part.split & (self._order(part.chain) < self._max_order)
        return [through, thrown.take(splits)]

    def _thrown_back(
        self,
        index: int,
        part: _Flight,
        point: Floats,
        normal: Floats,
        cosine: Floats,
        eyes: Floats,
    ) -> _Flight:
        surface = self._plan.surfaces[index]
        back = part.take(np.ones(len(part.ray), bool))
        back.direction = unit(part.direction + (2 * cosine)[:, None] * normal)
        back.weight = part.weight * np.asarray(surface.silver, np.float32)
        back.chain = part.chain * np.int32(self._base) + np.int32(index + 1)
        if surface.bulge_radius_m is not None:
            back.origin = point + normal * _NUDGE_M
            back.bend_length = part.length
            slant = np.maximum(cosine, np.float32(1e-3))
            half = np.float32(surface.bulge_radius_m / 2)
            back.focal = np.stack((half * slant, half / slant), axis=-1)
            back.level = self._levels(part, normal, eyes)
            return back
        # Along the ray, up to the same height: the way and its length stay what they are.
        step = np.asarray(_FLAT_NUDGE_M / np.maximum(cosine, _MIN_COSINE), np.float32)
        back.origin = point + back.direction * step[:, None]
        back.length = part.length + step
        return back

    def _levels(self, part: _Flight, normal: Floats, eyes: Floats) -> Floats:
        """Squared cosines between planes of incidence and the line between the eyes."""
        across = np.empty_like(normal)
        for code in np.unique(part.chain).tolist():
            line = eyes
            for index in self.chain_of(code):
                mirror = self._plan.surfaces[index].normal.astype(np.float32)
                line = line - 2 * (line @ mirror) * mirror
            across[part.chain == code] = line
        line, plane = _square_to(part.direction, across), _square_to(part.direction, normal)
        return dot(line, plane) ** 2

    def _normals(self, index: int, point: Floats) -> Floats:
        """Unit normals of a surface's reflecting side, shape (n, 3)."""
        surface = self._plan.surfaces[index]
        centre = surface.ball_centre_m
        if centre is None:
            return np.broadcast_to(surface.normal.astype(np.float32), point.shape)
        return unit(point - centre.astype(np.float32))

    def _order(self, chain: NDArray[np.int32]) -> NDArray[np.int32]:
        """Length of each chain."""
        order = np.zeros(len(chain), np.int32)
        rest = chain.copy()
        while rest.any():
            order += rest > 0
            rest //= self._base
        return order

    def _ended(self, flight: _Flight, hits: Hits, ended: NDArray[np.intp] | slice) -> Sights:
        def chosen(values: NDArray[Any]) -> NDArray[Any]:
            return values if isinstance(ended, slice) else np.take(values, ended, axis=0)

        direction, distance = chosen(flight.direction), chosen(hits.distance)
        length = chosen(flight.length) + distance
        virtual = length
        if self._bent:
            by_bends = _seen_by_two_eyes(
                length, chosen(flight.bend_length), chosen(flight.focal), chosen(flight.level)
            )
            virtual = np.where(np.isnan(by_bends), length, by_bends)
        return Sights(
            ray=chosen(flight.ray),
            triangle=chosen(hits.triangle),
            u=chosen(hits.u),
            v=chosen(hits.v),
            point=chosen(flight.origin) + direction * distance[:, None],
            direction=direction,
            length=length,
            virtual_length=virtual.copy(),
            weight=chosen(flight.weight),
            chain=chosen(flight.chain),
            first_surface=chosen(flight.first_surface),
            first_length=chosen(flight.first_length),
        )


def _seen_by_two_eyes(length: Floats, bend: Floats, focal: Floats, level: Floats) -> Floats:
    """Distance at which two eyes see a point by a convex surface; NaN where there was none.

    A bent surface is astigmatic: its images by rays in the plane of incidence and across it lie at
    different distances (Coddington's equations, f = R cos / 2 and R / (2 cos)). Two eyes see the
    disparity of the one or the other, or a mixture by how their line lies to the plane.
    """
    behind = length - bend
    within = bend + behind * focal[:, 0] / (behind + focal[:, 0])
    across = bend + behind * focal[:, 1] / (behind + focal[:, 1])
    return np.asarray(1 / (level / within + (1 - level) / across), np.float32)


def _square_to(directions: Floats, vectors: Floats) -> Floats:
    """The unit vectors of what of vectors lies across directions."""
    return unit(vectors - dot(vectors, directions)[:, None] * directions)


def _fill(sights: Sights, found: Sights) -> None:
    """Put sights in the places of their rays."""
    for name, values in vars(sights).items():
        if name != "ray":
            values[found.ray] = vars(found)[name]


def _in_order(pieces: list[Sights]) -> Sights:
    """Sights joined, in the order of their rays."""
    names = vars(pieces[0])
    joined = Sights(**{name: np.concatenate([vars(p)[name] for p in pieces]) for name in names})
    return joined.take(np.argsort(joined.ray, kind="stable"))
