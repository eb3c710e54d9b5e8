"""What one picture shows: surfaces and things, direct and reflected, with their links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import shapely
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.polygon import Region
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.tracing.renderer import Layer, ViewTruth
from mira.sim.rooms.tracing.scene_mesh import SIDES
from mira.sim.rooms.tracing.sight import Chain
from mira.sim.rooms.truth.outlines import outline_mask

Mask = NDArray[np.bool_]
Counterpart = Literal["in_frame", "out_of_frame", "ambiguous"]
FIRST_SURFACE_ID = 100


@dataclass(frozen=True)
class SeenSurface:
    """A mirror in the picture.

    Attributes:
        group_id: Its id in the picture, from 100.
        surface: Index into the plan's reflective surfaces.
        region: Its visible outline.
        mask: Its visible pixels.
    """

    group_id: int
    surface: int
    region: Region
    mask: Mask


@dataclass(frozen=True)
class Sighting:
    """A thing in the picture, seen directly or through mirrors.

    Attributes:
        group_id: Its id in the picture, from 1, drawn at random.
        item: Index into the plan's items.
        chain: Reflective surfaces on the way; empty for direct sight.
        region: Its visible outline.
        mask: Its visible pixels.
        side_px: Pixels that show each of `scene_mesh.SIDES` of the item.
        part_px: Pixels that show each part of the scene's mesh, by part, for parts that are seen.
        light_share: Mean share of its pixels' light that comes from it.
        in_surface: Id of the surface it is seen in; None for direct sight.
        reflection_of: Id of what it is the reflection of, when that is in the picture.
        counterpart: Whether that is in the picture; None for direct sight. `ambiguous` when it
            shows too little of itself to be outlined, or when it is itself a reflection that is
            not outlined: then no link could say through which mirrors the thing is seen.
    """

    group_id: int
    item: int
    chain: Chain
    region: Region
    mask: Mask
    side_px: tuple[int, ...]
    part_px: dict[int, int]
    light_share: float
    in_surface: int | None = None
    reflection_of: int | None = None
    counterpart: Counterpart | None = None


@dataclass(frozen=True)
class ViewContent:
    """Everything outlined in one picture, each kind in the order of its ids.

    Attributes:
        surfaces: Reflective surfaces.
        sightings: Things.
        shown: All items that any pixel shows, by the way they are seen, outlined or not.
    """

    surfaces: tuple[SeenSurface, ...]
    sightings: tuple[Sighting, ...]
    shown: frozenset[tuple[int, Chain]]


def find_content(
    truth: ViewTruth, plan: RoomPlan, policy: RoomPolicy, rng: Generator
) -> ViewContent:
    """Outline what a picture shows and link reflections to what they are of.

    A reflection in one mirror is of the thing itself; in a second mirror it is of the thing's
    reflection in the first.

    Args:
        truth: The picture's pixels.
        plan: The room.
        policy: What is outlined and how.
        rng: Gives the ids, so that they tell nothing.
    """
    surfaces = _surfaces(truth, plan, policy, rng)
    surface_ids = {surface.surface: surface.group_id for surface in surfaces}
    outlined: dict[tuple[int, Chain], _Seen] = {}
    shown: set[tuple[int, Chain]] = set()
    for seen in _all_seen(truth, plan):
        shown.add((seen.item, seen.chain))
        if seen.chain and seen.chain[0] not in surface_ids:
            continue
        region = _worth_outlining(seen, policy)
        if region is not None:
            outlined[seen.item, seen.chain] = seen._replace(region=region)
    numbers = (rng.permutation(len(outlined)) + 1).tolist()
    ids = dict(zip(outlined, numbers, strict=True))
    found = [_sighting(seen, ids, shown, surface_ids) for seen in outlined.values()]
    ordered = sorted(found, key=lambda sighting: sighting.group_id)
    return ViewContent(surfaces, tuple(ordered), frozenset(shown))


class _Seen(NamedTuple):
    """An item as a layer shows it."""

    item: int
    chain: Chain
    window: tuple[slice, slice]
    """Rows and columns that hold all of it."""
    mask: Mask
    """Its pixels, the window alone."""
    layer: Layer
    region: Region | None = None

    def of(self, picture: NDArray[Any]) -> NDArray[Any]:
        """The values of a picture at its pixels."""
        return np.asarray(picture[self.window][self.mask])


def _surfaces(
    truth: ViewTruth, plan: RoomPlan, policy: RoomPolicy, rng: Generator
) -> tuple[SeenSurface, ...]:
    outlined: list[tuple[int, Region, Mask]] = []
    for index in range(len(plan.surfaces)):
        mask = truth.first_surface == index
        if np.count_nonzero(mask) < policy.instances.min_surface_area_px:
            continue
        region = outline_mask(mask, policy.instances, policy.outline)
        if region is not None:
            outlined.append((index, region, mask))
    order = rng.permutation(len(outlined))
    found = (SeenSurface(FIRST_SURFACE_ID + k, *outlined[place]) for k, place in enumerate(order))
    return tuple(found)


def _all_seen(truth: ViewTruth, plan: RoomPlan) -> Iterator[_Seen]:
    """Every annotated item by the way it is seen."""
    count = max(len(plan.items), 1)
    for layer in truth.layers:
        key = np.where(layer.item >= 0, layer.chain_id * count + layer.item + 1, 0)
        values = np.flatnonzero(np.bincount(key.ravel()))
        for value, window in zip(values.tolist(), _windows(key, values), strict=True):
            chain_id, item = divmod(value - 1, count)
            if value and plan.items[item].item.annotated:
                mask = key[window] == value
                yield _Seen(item, truth.chains[chain_id], window, mask, layer)


def _windows(key: NDArray[np.int32], values: NDArray[np.intp]) -> list[tuple[slice, slice]]:
    """Rows and columns that hold all pixels of each value."""
    place = np.searchsorted(values, key).astype(np.int16).ravel()
    # Row by row within each value, so its first pixel is in its first row and its last in the last.
    row, column = np.divmod(np.argsort(place, kind="stable"), key.shape[1])
    ends = np.cumsum(np.bincount(place, minlength=len(values)))
    starts = np.concatenate(([0], ends[:-1]))
    left, right = np.minimum.reduceat(column, starts), np.maximum.reduceat(column, starts)
    bounds = np.stack((row[starts], row[ends - 1] + 1, left, right + 1), axis=-1)
    return [(slice(top, low), slice(near, far)) for top, low, near, far in bounds.tolist()]


def _worth_outlining(seen: _Seen, policy: RoomPolicy) -> Region | None:
    """The outline of what an annotator would not overlook."""
    limits = policy.instances
    area = np.count_nonzero(seen.mask)
    if area < limits.min_area_px or seen.of(seen.layer.share).mean() < limits.min_share:
        return None
    down, right = seen.window
    region = outline_mask(seen.mask, limits, policy.outline, corner_px=(right.start, down.start))
    if region is None:
        return None
    around = sum(shapely.Polygon(ring).length for ring in region.parts)
    return region if 2 * area / around >= limits.min_thickness_px else None


def _sighting(
    seen: _Seen,
    ids: dict[tuple[int, Chain], int],
    shown: set[tuple[int, Chain]],
    surface_ids: dict[int, int],
) -> Sighting:
    item, chain = seen.item, seen.chain
    assert seen.region is not None
    parts, counts = np.unique(seen.of(seen.layer.part), return_counts=True)
    mask = np.zeros(seen.layer.item.shape, bool)
    mask[seen.window] = seen.mask
    own = Sighting(
        group_id=ids[item, chain],
        item=item,
        chain=chain,
        region=seen.region,
        mask=mask,
        side_px=tuple(np.bincount(seen.of(seen.layer.side), minlength=len(SIDES)).tolist()),
        part_px=dict(zip(parts.tolist(), counts.tolist(), strict=True)),
        light_share=float(seen.of(seen.layer.share).mean()),
    )
    if not chain:
        return own
    source = (item, chain[1:])
    counterpart: Counterpart = "out_of_frame"
    if source in ids:
        counterpart = "in_frame"
    elif source in shown or len(chain) > 1:
        counterpart = "ambiguous"
    return replace(
        own,
        in_surface=surface_ids[chain[0]],
        reflection_of=ids.get(source),
        counterpart=counterpart,
    )
