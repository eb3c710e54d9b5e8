"""What must hold of the answers in every kind of place, whatever stands in it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from mira.schema.spatial import SpatialPolicy, TrueAnswer
from mira.sim.rooms.answers.answering import answers_of
from mira.sim.rooms.answers.floor import floor_of
from mira.sim.rooms.answers.free_space import free_space_of
from mira.sim.rooms.places.registry import PLACES
from mira.sim.rooms.policy import CameraPolicy, InstancePolicy, RoomPolicy
from mira.sim.rooms.scene import simulate_scene
from mira.taxonomy.catalogue import taxonomy

SEEDS = (1, 2)
POLICY = SpatialPolicy()
Key = tuple[tuple[int, ...], str | None]


@pytest.fixture(
    scope="module",
    params=[(place, seed) for place in PLACES for seed in SEEDS],
    ids=[f"{place}-{seed}" for place in PLACES for seed in SEEDS],
)
def answered(request: Any) -> tuple[Any, tuple[TrueAnswer, ...], RoomPolicy]:
    """A scene of a place in a small picture, with all its answers."""
    pytest.importorskip("embreex", reason="the extra `sim` is not installed")
    place, seed = request.param
    policy = RoomPolicy(
        places=(place,),
        camera=CameraPolicy(width_px=424, height_px=240, focal_px=305.0),
        instances=InstancePolicy(min_area_px=25, min_thickness_px=1.5, min_surface_area_px=100),
        views_per_scene=1,
    )
    scene = simulate_scene(seed=seed, index=0, policy=policy)
    answers = answers_of(scene, scene.views[0], POLICY, camera=policy.camera)
    return scene, answers, policy


def _table(answers: tuple[TrueAnswer, ...]) -> dict[str, dict[Key, TrueAnswer]]:
    table: dict[str, dict[Key, TrueAnswer]] = defaultdict(dict)
    for answer in answers:
        key = (tuple(answer.slots.values()), answer.direction)
        assert key not in table[answer.template_id]
        table[answer.template_id][key] = answer
    return table


def _words(name: str | None) -> set[str] | None:
    options = taxonomy().option_sets.get(name or "")
    return set(options) if isinstance(options, tuple) else None


@pytest.mark.slow
def test_answers_fit_the_taxonomy(answered: Any) -> None:
    scene, answers, _ = answered
    content = scene.views[0].content
    known = {sighting.group_id: bool(sighting.chain) for sighting in content.sightings}
    for answer in answers:
        template = taxonomy().template(answer.template_id)
        assert answer.answer.format == template.format
        assert set(answer.slots) == set(template.slots)
        for slot, group_id in answer.slots.items():
            visibility = template.slots[slot]
            assert visibility == "any" or known[group_id] == (visibility == "reflected")
        directions = taxonomy().directions.get(template.directions or "", (None,))
        assert answer.direction in directions
        words = _words(template.options)
        if words is not None:
            assert answer.answer.value in words - {"not_sure"}
        assert (answer.margin is None) == (answer.margin_unit is None)
        assert answer.margin is None or answer.margin >= 0
        assert answer.reason


@pytest.mark.slow
def test_answers_agree_with_each_other(answered: Any) -> None:
    scene, answers, _ = answered
    content = scene.views[0].content
    table = _table(answers)
    objects = len({sighting.item for sighting in content.sightings}) + len(content.surfaces)
    for sighting in content.sightings:
        own = (sighting.group_id,)
        seen = [table[f"vc_00{k}"][own, None].answer.value for k in (1, 2, 3)]
        assert seen.count("yes") == 1
        counts = {
            direction: table["ct_001"][own, direction].answer.value
            for direction in taxonomy().directions["relation"]
        }
        for one, other in (("left", "right"), ("front", "behind"), ("above", "below")):
            assert counts[one] + counts[other] <= objects - 1
        reachable = table["ac_001"][own, None].answer.value == "yes"
        assert (table["ac_002"][own, None].answer.value != "none") == reachable
    assert len(table["ac_004"]) == 6
    assert set(table) >= {"vc_001", "mc_001", "mc_002", "mpac_001", "ac_001", "ac_003"}


@pytest.mark.slow
def test_answers_are_the_same_every_time(answered: Any) -> None:
    scene, answers, policy = answered
    floor = floor_of(scene.plan, scene.renderer.mesh, POLICY.walker)
    again = answers_of(scene, scene.views[0], POLICY, camera=policy.camera, floor=floor)
    assert again == answers


@pytest.mark.slow
def test_there_is_floor_to_stand_on(answered: Any) -> None:
    scene, _, _ = answered
    free = free_space_of(scene, POLICY)
    assert sum(free.runs) == free.rows * free.columns
    assert sum(free.runs[1::2]) * free.cell_m**2 > 1.0
