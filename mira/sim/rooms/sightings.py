"""What one picture shows: surfaces and things, direct and reflected, with their links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from numpy.random import Generator
from numpy.typing import NDArray

from mira.geometry.polygon import Region
from mira.sim.rooms.outlines import outline_mask
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.rendering import Chain, ViewTruth

Counterpart = Literal["in_frame", "out_of_frame", "ambiguous"]
FIRST_SURFACE_ID = 100


@dataclass(frozen=True)
class SeenSurface:
    """A mirror in the picture.

    Attributes:
        group_id: Its id in the picture, from 100.
        mirror: Index into the plan's mirrors.
        region: Its visible outline.
    """

    group_id: int
    mirror: int
    region: Region


@dataclass(frozen=True)
class Sighting:
    """A thing in the picture, seen directly or through mirrors.

    Attributes:
        group_id: Its id in the picture, from 1, drawn at random.
        item: Index into the plan's items.
        chain: Mirrors on the way; empty for direct sight.
        region: Its visible outline.
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
    in_surface: int | None = None
    reflection_of: int | None = None
    counterpart: Counterpart | None = None


@dataclass(frozen=True)
class ViewContent:
    """Everything outlined in one picture, each kind in the order of its ids."""

    surfaces: tuple[SeenSurface, ...]
    sightings: tuple[Sighting, ...]


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
    surface_ids = {surface.mirror: surface.group_id for surface in surfaces}
    regions: dict[tuple[int, Chain], Region] = {}
    shown: set[tuple[int, Chain]] = set()
    for item, chain, mask in _masks(truth, plan):
        shown.add((item, chain))
        if chain and chain[0] not in surface_ids:
            continue
        region = _worth_outlining(mask, policy)
        if region is not None:
            regions[item, chain] = region
    ids = dict(zip(regions, (rng.permutation(len(regions)) + 1).tolist(), strict=True))
    found = [
        _sighting(item, chain, region, ids, shown, surface_ids)
        for (item, chain), region in regions.items()
    ]
    return ViewContent(surfaces, tuple(sorted(found, key=lambda sighting: sighting.group_id)))


def _surfaces(
    truth: ViewTruth, plan: RoomPlan, policy: RoomPolicy, rng: Generator
) -> tuple[SeenSurface, ...]:
    outlined: list[tuple[int, Region]] = []
    for mirror in range(len(plan.mirrors)):
        mask = truth.first_mirror == mirror
        if np.count_nonzero(mask) < policy.instances.min_surface_area_px:
            continue
        region = outline_mask(mask, policy.instances, policy.outline)
        if region is not None:
            outlined.append((mirror, region))
    order = rng.permutation(len(outlined))
    found = (SeenSurface(FIRST_SURFACE_ID + k, *outlined[place]) for k, place in enumerate(order))
    return tuple(found)


def _masks(truth: ViewTruth, plan: RoomPlan) -> list[tuple[int, Chain, NDArray[np.bool_]]]:
    """Visible pixels of every annotated item by the way it is seen."""
    count = len(plan.items)
    key = np.where(truth.item >= 0, truth.chain_id * count + truth.item, -1)
    masks = []
    for value in np.unique(key[key >= 0]).tolist():
        chain_id, item = divmod(value, count)
        if plan.items[item].item.annotated:
            masks.append((item, truth.chains[chain_id], key == value))
    return masks


def _worth_outlining(mask: NDArray[np.bool_], policy: RoomPolicy) -> Region | None:
    """The outline of what an annotator would not overlook."""
    limits = policy.instances
    if np.count_nonzero(mask) < limits.min_area_px:
        return None
    region = outline_mask(mask, limits, policy.outline)
    if region is None:
        return None
    around = sum(shapely.Polygon(ring).length for ring in region.parts)
    thickness = 2 * np.count_nonzero(mask) / around
    return region if thickness >= limits.min_thickness_px else None


def _sighting(
    item: int,
    chain: Chain,
    region: Region,
    ids: dict[tuple[int, Chain], int],
    shown: set[tuple[int, Chain]],
    surface_ids: dict[int, int],
) -> Sighting:
    group_id = ids[item, chain]
    if not chain:
        return Sighting(group_id, item, chain, region)
    source = (item, chain[1:])
    counterpart: Counterpart = "out_of_frame"
    if source in ids:
        counterpart = "in_frame"
    elif source in shown or len(chain) > 1:
        counterpart = "ambiguous"
    surface = surface_ids[chain[0]]
    return Sighting(group_id, item, chain, region, surface, ids.get(source), counterpart)
