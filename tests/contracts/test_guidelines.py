"""Guidelines cover what can be asked and answered, by the numbers that decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotate.app.guideline_document import guideline_document
from annotate.app.guidelines import Guideline, guidelines
from mira.schema.spatial import SpatialPolicy
from mira.taxonomy.catalogue import taxonomy

ROOT = Path(__file__).parents[2]
GUIDELINES = {one.template_id: one for one in guidelines()}
POLICY = SpatialPolicy()


def _words(guideline: Guideline) -> str:
    return " ".join((*guideline.rule, *guideline.answers.values(), guideline.unsure))


def test_every_template_has_a_guideline_in_the_order_of_the_taxonomy() -> None:
    assert list(GUIDELINES) == [template.id for template in taxonomy().templates]


@pytest.mark.parametrize("template_id", GUIDELINES)
def test_every_answer_and_direction_is_explained_and_no_other(template_id: str) -> None:
    template, guideline = taxonomy().template(template_id), GUIDELINES[template_id]
    values = taxonomy().option_sets.get(template.options or "", ())
    if isinstance(values, dict):
        values = tuple(dict.fromkeys(word for words in values.values() for word in words))
    assert sorted(guideline.answers) == sorted(values)
    directions = taxonomy().directions[template.directions] if template.directions else ()
    assert tuple(guideline.directions) == directions


@pytest.mark.parametrize("template_id", GUIDELINES)
def test_every_guideline_says_what_to_do_where_it_cannot_be_told(template_id: str) -> None:
    assert any(word in GUIDELINES[template_id].unsure for word in ("skip", "flag", "reject"))


@pytest.mark.parametrize(
    ("template_id", "number"),
    [
        ("mr_001", f"{POLICY.relation.aligned_floor_m * 100:g} cm"),
        ("mr_001", f"{POLICY.relation.same_depth_floor_m * 100:g} cm"),
        ("mr_001", f"{POLICY.relation.same_depth_share * 100:g} %"),
        ("ac_001", f"{POLICY.walker.radius_m * 200:g} cm wide"),
        ("ac_001", f"{POLICY.walker.body_height_m:g} m high"),
        ("ac_001", f"{POLICY.walker.arm_reach_m * 100:g} cm from the body"),
        ("ac_001", f"{POLICY.walker.reach_height_m:g} m high"),
        ("ac_001", f"lower than {POLICY.walker.step_height_m * 100:g} cm"),
        ("ac_002", f"{POLICY.action.facing_deg:g}°"),
        ("ac_002", f"{POLICY.action.behind_deg:g}°"),
        ("ac_003", " or ".join(f"{angle:g}°" for angle in POLICY.action.turns_deg)),
        ("ac_004", f"{POLICY.walker.radius_m * 200:g} cm wide"),
    ],
)
def test_numbers_are_those_of_the_policy(template_id: str, number: str) -> None:
    assert number in _words(GUIDELINES[template_id])


def test_numbers_that_are_written_as_words_are_those_of_the_policy() -> None:
    assert POLICY.relation.aligned_overlap_share == 0.5
    assert POLICY.relation.aligned_extent_share == 0.25
    assert POLICY.action.step_m == 0.5
    assert POLICY.action.direct_weight == 4
    assert POLICY.action.better_ratio == 1.5
    assert POLICY.collision.move_m == 1


def test_the_document_is_made_of_the_guidelines() -> None:
    written = (ROOT / "docs" / "guidelines.md").read_text("utf-8")
    assert written == guideline_document(), "run scripts/make_guidelines"
