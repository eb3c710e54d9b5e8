"""How much of a reflection is surface that is not seen directly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mira.sim.rooms.answers.facts import ViewFacts
from mira.sim.rooms.tracing.renderer import pixel_directions
from mira.sim.rooms.tracing.sight import Sights, SightTracer
from mira.sim.rooms.tracing.vectors import dot, unit
from mira.sim.rooms.truth.sightings import Sighting

Mask = NDArray[np.bool_]
_SHORT_M = np.float32(0.004)
"""Sight ends so far before a point, or the point's own surface would be in the way."""
_GRAZING = 0.05
"""Cosine below which a surface is not seen."""


def unseen_shares(facts: ViewFacts) -> dict[int, float]:
    """Share of each reflection, by id, whose surface the picture does not show directly.

    Only reflections of things that are seen directly too are looked at. The points of a number of
    pixels are found by tracing them again; a point is seen directly when it projects into the
    picture, its surface looks to the camera and nothing solid is in between.
    """
    shown = {sighting.item for sighting in facts.direct}
    asked = [sighting for sighting in facts.reflected if sighting.item in shown]
    if not asked:
        return {}
    pixels = [_spread(sighting, facts.policy.added.samples) for sighting in asked]
    longest = max(len(sighting.chain) for sighting in asked)
    tracer = SightTracer(facts.plan, facts.mesh, facts.scene.renderer.rays, max_order=longest)
    viewpoint = facts.view.viewpoint
    ends = tracer.follow(
        viewpoint.eye_m.astype(np.float32),
        pixel_directions(viewpoint, facts.camera, np.concatenate(pixels)),
    )
    owner = np.repeat(np.arange(len(asked)), [len(own) for own in pixels])
    unseen, looked_at = np.zeros(len(asked)), np.zeros(len(asked))
    for sights in ends:
        sights, number = _own(facts, tracer, sights, owner, asked)
        hidden = ~_seen_directly(facts, sights)
        looked_at += np.bincount(number, minlength=len(asked))
        unseen += np.bincount(number, hidden, len(asked))
    shares = (unseen / np.maximum(looked_at, 1)).tolist()
    return {sighting.group_id: share for sighting, share in zip(asked, shares, strict=True)}


def _spread(sighting: Sighting, most: int) -> NDArray[np.intp]:
    """Flat indices of pixels spread evenly over a mask."""
    inside = np.flatnonzero(sighting.mask)
    count = min(most, len(inside))
    return inside[np.arange(count) * len(inside) // count]


def _own(
    facts: ViewFacts,
    tracer: SightTracer,
    sights: Sights,
    owner: NDArray[np.intp],
    asked: list[Sighting],
) -> tuple[Sights, NDArray[np.intp]]:
    """The sights that end on the thing they were sent for, by the same mirrors, and its number."""
    codes, place = np.unique(sights.chain, return_inverse=True)
    chains = [tracer.chain_of(int(code)) for code in codes]
    number = owner[sights.ray]
    item = np.where(sights.triangle >= 0, facts.item_of_triangle[sights.triangle], -1)
    wanted = np.array([sighting.item for sighting in asked])
    alike = np.array([[sighting.chain == chain for chain in chains] for sighting in asked], bool)
    alike = alike.reshape(len(asked), len(chains))
    kept = (item == wanted[number]) & alike[number, place.ravel()]
    chosen = np.flatnonzero(kept)
    return sights.take(chosen), number[chosen]


def _seen_directly(facts: ViewFacts, sights: Sights) -> Mask:
    corners = facts.mesh.corners[sights.triangle].astype(np.float32)
    normal = unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    normal = np.where((dot(normal, sights.direction) > 0)[:, None], -normal, normal)
    eye = facts.view.viewpoint.eye_m.astype(np.float32)
    way = sights.point - eye
    length = np.sqrt(np.maximum(dot(way, way), np.float32(1e-12)))
    turned_to = -dot(normal, way) > _GRAZING * length
    origins = np.ascontiguousarray(np.broadcast_to(eye, way.shape))
    reach = np.asarray(1 - _SHORT_M / length, np.float32)
    blocked = facts.scene.renderer.rays.blocked(origins, way, reach)
    return _in_picture(facts, sights) & turned_to & ~blocked


def _in_picture(facts: ViewFacts, sights: Sights) -> Mask:
    lens = facts.camera.intrinsics()
    x, y, z = facts.view.viewpoint.to_camera(sights.point.astype(np.float64)).T
    ahead = z > 1e-6
    scale = 1 / np.where(ahead, z, 1.0)
    column, row = lens.fx_px * x * scale + lens.cx_px, lens.fy_px * y * scale + lens.cy_px
    inside = (column >= -0.5) & (column < lens.width_px - 0.5)
    return np.asarray(ahead & inside & (row >= -0.5) & (row < lens.height_px - 0.5))
