from __future__ import annotations

from qa_gen.objects import physical_objects


def _seen(annotation):
    return {
        tuple(i.instance_id for i in obj.instances): obj.seen
        for obj in physical_objects(annotation)
    }


def test_an_object_and_its_reflections_are_one_object(draw):
    assert _seen(draw(direct=(1,), reflected={2: 1, 3: 1})) == {(1, 2, 3): "both"}


def test_a_chain_of_reflections_ends_at_the_real_object(draw):
    assert _seen(draw(direct=(5,), reflected={2: 5, 1: 2})) == {(5, 1, 2): "both"}


def test_a_chain_that_ends_out_of_frame_is_seen_in_reflections_only(draw):
    annotation = draw(reflected={2: "out_of_frame", 1: 2})
    assert _seen(annotation) == {(1, 2): "reflected_only"}


def test_a_lone_direct_instance_is_seen_directly_only(draw):
    assert _seen(draw(direct=(1,))) == {(1,): "direct_only"}


def test_an_unset_counterpart_leaves_every_object_it_might_show_undecided(draw):
    annotation = draw(direct=(1, 3, 4), reflected={2: None, 5: 4})
    assert _seen(annotation) == {
        (1,): "undecided",
        (2,): "undecided",
        (3,): "undecided",
        (4, 5): "both",
    }


def test_an_ambiguous_counterpart_is_not_a_missing_object(draw):
    assert _seen(draw(reflected={2: "ambiguous"})) == {(2,): "undecided"}


def test_in_frame_without_a_link_is_undecided(draw):
    assert _seen(draw(reflected={2: "in_frame"})) == {(2,): "undecided"}


def test_another_category_rules_out_that_an_open_reflection_shows_an_object(draw):
    annotation = draw(
        direct=(1, 3), reflected={2: None}, categories={1: "cup", 2: "vase", 3: "vase"}
    )
    assert _seen(annotation) == {(1,): "direct_only", (2,): "undecided", (3,): "undecided"}


def test_a_reflection_that_was_lost_might_show_any_object_without_one(draw):
    annotation = draw(direct=(1, 3), reflected={4: 3}).model_copy(update={"lost_reflections": 1})
    assert _seen(annotation) == {(1,): "undecided", (3, 4): "both"}


def test_categories_are_the_same_whatever_their_case(draw):
    annotation = draw(direct=(1,), reflected={2: None}, categories={1: "Cup", 2: "cup"})
    assert _seen(annotation)[(1,)] == "undecided"
