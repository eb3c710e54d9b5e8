"""What a mirror adds to things whose far side is known."""

from __future__ import annotations

from typing import Any

import pytest

from mira.schema.qa import ChoiceTextAnswer
from mira.sim.rooms.things.colours import matt
from mira.sim.rooms.things.parts import Part, box

_SIZE = (0.3, 0.06, 0.3)


def _plate(colour: str = "red") -> Part:
    return box(matt(colour), _SIZE, (0.0, 0.0, 0.0))


def _answer(kit: Any, *parts: Part, **options: Any) -> ChoiceTextAnswer:
    placed = kit.thing("plate", options.pop("at_m", (0.3, -0.9, 1.3)), *parts, **options)
    world = kit.build(placed)
    return world.of("mpac_001", world.sighting("plate").group_id)


def test_a_plain_back_is_another_side_without_anything_distinct(kit: Any) -> None:
    found = _answer(kit, _plate())
    assert found.answer == ChoiceTextAnswer(value="other_side_nothing_distinct")
    assert found.margin_unit == "px"


def test_a_named_part_on_the_back_is_told(kit: Any) -> None:
    sticker = box(matt("white"), (0.15, 0.01, 0.15), (0.0, 0.035, 0.0), name="sticker")
    found = _answer(kit, _plate(), sticker)
    assert found.answer == ChoiceTextAnswer(value="other_side_distinct", text="the sticker")
    assert not found.close_call


def test_a_back_of_another_colour_is_told(kit: Any) -> None:
    back = box(matt("blue"), (0.3, 0.02, 0.3), (0.0, 0.04, 0.0))
    found = _answer(kit, _plate(), back)
    assert found.answer == ChoiceTextAnswer(value="other_side_distinct", text="its back is blue")


def test_a_part_that_is_seen_directly_too_is_nothing_new(kit: Any) -> None:
    knob = box(matt("red"), (0.1, 0.3, 0.1), (0.0, 0.0, 0.2), name="knob")
    assert _answer(kit, _plate(), knob).answer.value == "other_side_nothing_distinct"


@pytest.fixture(scope="module")
def on_the_side_wall(kit: Any) -> Any:
    sheet = box(matt("red"), (0.4, 0.01, 0.4), (0.0, 0.0, 0.0))
    return kit.thing("picture", (1.99, -0.7, 1.3), sheet, yaw_deg=-90.0)


def test_a_flat_thing_seen_whole_both_ways_gets_nothing_added(
    kit: Any, on_the_side_wall: Any
) -> None:
    world = kit.build(on_the_side_wall, surfaces=(kit.mirror(0.3, 3.2),), target_m=(1.2, 0.0, 1.3))
    found = world.of("mpac_001", world.sighting("picture").group_id)
    assert found.answer == ChoiceTextAnswer(value="nothing_added")


def test_the_hidden_half_of_a_side_is_still_the_same_side(kit: Any, on_the_side_wall: Any) -> None:
    screen = kit.slab((0.93, -1.65, 1.0), (1.2, -1.55, 1.7))
    world = kit.build(
        on_the_side_wall,
        surfaces=(kit.mirror(0.3, 3.2),),
        structure=(screen,),
        target_m=(1.2, 0.0, 1.3),
    )
    found = world.of("mpac_001", world.sighting("picture").group_id)
    assert found.answer == ChoiceTextAnswer(value="same_side_only")


def test_a_thing_without_a_reflection_is_not_asked_about(kit: Any) -> None:
    world = kit.build(kit.thing("plate", (0.3, -0.9, 1.3), _plate()), surfaces=())
    assert all(answer.template_id != "mpac_001" for answer in world.answers)
