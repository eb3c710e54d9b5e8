from __future__ import annotations

import pytest

BOXES = [(x, y, x + 8, y + 8) for y in (1, 21, 41) for x in (1, 21, 41, 61)]


@pytest.fixture
def scene(read, shape):
    """Reads surfaces 1 and 2, objects 3 and 4, and reflections 5, 6 and 7 with some attributes."""

    def build(*attributes, links="attributes", pairs=(), **changes):
        labels = ["surface", "surface", "object", "object"]
        shapes = [shape(label, BOXES[n], n + 1) for n, label in enumerate(labels)]
        for n, given in enumerate(attributes, start=4):
            shapes.append(shape("object_reflection", BOXES[n], n + 1, attributes=given))
        for number, kie in pairs:
            shapes[number - 1]["kie_linking"] = kie
        return read(*shapes, links=links, **changes)

    return build


def links_of(annotation):
    return {
        link.reflected_id: (link.real_id, link.reflection_of_id, link.counterpart)
        for link in annotation.links
    }


NOTHING = (None, None, None)


@pytest.mark.parametrize("value", [3, "3", 3.0, "[3]", ["3"], [3], "['3']", " 3 ", [3, "3"]])
def test_a_link_to_an_object_may_be_written_in_many_ways(scene, value):
    annotation, log = scene({"reflection_of": value, "in_mirror": "1"})
    assert links_of(annotation) == {5: (3, 3, "in_frame")}
    assert annotation.instances[2].seen_in == (1,)
    assert log.findings == ()


@pytest.mark.parametrize("value", [None, "", [], "[]", "unset", [""], "None"])
def test_all_unset_forms_are_one(scene, value):
    given = {"reflection_of": value, "in_mirror": value, "counterpart": value}
    annotation, log = scene(given)
    assert links_of(annotation) == {5: NOTHING}
    assert annotation.instances[2].seen_in == ()
    assert log.findings == ()


@pytest.mark.parametrize("said", ["in_frame", "out_of_frame", "ambiguous", "Out of frame"])
def test_counterpart_is_kept_without_a_link(scene, said):
    annotation, _ = scene({"counterpart": said})
    assert links_of(annotation) == {5: (None, None, said.casefold().replace(" ", "_"))}


def test_in_frame_without_a_link_is_warned_of(scene, codes):
    _, log = scene({"counterpart": "in_frame"})
    field = "shapes[4].attributes.counterpart"
    assert codes(log.findings) == {("counterpart-without-link", field)}


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"reflection_of": 99}, "link-dangling", "reflection_of"),
        ({"reflection_of": 5}, "link-self", "reflection_of"),
        ({"reflection_of": 1}, "link-role", "reflection_of"),
        ({"reflection_of": [3, 4]}, "link-invalid", "reflection_of"),
        ({"reflection_of": True}, "link-invalid", "reflection_of"),
        ({"reflection_of": -3}, "link-invalid", "reflection_of"),
        ({"reflection_of": "the cup"}, "link-invalid", "reflection_of"),
        ({"reflection_of": {"id": 3}}, "link-invalid", "reflection_of"),
        (
            {"reflection_of": 3, "counterpart": "out_of_frame"},
            "counterpart-conflict",
            "counterpart",
        ),
        ({"reflection_of": 3, "counterpart": "ambiguous"}, "counterpart-conflict", "counterpart"),
        ({"counterpart": "maybe"}, "choice-unknown", "counterpart"),
        ({"in_mirror": 3}, "link-role", "in_mirror"),
        ({"in_mirror": 99}, "link-dangling", "in_mirror"),
        ({"surface_type": "glass"}, "attribute-misplaced", "surface_type"),
    ],
)
def test_a_bad_link_is_named_and_left_undecided_while_the_reflection_stays(
    scene, codes, given, code, field
):
    annotation, log = scene(given)
    assert links_of(annotation) == {5: NOTHING}
    assert annotation.instances[2].seen_in == ()
    assert codes(log.findings) == {(code, f"shapes[4].attributes.{field}")}


def test_a_link_to_a_shape_that_was_left_out_says_so(read, shape):
    _, log = read(
        shape(gid=3, points=[]),
        shape("object_reflection", gid=5, attributes={"reflection_of": 3}),
    )
    assert "was left out" in log.findings[-1].message


def test_a_chain_names_its_real_end_and_its_surfaces_in_order(scene):
    annotation, log = scene(
        {"reflection_of": 3, "in_mirror": 2},
        {"reflection_of": 5, "in_mirror": 1},
        {"reflection_of": 6, "in_mirror": 2},
    )
    assert links_of(annotation) == {
        5: (3, 3, "in_frame"),
        6: (3, 5, "in_frame"),
        7: (3, 6, "in_frame"),
    }
    assert [instance.seen_in for instance in annotation.instances[2:]] == [
        (2,),
        (1, 2),
        (2, 1, 2),
    ]
    assert log.findings == ()


@pytest.mark.parametrize("said", ["out_of_frame", "ambiguous", None])
def test_a_chain_without_a_real_end_says_what_its_end_says(scene, said):
    annotation, log = scene({"counterpart": said}, {"reflection_of": 5})
    assert links_of(annotation) == {5: (None, None, said), 6: (None, 5, said)}
    assert log.findings == ()


def test_a_chain_may_say_that_the_real_object_is_out_of_frame(scene):
    annotation, log = scene({}, {"reflection_of": 5, "counterpart": "out_of_frame"})
    assert links_of(annotation)[6] == (None, 5, "out_of_frame")
    assert log.findings == ()


def test_a_chain_beyond_a_refused_link_has_no_real_end(scene):
    annotation, _ = scene({"reflection_of": 99}, {"reflection_of": 5})
    assert links_of(annotation) == {5: NOTHING, 6: (None, 5, None)}


def test_a_cycle_is_refused_at_each_member_and_nowhere_else(scene, codes):
    annotation, log = scene({"reflection_of": 6}, {"reflection_of": 5}, {"reflection_of": 5})
    assert links_of(annotation) == {5: NOTHING, 6: NOTHING, 7: (None, 5, None)}
    assert codes(log.findings) == {
        ("link-cycle", "shapes[4].attributes.reflection_of"),
        ("link-cycle", "shapes[5].attributes.reflection_of"),
    }


def test_one_object_may_have_many_reflections(scene):
    annotation, _ = scene({"reflection_of": 3}, {"reflection_of": 3})
    assert {link.real_id for link in annotation.links} == {3}


@pytest.mark.parametrize("holder", [3, 5])
def test_a_pair_is_a_link_of_equal_rank_wherever_it_stands(scene, holder):
    annotation, log = scene({}, pairs=[(holder, [[5, 3]])])
    assert links_of(annotation) == {5: (3, 3, "in_frame")}
    assert log.findings == ()


def test_a_pair_that_repeats_the_attribute_changes_nothing(scene):
    annotation, log = scene({"reflection_of": "3"}, pairs=[(5, [["5", "3"]]), (3, [[5, 3]])])
    assert links_of(annotation) == {5: (3, 3, "in_frame")}
    assert log.findings == ()


@pytest.mark.parametrize("given", [{"reflection_of": 4}, {}])
def test_sources_that_name_different_objects_leave_the_link_undecided(scene, codes, given):
    annotation, log = scene(given, pairs=[(5, [[5, 3]]), (4, [[5, 4]])])
    assert links_of(annotation) == {5: NOTHING}
    assert {code for code, _ in codes(log.findings)} == {"link-conflict"}


def test_a_pair_the_other_way_round_is_read_with_a_warning(scene, codes):
    annotation, log = scene({}, pairs=[(5, [[3, 5]])])
    assert links_of(annotation) == {5: (3, 3, "in_frame")}
    assert codes(log.findings) == {("pair-reversed", "shapes[4].kie_linking[0]")}


@pytest.mark.parametrize(
    ("pairs", "code", "field"),
    [
        ([[3, 4]], "link-role", "kie_linking[0]"),
        ([[1, 5]], "link-role", "kie_linking[0]"),
        ([[99, 3]], "link-dangling", "kie_linking[0]"),
        ([[5, 99]], "link-dangling", "kie_linking[0]"),
        ([[5, 1]], "link-role", "kie_linking[0]"),
        ([[5]], "link-invalid", "kie_linking[0]"),
        ([[5, None]], "link-invalid", "kie_linking[0]"),
        ({"5": 3}, "link-invalid", "kie_linking"),
    ],
)
def test_a_bad_pair_is_named(scene, codes, pairs, code, field):
    annotation, log = scene({}, pairs=[(5, pairs)])
    assert links_of(annotation) == {5: NOTHING}
    assert codes(log.findings) == {(code, f"shapes[4].{field}")}


def test_links_on_a_direct_instance_are_errors_and_kept_as_other_keys(read, shape, codes):
    annotation, log = read(
        shape(gid=1), shape(gid=2, box=(70, 70, 90, 90), attributes={"reflection_of": 1})
    )
    assert annotation.links == ()
    assert codes(log.findings) == {("attribute-misplaced", "shapes[1].attributes.reflection_of")}
    assert annotation.source.shape_extras[1].keys["attributes"] == {"reflection_of": 1}


def test_parts_that_contradict_each_other_are_undecided(read, shape, codes):
    annotation, log = read(
        shape("surface", BOXES[0], 1, attributes={"surface_type": "glass"}),
        shape("surface", BOXES[1], 1, attributes={"surface_type": "water"}),
        shape("object_reflection", BOXES[2], 2, attributes={"counterpart": "in_frame"}),
        shape("object_reflection", BOXES[3], 2, attributes={"counterpart": "ambiguous"}),
    )
    assert annotation.surfaces[0].surface_type is None
    assert links_of(annotation) == {2: NOTHING}
    assert codes(log.findings) == {
        ("attribute-conflict", "shapes[1].attributes.surface_type"),
        ("attribute-conflict", "shapes[3].attributes.counterpart"),
    }


@pytest.mark.parametrize("value", ["Planar Mirror", "planar-mirror", "planar_mirror"])
def test_a_surface_type_may_be_written_as_people_do(read, shape, value):
    annotation, _ = read(shape("surface", attributes={"surface_type": value}))
    assert annotation.surfaces[0].surface_type == "planar_mirror"


def test_a_shared_id_is_a_link_where_that_is_the_habit(read, shape, codes):
    annotation, log = read(
        shape("surface", BOXES[0], 9),
        shape("object", BOXES[1], 1),
        shape("object_reflection", BOXES[2], 1, attributes={"in_mirror": 9}),
        shape("object_reflection", BOXES[3], 4, attributes={"counterpart": "out_of_frame"}),
        links="shared-gid",
    )
    assert links_of(annotation) == {
        4: (None, None, "out_of_frame"),
        10: (1, 1, "in_frame"),
    }
    assert [link.decided_by for link in annotation.links] == ["annotator", "shared_gid"]
    assert annotation.instances[-1].seen_in == (9,)
    assert codes(log.findings) == set()
    assert annotation.source.shape_extras[2].keys["group_id"] == 1


def test_a_shared_id_that_contradicts_the_attribute_is_undecided(read, shape, codes):
    annotation, log = read(
        shape("object", BOXES[1], 1),
        shape("object", BOXES[2], 2),
        shape("object_reflection", BOXES[3], 1, attributes={"reflection_of": 2}),
        links="shared-gid",
    )
    assert links_of(annotation) == {3: NOTHING}
    assert codes(log.findings) == {("link-conflict", "shapes[2].group_id")}


def test_a_hole_of_a_shared_id_cuts_the_shape_that_it_lies_in(read, shape):
    annotation, _ = read(
        shape("object", (1, 1, 30, 30), 1),
        shape("object_reflection", (50, 50, 90, 90), 1),
        shape("hole", (60, 60, 70, 70), 1),
        links="shared-gid",
    )
    assert [len(instance.holes_px) for instance in annotation.instances] == [0, 1]


def test_a_surface_never_shares_an_id(read, shape, codes):
    _, log = read(
        shape("surface", BOXES[0], 1),
        shape("object_reflection", BOXES[1], 1),
        shape("object", BOXES[2], 2),
        links="shared-gid",
    )
    assert codes(log.findings) == {("id-duplicate", "shapes[1].group_id")}


def test_a_pair_within_a_shared_id_says_nothing_more(read, shape):
    annotation, log = read(
        shape("object", BOXES[1], 1),
        shape("object_reflection", BOXES[2], 1, kie_linking=[[1, 1]]),
        links="shared-gid",
    )
    assert links_of(annotation) == {2: (1, 1, "in_frame")}
    assert [item.severity for item in log.findings] == ["info"]
