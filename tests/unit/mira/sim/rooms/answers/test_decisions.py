"""Reachability, next actions and collisions in rooms whose answers are plain to see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mira.schema.qa import YesNoAnswer
from mira.schema.spatial import ActionPolicy, SpatialPolicy
from mira.sim.rooms.answers.free_space import free_space_of


def _reach(world: Any, name: str, *chain: int) -> Any:
    return world.of("ac_001", world.sighting(name, *chain).group_id)


def _next(world: Any, name: str, *chain: int) -> Any:
    return world.of("ac_002", world.sighting(name, *chain).group_id)


def _better(world: Any, name: str, *chain: int) -> Any:
    return world.of("ac_003", world.sighting(name, *chain).group_id)


def test_a_thing_on_free_floor_is_reachable_seen_either_way(kit: Any) -> None:
    world = kit.build(kit.thing("cup", (0.3, -0.6, 1.0)), kit.thing("stool", (0.9, -3.6, 1.3)))
    assert _reach(world, "cup").answer == YesNoAnswer(value="yes")
    assert _reach(world, "cup", 0).answer == YesNoAnswer(value="yes")
    stool = _reach(world, "stool", 0)
    assert stool.answer == YesNoAnswer(value="yes")
    assert stool.flags == ("behind_camera",)


def test_a_thing_above_the_hand_is_not_reachable(kit: Any) -> None:
    world = kit.build(kit.thing("lamp", (0.3, -0.6, 2.3)), target_m=(0.0, 0.0, 1.6))
    found = _reach(world, "lamp")
    assert found.answer == YesNoAnswer(value="no")
    assert found.margin == pytest.approx(0.22)
    assert _next(world, "lamp").answer.value == "none"


@pytest.mark.parametrize(("gap_m", "word"), [(0.35, "no"), (1.0, "yes")])
def test_a_gap_in_a_wall_lets_a_body_through_if_it_is_wide_enough(
    kit: Any, gap_m: float, word: str
) -> None:
    walls = (
        kit.slab((-2.0, -1.7, 0.0), (-1.6, -1.6, 1.0)),
        kit.slab((-1.6 + gap_m, -1.7, 0.0), (2.0, -1.6, 1.0)),
    )
    world = kit.build(kit.thing("cup", (0.6, -0.3, 1.3)), structure=walls)
    found = _reach(world, "cup")
    assert found.answer == YesNoAnswer(value=word)
    assert not found.close_call


def test_a_gap_that_is_just_wide_enough_is_a_close_call(kit: Any) -> None:
    walls = (
        kit.slab((-2.0, -1.7, 0.0), (-1.6, -1.6, 1.0)),
        kit.slab((-1.05, -1.7, 0.0), (2.0, -1.6, 1.0)),
    )
    world = kit.build(kit.thing("cup", (0.6, -0.3, 1.3)), structure=walls)
    assert _reach(world, "cup").close_call


def test_nobody_reaches_through_glass(kit: Any) -> None:
    pane = kit.pane((0.0, -0.5, 1.3), (4.0, 2.6), 0)
    world = kit.build(kit.thing("cup", (0.3, -0.25, 1.0)), surfaces=(pane,))
    found = _reach(world, "cup")
    assert found.answer == YesNoAnswer(value="no")
    assert "glass" in found.reason
    assert _next(world, "cup").answer.value == "none"


def test_a_low_sill_is_walked_over_and_a_low_beam_is_not_walked_under(kit: Any) -> None:
    cup = kit.thing("cup", (0.3, -0.3, 1.3))
    sill = kit.slab((-2.0, -1.7, 0.0), (2.0, -1.6, 0.05))
    beam = kit.slab((-2.0, -1.7, 1.6), (2.0, -1.6, 1.7))
    assert _reach(kit.build(cup, structure=(sill,)), "cup").answer.value == "yes"
    assert _reach(kit.build(cup, structure=(beam,)), "cup").answer.value == "no"


@pytest.mark.parametrize(
    ("at_m", "chain", "action"),
    [
        ((0.1, -0.5, 1.0), (), "move_forward"),
        ((0.1, -1.75, 1.25), (), "stop"),
        ((0.3, -4.3, 1.3), (0,), "turn_around"),
        ((1.7, -2.6, 1.3), (0,), "rotate_right"),
        ((-1.7, -2.6, 1.3), (0,), "rotate_left"),
    ],
)
def test_the_next_action_goes_to_the_real_place(
    kit: Any, at_m: Any, chain: tuple[int, ...], action: str
) -> None:
    world = kit.build(kit.thing("cup", at_m), target_m=(0.0, 0.0, 1.2))
    assert _next(world, "cup", *chain).answer.value == action


@pytest.mark.parametrize(("side", "action"), [(1, "move_left"), (-1, "move_right")])
def test_a_thing_behind_a_table_is_walked_around(kit: Any, side: int, action: str) -> None:
    ends = sorted((-0.35 * side, 2.0 * side))
    table = kit.slab((ends[0], -1.9, 0.0), (ends[1], -1.4, 0.7))
    world = kit.build(kit.thing("cup", (0.1 * side, -0.3, 1.2)), structure=(table,))
    found = _next(world, "cup")
    assert found.answer.value == action, found.reason


def test_the_way_out_of_a_pocket_leads_backward(kit: Any) -> None:
    walls = (
        kit.slab((-0.7, -1.9, 0.0), (0.7, -1.8, 1.1)),
        kit.slab((-0.7, -3.1, 0.0), (-0.6, -1.8, 1.1)),
        kit.slab((0.6, -3.1, 0.0), (0.7, -1.8, 1.1)),
    )
    world = kit.build(kit.thing("cup", (0.1, -0.3, 1.35)), structure=walls)
    found = _next(world, "cup")
    assert found.answer.value == "move_backward", found.reason


def test_turning_around_shows_what_only_the_mirror_showed(kit: Any) -> None:
    world = kit.build(kit.thing("chest", (0.2, -4.4, 1.3)))
    found = _better(world, "chest", 0)
    assert found.answer.value == "turn_around"
    assert not found.close_call
    assert found.margin > 1


def test_rotating_to_its_side_shows_a_thing_beside_the_camera(kit: Any) -> None:
    world = kit.build(kit.thing("clock", (1.9, -2.4, 1.3)))
    assert _better(world, "clock", 0).answer.value == "rotate_right"


def test_stepping_aside_shows_what_a_post_hides(kit: Any) -> None:
    post = kit.slab((0.2, -1.8, 0.0), (0.45, -1.5, 2.6))
    world = kit.build(kit.thing("cup", (0.6, -0.9, 1.4)), structure=(post,))
    assert _better(world, "cup", 0).answer.value in {"move_left", "move_right"}


def test_no_action_is_best_when_none_betters_the_view(kit: Any) -> None:
    policy = SpatialPolicy(action=ActionPolicy(better_ratio=50.0))
    world = kit.build(kit.thing("cup", (0.3, -0.6, 1.3)), policy=policy)
    assert _better(world, "cup", 0).answer.value == "none"


def test_each_movement_collides_with_what_is_there(kit: Any) -> None:
    low_block = kit.slab((0.9, -3.0, 0.0), (1.0, -2.0, 0.5))
    world = kit.build(structure=(low_block,))
    words = {
        direction: world.of("ac_004", direction=direction).answer.value
        for direction in ("left", "right", "forward", "backward", "above", "below")
    }
    assert words.pop("right") == "yes"
    assert set(words.values()) == {"no"}


def test_the_camera_comes_down_on_what_is_below_it(kit: Any) -> None:
    world = kit.build(structure=(kit.slab((-0.2, -2.6, 0.0), (0.2, -2.2, 0.8)),))
    assert world.of("ac_004", direction="below").answer.value == "yes"
    assert world.of("ac_004", direction="above").answer.value == "no"


def test_the_margin_is_the_free_way_less_the_movement(kit: Any) -> None:
    world = kit.build(structure=(kit.slab((0.9, -3.0, 0.0), (1.0, -2.0, 0.5)),))
    right = world.of("ac_004", direction="right")
    assert right.margin == pytest.approx(1.0 - (0.9 - 0.25), abs=0.015)
    above = world.of("ac_004", direction="above")
    assert above.margin == pytest.approx(2.6 - 1.4 - 0.08 - 1.0, abs=0.015)


def test_glass_is_in_the_way_of_the_body(kit: Any) -> None:
    world = kit.build(surfaces=(kit.pane((0.0, -1.8, 1.3), (4.0, 2.6), 0),))
    assert world.of("ac_004", direction="forward").answer.value == "yes"


def test_free_space_is_where_the_body_fits(kit: Any) -> None:
    world = kit.build(structure=(kit.slab((-2.0, -1.7, 0.0), (2.0, -1.6, 1.0)),))
    found = free_space_of(world.scene, world.policy)
    cells = np.repeat(np.arange(len(found.runs)) % 2 == 1, found.runs)
    mask = cells.reshape(found.rows, found.columns)
    assert found.origin_m == pytest.approx((-2.0, -5.0))
    rows, columns = np.nonzero(mask)
    x = found.origin_m[0] + (columns + 0.5) * found.cell_m
    y = found.origin_m[1] + (rows + 0.5) * found.cell_m
    assert (x.min(), x.max()) == pytest.approx((-1.75, 1.75), abs=0.06)
    assert (y.min(), y.max()) == pytest.approx((-4.75, -1.95), abs=0.06)
