from __future__ import annotations

import dataclasses
import re
from collections import defaultdict

import numpy as np
import pytest

from mira.sim.rooms import furniture, greenery, keepsakes, tableware
from mira.sim.rooms.annotation_file import annotation_document
from mira.sim.rooms.layout import plan_room
from mira.sim.rooms.parts import Item, Placed
from mira.sim.rooms.plan import RoomPlan
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.rendering import Chain, ViewTruth
from mira.sim.rooms.sightings import FIRST_SURFACE_ID, Sighting, ViewContent, find_content
from mira.sim.rooms.styles import draw_style

_CAMERA = CameraPolicy(width_px=160, height_px=120, focal_px=140, supersample=1)
_POLICY = RoomPolicy(camera=_CAMERA, instances=InstancePolicy(min_area_px=50))
_CHAINS: tuple[Chain, ...] = ((), (0,), (1,), (1, 0))


@pytest.fixture
def plan(corner_room: RoomPlan) -> RoomPlan:
    """Four things that are told apart and one fixture."""
    names = ("cup", "ball", "vase", "lamp")
    things = [Placed(Item(name, f"red {name}", (), 0.1), (0, -1, 1)) for name in names]
    door = Placed(Item("door", "door", (), 0.5, annotated=False), (0, -1, 1))
    return dataclasses.replace(corner_room, items=(*things, door))


def _truth(patches: dict[tuple[int, Chain], tuple[int, int]]) -> ViewTruth:
    """A picture whose left third is plain and whose other thirds are mirrors 0 and 1.

    Patches are item and chain, and the left edge and the size of a square that shows them.
    """
    shape = (_CAMERA.height_px, _CAMERA.width_px)
    mirror, item = np.full(shape, -1, np.int32), np.full(shape, -1, np.int32)
    chain_id = np.zeros(shape, np.int32)
    mirror[:, 54:107], mirror[:, 107:] = 0, 1
    chain_id[:, 54:107], chain_id[:, 107:] = 1, 2
    for row, ((index, chain), (left, size)) in enumerate(patches.items()):
        spot = (slice(10 + 22 * (row % 5), 10 + 22 * (row % 5) + size), slice(left, left + size))
        item[spot], chain_id[spot] = index, _CHAINS.index(chain)
        if not chain:
            mirror[spot] = -1
    colour = np.zeros((*shape, 3), np.uint8)
    return ViewTruth(colour, np.ones(shape, np.float32), mirror, item, chain_id, _CHAINS)


def _content(plan: RoomPlan, truth: ViewTruth, *, seed: int = 0) -> ViewContent:
    return find_content(truth, plan, _POLICY, np.random.default_rng(seed))


def _by_key(content: ViewContent) -> dict[tuple[int, Chain], Sighting]:
    return {(sighting.item, sighting.chain): sighting for sighting in content.sightings}


def test_a_reflection_links_to_the_thing_itself(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(0, ()): (5, 15), (0, (0,)): (60, 15)})))

    assert found[0, (0,)].reflection_of == found[0, ()].group_id
    assert found[0, (0,)].counterpart == "in_frame"
    assert found[0, ()].counterpart is None


def test_a_reflection_without_its_thing_says_so(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(1, (0,)): (60, 15)})))

    assert found[1, (0,)].reflection_of is None
    assert found[1, (0,)].counterpart == "out_of_frame"


def test_a_thing_that_shows_too_little_makes_its_reflection_ambiguous(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(1, ()): (5, 4), (1, (0,)): (60, 15)})))

    assert set(found) == {(1, (0,))}
    assert found[1, (0,)].counterpart == "ambiguous"


def test_a_reflection_of_a_reflection_links_to_the_reflection(plan: RoomPlan) -> None:
    patches = {(2, ()): (5, 15), (2, (0,)): (60, 15), (2, (1, 0)): (120, 15)}
    content = _content(plan, _truth(patches))
    found = _by_key(content)
    surfaces = {surface.mirror: surface.group_id for surface in content.surfaces}

    assert found[2, (1, 0)].reflection_of == found[2, (0,)].group_id
    assert found[2, (1, 0)].in_surface == surfaces[1]
    assert found[2, (0,)].in_surface == surfaces[0]


def test_a_second_reflection_whose_first_is_not_outlined_is_ambiguous(plan: RoomPlan) -> None:
    found = _by_key(_content(plan, _truth({(2, ()): (5, 15), (2, (1, 0)): (120, 15)})))

    assert found[2, (1, 0)].reflection_of is None
    assert found[2, (1, 0)].counterpart == "ambiguous"


def test_fixtures_and_slivers_are_not_outlined(plan: RoomPlan) -> None:
    truth = _truth({(4, ()): (5, 15)})
    truth.item[100:101, 0:54] = 3

    assert _content(plan, truth).sightings == ()


def test_ids_are_unique_and_tell_nothing(plan: RoomPlan) -> None:
    patches = {(index, chain): (5 if not chain else 60, 12) for index, chain in _all_pairs()}
    roles = defaultdict(set)
    for seed in range(30):
        content = _content(plan, _truth(patches), seed=seed)
        ids = [sighting.group_id for sighting in content.sightings]
        assert ids == list(range(1, len(ids) + 1))
        for sighting in content.sightings:
            roles[sighting.item, sighting.chain].add(sighting.group_id)
    assert all(len(seen) > 2 for seen in roles.values())


def _all_pairs() -> list[tuple[int, Chain]]:
    return [(0, ()), (0, (0,)), (1, ()), (1, (0,)), (2, ())]


def test_the_document_has_the_form_that_annotators_save(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 15), (0, (0,)): (60, 15), (1, (0,)): (75, 15)})
    content = _content(plan, truth)
    document = annotation_document(content, plan, _CAMERA, image_name="a.png")

    assert document["version"] == "4.0.2"
    assert document["checked"] is True
    assert (document["imagePath"], document["imageData"]) == ("a.png", None)
    assert (document["imageWidth"], document["imageHeight"]) == (160, 120)
    shapes = {(shape["label"], shape["description"]): shape for shape in document["shapes"]}
    surface = shapes["surface", ""]
    thing, image = shapes["object", "red cup"], shapes["object_reflection", "red cup"]
    alone = shapes["object_reflection", "red ball"]
    assert surface["group_id"] >= FIRST_SURFACE_ID
    assert surface["attributes"] == {"surface_type": "planar_mirror"}
    assert thing["attributes"] == {}
    assert image["attributes"]["reflection_of"] == str(thing["group_id"])
    assert image["attributes"]["counterpart"] == "in_frame"
    assert alone["attributes"]["reflection_of"] == ""
    assert alone["attributes"]["counterpart"] == "out_of_frame"
    assert image["attributes"]["in_mirror"] == alone["attributes"]["in_mirror"]


def test_a_hole_follows_its_instance_under_the_same_id(plan: RoomPlan) -> None:
    truth = _truth({(0, ()): (5, 20)})
    truth.item[16:24, 11:19] = -1

    document = annotation_document(_content(plan, truth), plan, _CAMERA, image_name="a.png")
    shapes = [shape for shape in document["shapes"] if shape["group_id"] < FIRST_SURFACE_ID]

    assert [shape["label"] for shape in shapes] == ["object", "hole"]
    assert len({shape["group_id"] for shape in shapes}) == 1


def test_no_description_gives_the_mirror_away() -> None:
    rng = np.random.default_rng(0)
    extra = (keepsakes.globe, greenery.floor_plant, tableware.bottle, furniture.armchair)
    for index in range(3):
        style = draw_style(rng, index)
        for maker in (*style.small, *style.mounted, *style.standing, *extra):
            description = maker(rng).description
            assert re.fullmatch(r"[a-z]+( [a-z]+)+", description)
            assert not re.search("mirror|reflect|image|virtual", description)


@pytest.mark.parametrize("index", range(3))
def test_no_two_outlined_things_of_a_room_are_called_alike(index: int) -> None:
    for seed in range(12):
        plan = plan_room(np.random.default_rng(seed), index=index, view_count=1)
        names = [p.item.description for p in plan.items if p.item.annotated]
        assert len(names) == len(set(names))
