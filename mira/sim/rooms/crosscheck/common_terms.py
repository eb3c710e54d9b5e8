"""Both renderers' truth in the same terms, so that it can be compared number by number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.crosscheck.reflected_cameras import EMPTY, UNKNOWN, Chain, CrossView
from mira.sim.rooms.crosscheck.stage import NOTHING
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.tracing.renderer import ViewTruth

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
_ITEMS, _CHAINS = 1 << 16, 1 << 10


class Terms(NamedTuple):
    """What one renderer says of a picture; arrays of shape (height, width).

    Attributes:
        first_surface: Index of the reflective surface seen at each pixel, -1 for none.
        items: Index of the item straight on, and of the one that glass reflects; -1 for none,
            `NOTHING` in the sky, `UNKNOWN` by convex surfaces.
        chain_ids: Indices into `chains` of how they are seen, `EMPTY` for no such layer.
        chains: Reflective surfaces on the way, up to the first convex one.
        first_depth_m: z of what each pixel shows first.
        depth_m: z of the item, or of its virtual image, in the layer that was asked for; NaN by
            convex surfaces.
    """

    first_surface: Ints
    items: tuple[Ints, Ints]
    chain_ids: tuple[Ints, Ints]
    chains: tuple[Chain, ...]
    first_depth_m: Floats
    depth_m: Floats


def terms_of_rays(truth: ViewTruth, plan: RoomPlan) -> Terms:
    """What the ray tracer says, with all that convex surfaces show left out."""
    chains = tuple(_up_to_bent(chain, plan) for chain in truth.chains)
    none = np.full(truth.first_surface.shape, -1, np.int32)
    items, chain_ids = [none, none.copy()], [np.full_like(none, EMPTY) for _ in range(2)]
    bent = [np.zeros(none.shape, bool) for _ in range(2)]
    for number, layer in enumerate(truth.layers):
        landed = layer.part >= 0
        items[number] = np.where(landed | (layer.chain_id < 0), layer.item, np.int32(NOTHING))
        chain_ids[number] = layer.chain_id.copy()
        for code, chain in enumerate(chains):
            if not chain or plan.surfaces[chain[-1]].bulge_radius_m is None:
                continue
            here = layer.chain_id == code
            bent[number] |= here
            items[number][here] = UNKNOWN
            if number and not any(plan.surfaces[index].see_through for index in chain):
                # The light came to its glass by the convex surface.
                items[number][here], chain_ids[number][here] = -1, EMPTY
    unknown = np.where(by_glass(truth), bent[1], bent[0])
    return Terms(
        first_surface=truth.first_surface,
        items=(items[0], items[1]),
        chain_ids=(chain_ids[0], chain_ids[1]),
        chains=chains,
        first_depth_m=truth.first_depth_m.astype(np.float64),
        depth_m=np.where(unknown, np.nan, truth.virtual_depth_m.astype(np.float64)),
    )


def terms_of_cameras(view: CrossView, by_glass: NDArray[np.bool_]) -> Terms:
    """What the reflected cameras say.

    Args:
        view: Their picture.
        by_glass: Where depth is wanted of what glass reflects, shape (height, width).
    """
    layers = (view.straight, view.by_glass)
    item = np.where(by_glass, view.by_glass.item, view.straight.item)
    depth = np.where(by_glass, view.by_glass.depth_m, view.straight.depth_m)
    return Terms(
        first_surface=view.first_surface,
        items=(layers[0].item, layers[1].item),
        chain_ids=(layers[0].chain_id, layers[1].chain_id),
        chains=view.chains,
        first_depth_m=view.first_depth_m,
        depth_m=np.where(item == UNKNOWN, np.nan, depth),
    )


def by_glass(truth: ViewTruth) -> NDArray[np.bool_]:
    """Where a picture's virtual depth is that of what glass reflects."""
    if len(truth.layers) == 1:
        return np.zeros(truth.first_surface.shape, bool)
    layer = truth.layers[1]
    return np.asarray((layer.chain_id >= 0) & (layer.share > 0.5))


def keys(terms: Terms, known: dict[Chain, int]) -> NDArray[np.int64]:
    """A number for what each pixel shows first, straight on and by glass, and how.

    Args:
        terms: What a renderer says.
        known: Numbers of chains; those not known yet are added.
    """
    numbers = np.array([known.setdefault(chain, len(known) + 1) for chain in terms.chains] + [0])
    key = terms.first_surface.astype(np.int64) + 1
    for item, chain_id in zip(terms.items, terms.chain_ids, strict=True):
        key = (key * _ITEMS + item - UNKNOWN) * _CHAINS + numbers[chain_id]
    return key


def _up_to_bent(chain: Chain, plan: RoomPlan) -> Chain:
    for place, index in enumerate(chain):
        if plan.surfaces[index].bulge_radius_m is not None:
            return chain[: place + 1]
    return chain
