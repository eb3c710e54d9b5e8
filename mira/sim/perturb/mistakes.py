"""Which mistakes are made in one drawing, decided on what it was before any of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, get_args

import numpy as np

from mira.schema.capture import SurfaceType
from mira.sim.perturb.chance import Chance, Draw
from mira.sim.perturb.drawing import Drawing, Instance, attributes_of, is_unset, region_of
from mira.sim.perturb.links import link_of
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.records import Change

SURFACE_TYPE = "surface_type"
_TYPES = get_args(SurfaceType)
_BIAS_LIMITS = (0.25, 4.0)
"""Missing an instance is made no less and no more likely than by these factors."""


class LinkMistake(NamedTuple):
    """What becomes of a reflection's link."""

    kind: Change
    before: int
    after: int | None


class Mistakes(NamedTuple):
    """Positions of instances in the drawing, by mistake."""

    missed: frozenset[int]
    swapped: frozenset[int]
    """Those drawn with the other visibility."""
    links: dict[int, LinkMistake]
    types: dict[int, tuple[str, str]]
    """Types of a surface, true and drawn."""
    holes: dict[int, tuple[int, ...]]
    """Positions of the shapes that are forgotten holes."""
    copied: tuple[int, ...]
    """Those of which a copy is invented."""


def draw_mistakes(drawing: Drawing, noise: AnnotatorNoise, chance: Chance) -> Mistakes:
    """Decide on all mistakes but the shifts of vertices."""
    things = [k for k, one in enumerate(drawing.instances) if one.role != "surface"]
    shares = _miss_shares(drawing, things, noise)
    missed = frozenset(
        k
        for k, share in zip(things, shares, strict=True)
        if chance.happens(Draw.MISS, _place(drawing, k), share)
    )
    left = [k for k in things if k not in missed]
    swapped = frozenset(
        k
        for k in left
        if chance.happens(Draw.VISIBILITY, _place(drawing, k), noise.wrong_visibility_share)
    )
    return Mistakes(
        missed=missed,
        swapped=swapped,
        links=_link_mistakes(drawing, missed, swapped, noise, chance),
        types=_wrong_types(drawing, noise, chance),
        holes=_forgotten(drawing, missed, noise, chance),
        copied=tuple(
            k for k in things if chance.happens(Draw.EXTRA, _place(drawing, k), noise.extra_share)
        ),
    )


def _place(drawing: Drawing, k: int) -> int:
    """What an instance's chance goes by: the position of its first shape."""
    return drawing.instances[k].parts[0]


def _miss_shares(drawing: Drawing, things: Sequence[int], noise: AnnotatorNoise) -> list[float]:
    """The probability of missing each: about the policy's share on average, more if small."""
    if not things:
        return []
    instances = [drawing.instances[k] for k in things]
    areas = np.array([region_of(drawing.shapes, one.parts, one.holes).area for one in instances])
    logs = -noise.small_bias * np.log(np.maximum(areas, 1.0))
    weights = np.exp(logs - logs.mean()).clip(*_BIAS_LIMITS)
    weights /= weights.mean()
    return [float(share) for share in 1 - (1 - noise.miss_share) ** weights]


def _link_mistakes(
    drawing: Drawing,
    missed: frozenset[int],
    swapped: frozenset[int],
    noise: AnnotatorNoise,
    chance: Chance,
) -> dict[int, LinkMistake]:
    found: dict[int, LinkMistake] = {}
    kept = {one.group_id for k, one in enumerate(drawing.instances) if k not in missed}
    gone = {drawing.instances[k].group_id for k in missed} - kept
    direct = [
        one.group_id
        for k, one in enumerate(drawing.instances)
        if one.role == "direct" and one.group_id is not None and k not in missed | swapped
    ]
    before = {one.group_id: link_of(drawing, one) for one in drawing.instances if _links(one)}
    for k, one in enumerate(drawing.instances):
        target = link_of(drawing, one) if _links(one) and k not in missed | swapped else None
        if target is None:
            continue
        others = sorted({number for number in direct if number not in _end(target, before)})
        place = _place(drawing, k)
        if others and chance.happens(Draw.WRONG_LINK, place, noise.wrong_link_share):
            pick = chance.of(Draw.WRONG_LINK, place).random(2)[1]
            found[k] = LinkMistake("wrong_link", target, others[int(pick * len(others))])
        elif chance.happens(Draw.DROPPED_LINK, place, noise.dropped_link_share):
            found[k] = LinkMistake("dropped_link", target, None)
        elif target in gone:
            found[k] = LinkMistake("target_missed", target, None)
    return found


def _links(instance: Instance) -> bool:
    return instance.role == "reflected"


def _end(target: int, links: dict[int | None, int | None]) -> set[int]:
    """The ids on the way from a link's target to the end of the chain."""
    way = {target}
    while (following := links.get(target)) is not None and following not in way:
        way.add(following)
        target = following
    return way


def _wrong_types(
    drawing: Drawing, noise: AnnotatorNoise, chance: Chance
) -> dict[int, tuple[str, str]]:
    found = {}
    for k, one in enumerate(drawing.instances):
        if one.role != "surface":
            continue
        place = _place(drawing, k)
        true = attributes_of(drawing.shapes[place]).get(SURFACE_TYPE)
        if is_unset(true) or not chance.happens(
            Draw.SURFACE_TYPE, place, noise.wrong_surface_type_share
        ):
            continue
        others = [name for name in _TYPES if name != true]
        pick = chance.of(Draw.SURFACE_TYPE, place).random(2)[1]
        found[k] = (str(true), others[int(pick * len(others))])
    return found


def _forgotten(
    drawing: Drawing, missed: frozenset[int], noise: AnnotatorNoise, chance: Chance
) -> dict[int, tuple[int, ...]]:
    found = {}
    for k, one in enumerate(drawing.instances):
        if k not in missed:
            holes = tuple(
                place
                for place in one.holes
                if chance.happens(Draw.HOLE, place, noise.forgotten_hole_share)
            )
            if holes:
                found[k] = holes
    return found
