from __future__ import annotations

import pytest

from annotate.checking import check_file

SEEN = {"in_mirror": 9, "counterpart": "out_of_frame"}


@pytest.fixture
def gaps(tmp_path, document, write_json, write_picture, codes):
    def of(*shapes):
        write_picture(tmp_path / "a.png")
        found = check_file(write_json(tmp_path / "a.json", document(*shapes))).findings
        return {(item.code, item.severity) for item in found}

    return of


def test_a_picture_without_a_surface_is_suspicious(gaps, shape):
    assert gaps(shape()) == {("surface-missing", "warning")}
    assert gaps() == set()
    assert gaps(shape("ignore")) == set()


def test_a_surface_without_a_reflection_is_noted(gaps, shape):
    assert gaps(shape("surface")) == {("reflection-missing", "info")}


def test_a_reflection_that_was_left_out_is_not_missing(gaps, shape):
    lost = shape("object_reflection", gid=2, points=[])
    assert gaps(shape("surface"), lost) == {("points-too-few", "error")}


def test_reflections_that_nobody_decided_are_counted_in_one_note(
    tmp_path, document, write_json, shape
):
    drawn = [
        shape("surface", (50, 50, 99, 99), 9),
        shape("object_reflection", (60, 60, 70, 70), 1),
        shape("object_reflection", (60, 75, 70, 85), 2, attributes={"in_mirror": 9}),
        shape("object_reflection", (75, 75, 85, 85), 3, attributes=SEEN),
    ]
    result = check_file(write_json(tmp_path / "a.json", document(*drawn)))
    (note,) = [item for item in result.findings if item.code == "link-unset"]
    assert (note.severity, note.where) == ("info", "shapes")
    assert "2 of 3 reflections" in note.message


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({"label": "object_reflection", "points": []}, 1),
        ({"label": "cup_reflection", "shape_type": "line"}, 1),
        ({"label": "object_reflection", "group_id": 0}, 1),
        ({"label": "object_relfection", "points": []}, 1),
        ({"label": 5}, 1),
        ({"label": " "}, 1),
        ({"label": "object", "points": []}, 0),
        ({"label": "surface", "points": []}, 0),
        ({"label": "hole", "group_id": 77}, 0),
    ],
)
def test_a_shape_left_out_is_lost_where_it_may_be_a_reflection(read, shape, changes, count):
    annotation, log = read(shape(), {**shape(box=(70, 70, 90, 90), gid=2), **changes})
    assert len(annotation.instances) == 1
    assert any(item.severity == "error" for item in log.findings)
    assert annotation.lost_reflections == count


def test_what_is_no_shape_is_lost(read, shape):
    assert read(shape(), 7)[0].lost_reflections == 1


def test_reflections_under_one_id_with_an_object_are_lost(read, shape):
    drawn = [
        shape(gid=2),
        shape("object_reflection", (70, 70, 90, 90), 2),
        shape("surface", (0, 0, 9, 9)),
    ]
    assert read(*drawn)[0].lost_reflections == 1


def test_a_reflection_drawn_twice_is_not_lost(read, shape):
    twins = [shape("object_reflection", gid=3), shape("object_reflection", gid=3)]
    annotation, log = read(*twins)
    assert [item.code for item in log.findings] == ["shape-duplicate"]
    assert (len(annotation.instances), annotation.lost_reflections) == (1, 0)


def test_nothing_is_lost_of_a_good_file(read, shape):
    drawn = [shape(), shape("hole", (20, 20, 30, 30)), shape("ignore", (70, 70, 90, 90), None)]
    assert read(*drawn)[0].lost_reflections == 0
