"""Visibility, correspondence, relations and counts in rooms whose answers are plain to see."""

from __future__ import annotations

from typing import Any

import pytest

from mira.schema.qa import AxesAnswer, ChoiceAnswer, CountAnswer, YesNoAnswer
from mira.sim.rooms.reflective import ReflectiveSurface, facing


@pytest.fixture(scope="module")
def shelf(kit: Any) -> Any:
    """A cup to the left of a vase before the mirror, a stool behind the camera, a lone bowl."""
    return kit.build(
        kit.thing("cup", (-0.4, -0.6, 1.0)),
        kit.thing("vase", (0.4, -0.6, 1.0)),
        kit.thing("stool", (0.9, -3.6, 1.3)),
        kit.thing("bowl", (-1.15, -0.3, 0.75)),
        surfaces=(kit.mirror(0.2, 2.2),),
    )


def _id(world: Any, name: str, *chain: int) -> int:
    return world.sighting(name, *chain).group_id


@pytest.mark.parametrize(
    ("name", "chain", "words"),
    [
        ("cup", (), ("no", "no", "yes")),
        ("cup", (0,), ("no", "no", "yes")),
        ("stool", (0,), ("yes", "no", "no")),
        ("bowl", (), ("no", "yes", "no")),
    ],
)
def test_visibility_is_that_of_the_object(
    shelf: Any, name: str, chain: tuple[int, ...], words: tuple[str, ...]
) -> None:
    group_id = _id(shelf, name, *chain)
    found = [shelf.of(f"vc_00{k}", group_id).answer for k in (1, 2, 3)]
    assert found == [YesNoAnswer(value=word) for word in words]


def test_a_reflection_corresponds_to_its_object(shelf: Any) -> None:
    cup, reflected = _id(shelf, "cup"), _id(shelf, "cup", 0)
    found = shelf.of("mc_001", reflected)
    assert found.answer == ChoiceAnswer(value=str(cup))
    assert set(found.candidates) == {cup, _id(shelf, "vase"), _id(shelf, "bowl")}
    assert shelf.of("mc_002", cup).answer == ChoiceAnswer(value=str(reflected))


def test_pairs_are_one_object_or_two(shelf: Any) -> None:
    cup, vase, reflected = (_id(shelf, "cup"), _id(shelf, "vase"), _id(shelf, "cup", 0))
    assert shelf.of("mc_003", reflected, cup).answer == YesNoAnswer(value="yes")
    assert shelf.of("mc_003", reflected, vase).answer == YesNoAnswer(value="no")


def test_an_object_without_direct_sight_has_no_correspondence(shelf: Any) -> None:
    stool = _id(shelf, "stool", 0)
    asked = [a for a in shelf.answers if a.template_id == "mc_001"]
    assert all(answer.slots["X"] != stool for answer in asked)


def test_a_reflection_is_put_back_before_it_is_compared(shelf: Any) -> None:
    answer = shelf.of("mr_001", _id(shelf, "cup", 0), _id(shelf, "vase"))
    assert answer.answer == AxesAnswer(horizontal="left", vertical="aligned", depth="same_depth")
    assert answer.margin is not None
    assert answer.margin_unit == "m"
    assert not answer.flags


def test_what_is_behind_the_camera_is_in_front_and_flagged(shelf: Any) -> None:
    answer = shelf.of("mr_001", _id(shelf, "stool", 0), _id(shelf, "vase"))
    assert answer.answer.depth == "front"
    assert answer.answer.horizontal == "right"
    assert answer.flags == ("behind_camera",)


def test_two_reflections_are_compared_once(shelf: Any) -> None:
    cup, vase = _id(shelf, "cup", 0), _id(shelf, "vase", 0)
    first, second = sorted((cup, vase))
    word = "left" if first == cup else "right"
    assert shelf.of("mr_003", first, second).answer.horizontal == word


def test_an_object_is_not_compared_with_itself(shelf: Any) -> None:
    pair = {"X": _id(shelf, "cup", 0), "Y": _id(shelf, "cup")}
    assert all(a.slots != pair for a in shelf.answers if a.template_id == "mr_001")


@pytest.mark.parametrize(
    ("direction", "count"),
    # The mirror, 2.2 m wide around x = 0.2, is aligned with the vase and behind it.
    [("left", 2), ("right", 1), ("front", 1), ("behind", 2), ("below", 1)],
)
def test_objects_and_surfaces_are_counted_once(shelf: Any, direction: str, count: int) -> None:
    for group_id in (_id(shelf, "vase"), _id(shelf, "vase", 0)):
        found = shelf.of("ct_001", group_id, direction=direction)
        assert found.answer == CountAnswer(value=count), found.reason


def test_reflections_of_reflections_belong_to_the_same_object(kit: Any) -> None:
    side = ReflectiveSurface("side", "planar_mirror", (1.99, -1.0, 1.3), facing(-90), 1.8, 1.6)
    world = kit.build(
        kit.thing("cup", (1.0, -0.8, 1.3)),
        kit.thing("vase", (0.3, -0.5, 1.3)),
        surfaces=(kit.mirror(0.7, 2.4), side),
        target_m=(1.6, 0.0, 1.3),
    )
    real = _id(world, "cup")
    seen = [s for s in world.scene.views[0].content.sightings if s.item == 0 and s.chain]
    assert {len(s.chain) for s in seen} == {1, 2}
    for sighting in seen:
        assert world.of("mc_001", sighting.group_id).answer == ChoiceAnswer(value=str(real))
        assert world.of("mc_003", sighting.group_id, real).answer == YesNoAnswer(value="yes")
    found = world.of("mc_002", real)
    assert {found.answer.value, *found.also_true} == {str(s.group_id) for s in seen}
