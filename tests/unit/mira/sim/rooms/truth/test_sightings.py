from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from mira.geometry.polygon import region_area
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.reflective import ReflectiveSurface, facing
from mira.sim.rooms.things.parts import Item, Placed
from mira.sim.rooms.tracing.renderer import Layer, RoomRenderer, ViewTruth
from mira.sim.rooms.tracing.sight import Chain
from mira.sim.rooms.truth.outlines import iou_with_mask
from mira.sim.rooms.truth.sightings import (
    FIRST_SURFACE_ID,
    Sighting,
    ViewContent,
    find_content,
)

_CAMERA = CameraPolicy(width_px=160, height_px=120, focal_px=140)
_POLICY = RoomPolicy(camera=_CAMERA, instances=InstancePolicy(min_area_px=50))
_SHAPE = (_CAMERA.height_px, _CAMERA.width_px)
_CHAINS: tuple[Chain, ...] = ((), (0,), (1,), (1, 0), (2,))
Patches = dict[tuple[int, Chain], tuple[int, int]]


@pytest.fixture
def plan(make_plan: Callable[..., RoomPlan]) -> RoomPlan:
    """Four things that are told apart, a fixture, two mirrors and a pane."""
    names = ("cup", "ball", "vase", "lamp")
    things = [Placed(Item(name, f"red {name}", (), 0.1), (0, -1, 1)) for name in names]
    door = Placed(Item("door", "door", (), 0.5, annotated=False), (0, -1, 1))
    mirrors = [
        ReflectiveSurface(f"mirror_{k}", "planar_mirror", (k, 0, 1), facing(0), 1.0, 1.0)
        for k in (1, 2)
    ]
    pane = ReflectiveSurface("pane", "glass", (0, 0, 1), facing(0), 1.0, 1.0, see_through=0.8)
    return make_plan(items=(*things, door), surfaces=(*mirrors, pane))


def _empty(chain_id: NDArray[np.int32], share: float = 1.0) -> Layer:
    nothing = np.full(_SHAPE, -1, np.int32)
    return Layer(
        item=nothing,
        side=np.full(_SHAPE, -1, np.int8),
        part=nothing.copy(),
        chain_id=chain_id,
        share=np.full(_SHAPE, share, np.float32),
    )


def _truth(patches: Patches, *, by_glass: Patches | None = None, share: float = 0.5) -> ViewTruth:
    """A picture whose left third is plain and whose other thirds are mirrors 0 and 1.

    Patches are item and chain, and the left edge and the size of a square that shows them. With
    `by_glass`, the plain third is a pane that gives these patches and that share of the light.
    """
    first_surface, chain_id = np.full(_SHAPE, -1, np.int32), np.zeros(_SHAPE, np.int32)
    first_surface[:, 54:107], first_surface[:, 107:] = 0, 1
    chain_id[:, 54:107], chain_id[:, 107:] = 1, 2
    straight = _empty(chain_id)
    _draw(straight, patches)
    for (_, chain), (left, size) in patches.items():
        if not chain:
            first_surface[:, left : left + size] = -1
    layers = [straight]
    if by_glass is not None:
        first_surface[:, :54] = 2
        chain_id = np.full(_SHAPE, -1, np.int32)
        chain_id[:, :54] = 4
        layers.append(_empty(chain_id, 0.0))
        layers[0].share[:, :54], layers[1].share[:, :54] = 1 - share, share
        _draw(layers[1], by_glass)
    depth = np.ones(_SHAPE, np.float32)
    colour = np.zeros((*_SHAPE, 3), np.uint8)
    return ViewTruth(colour, depth, depth, first_surface, tuple(layers), _CHAINS)


def _draw(layer: Layer, patches: Patches) -> None:
    """Squares; each shows the top (4) in its first row and the front (3) below."""
    for row, ((index, chain), (left, size)) in enumerate(patches.items()):
        top = 10 + 22 * (row % 5)
        spot = (slice(top, top + size), slice(left, left + size))
        layer.item[spot], layer.chain_id[spot] = index, _CHAINS.index(chain)
        layer.side[spot], layer.part[spot] = 3, 10 * index
        layer.side[top, left : left + size] = 4
        layer.part[top, left : left + size] = 10 * index + 1


def _content(plan: RoomPlan, truth: ViewTruth, *, seed: int = 0) -> ViewContent:
    return find_content(truth, plan, _POLICY, np.random.default_rng(seed))


def _by_key(content: ViewContent) -> dict[tuple[int, Chain], Sighting]:
    return {(sighting.item, sighting.chain): sighting for sighting in content.sightings}


def test_a_reflection_links_to_the_thing_itself(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(0, ()): (5, 15), (0, (0,)): (60, 15)})))

    assert found[0, (0,)].reflection_of == found[0, ()].group_id
    assert found[0, (0,)].counterpart == "in_frame"
    assert found[0, ()].counterpart is None
    assert found[0, ()].reflection_of is None
    assert found[0, ()].in_surface is None


def test_a_reflection_without_its_thing_says_so(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(1, (0,)): (60, 15)})))

    assert found[1, (0,)].reflection_of is None
    assert found[1, (0,)].counterpart == "out_of_frame"


def test_a_thing_that_shows_too_little_makes_its_reflection_ambiguous(plan: RoomPlan) -> None:
    content = _content(plan, _truth({(1, ()): (5, 4), (1, (0,)): (60, 15)}))
    found = _by_key(content)

    assert set(found) == {(1, (0,))}
    assert found[1, (0,)].counterpart == "ambiguous"
    assert content.shown == {(1, ()), (1, (0,))}


def test_a_reflection_of_a_reflection_links_to_the_reflection(plan: RoomPlan) -> None:
    patches: Patches = {(2, ()): (5, 15), (2, (0,)): (60, 15), (2, (1, 0)): (120, 15)}
    content = _content(plan, _truth(patches))
    found = _by_key(content)
    surfaces = {surface.surface: surface.group_id for surface in content.surfaces}

    assert found[2, (1, 0)].reflection_of == found[2, (0,)].group_id
    assert found[2, (1, 0)].in_surface == surfaces[1]
    assert found[2, (0,)].in_surface == surfaces[0]


def test_a_second_reflection_whose_first_is_not_outlined_is_ambiguous(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(2, ()): (5, 15), (2, (1, 0)): (120, 15)})))

    assert found[2, (1, 0)].reflection_of is None
    assert found[2, (1, 0)].counterpart == "ambiguous"


def test_fixtures_and_slivers_are_not_outlined(plan: RoomPlan) -> None:
    truth = _truth({(4, ()): (5, 15)})
    truth.layers[0].item[100:101, 0:54] = 3

    content = _content(plan, truth)

    assert content.sightings == ()
    assert content.shown == {(3, ())}


def test_surfaces_that_hardly_show_are_left_out_with_all_they_show(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 15), (0, (0,)): (60, 15), (1, (1, 0)): (120, 15)})
    truth.first_surface[truth.first_surface == 0] = -1
    truth.first_surface[40:55, 60:75] = 0

    content = _content(plan, truth)

    assert [surface.surface for surface in content.surfaces] == [1]
    assert set(_by_key(content)) == {(0, ()), (1, (1, 0))}


def test_outlines_and_masks_are_where_the_pixels_are(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 15), (0, (0,)): (60, 14)})
    content = _content(plan, truth)

    for sighting in content.sightings:
        here = (truth.layers[0].item == 0) & (
            truth.layers[0].chain_id == _CHAINS.index(sighting.chain)
        )
        assert np.array_equal(sighting.mask, here)
        assert iou_with_mask(sighting.region, here) == 1
    for surface in content.surfaces:
        assert np.array_equal(surface.mask, truth.first_surface == surface.surface)
        assert region_area(surface.region.parts).area == pytest.approx(surface.mask.sum(), rel=0.01)


def test_sides_and_parts_add_up_to_the_area(plan: RoomPlan) -> None:
    patches: Patches = {(0, ()): (5, 15), (2, (0,)): (60, 14), (3, (1,)): (120, 11)}

    for sighting in _content(plan, _truth(patches)).sightings:
        size = patches[sighting.item, sighting.chain][1]
        first = 10 * sighting.item
        assert sighting.side_px == (0, 0, 0, size * (size - 1), size, 0)
        assert sighting.part_px == {first: size * (size - 1), first + 1: size}
        assert sum(sighting.side_px) == sum(sighting.part_px.values()) == sighting.mask.sum()
        assert sighting.light_share == 1


def test_a_pane_shows_what_is_behind_it_and_what_it_gives_back(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 15)}, by_glass={(1, (2,)): (30, 15)}, share=0.4)
    content = _content(plan, truth)
    found = _by_key(content)
    pane = {surface.surface: surface.group_id for surface in content.surfaces}[2]

    assert set(found) == {(0, ()), (1, (2,))}
    assert found[0, ()].light_share == pytest.approx(0.6)
    assert found[1, (2,)].light_share == pytest.approx(0.4)
    assert found[1, (2,)].in_surface == pane
    assert found[1, (2,)].counterpart == "out_of_frame"


@pytest.mark.parametrize(("share", "kept"), [(0.2, {(0, ())}), (0.8, {(1, (2,))})])
def test_what_gives_too_little_of_the_light_is_left_out(
    plan: RoomPlan, share: float, kept: set[tuple[int, Chain]]
) -> None:
    truth = _truth({(0, ()): (5, 15)}, by_glass={(1, (2,)): (5, 15)}, share=share)
    content = _content(plan, truth)

    assert set(_by_key(content)) == kept
    assert content.shown == {(0, ()), (1, (2,))}


def test_a_faint_thing_behind_glass_makes_its_reflection_ambiguous(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 15), (0, (0,)): (60, 15)}, by_glass={}, share=0.9)
    found = _by_key(_content(plan, truth))

    assert set(found) == {(0, (0,))}
    assert found[0, (0,)].counterpart == "ambiguous"


def test_ids_are_unique_and_tell_nothing(plan: RoomPlan) -> None:
    keys: list[tuple[int, Chain]] = [(0, ()), (0, (0,)), (1, ()), (1, (0,)), (2, ())]
    patches = {(index, chain): (60 if chain else 5, 12) for index, chain in keys}
    roles, surfaces = defaultdict(set), defaultdict(set)
    for seed in range(30):
        content = _content(plan, _truth(patches), seed=seed)
        ids = [sighting.group_id for sighting in content.sightings]
        assert ids == list(range(1, len(keys) + 1))
        for sighting in content.sightings:
            roles[sighting.item, sighting.chain].add(sighting.group_id)
        assert [s.group_id for s in content.surfaces] == [FIRST_SURFACE_ID, FIRST_SURFACE_ID + 1]
        for surface in content.surfaces:
            surfaces[surface.surface].add(surface.group_id)
    assert all(len(seen) > 2 for seen in roles.values())
    assert all(len(seen) == 2 for seen in surfaces.values())


@pytest.mark.usefixtures("embree")
def test_links_of_a_drawn_room_join_a_thing_and_its_reflection(
    small_room: RoomPlan, quick_policy: RoomPolicy
) -> None:
    truth = RoomRenderer(small_room, quick_policy).view(
        small_room.viewpoints[1], np.random.default_rng(0)
    )
    content = find_content(truth, small_room, quick_policy, np.random.default_rng(0))
    found = {sighting.group_id: sighting for sighting in content.sightings}
    surfaces = {surface.group_id: surface.surface for surface in content.surfaces}
    orders = []

    for sighting in found.values():
        if sighting.chain:
            assert sighting.in_surface is not None
            assert surfaces[sighting.in_surface] == sighting.chain[0]
        if sighting.reflection_of is not None:
            source = found[sighting.reflection_of]
            assert (source.item, source.chain) == (sighting.item, sighting.chain[1:])
            assert sighting.counterpart == "in_frame"
            orders.append(len(sighting.chain))
        assert sum(sighting.side_px) == sum(sighting.part_px.values()) == sighting.mask.sum()
        assert iou_with_mask(sighting.region, sighting.mask) >= quick_policy.outline.min_iou
    assert orders.count(1) >= 3
    # The ball behind the camera is seen by mirrors alone.
    behind = [sighting for sighting in found.values() if sighting.item == 3]
    assert {s.counterpart for s in behind if len(s.chain) == 1} == {"out_of_frame"}
    assert 4 not in {sighting.item for sighting in found.values()}
