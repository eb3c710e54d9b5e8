from __future__ import annotations

import pytest

from annotate.findings import UnusableFileError
from mira.geometry.polygon import region_area


def roles(annotation) -> list[tuple[str, str | None]]:
    found = [("surface", None)] * len(annotation.surfaces)
    found += [(instance.visibility, instance.category) for instance in annotation.instances]
    return found + [("ignore", None)] * len(annotation.ignored_px)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("surface", ("surface", None)),
        ("object", ("direct", None)),
        ("object_reflection", ("reflected", None)),
        ("cup", ("direct", "cup")),
        ("cup_reflection", ("reflected", "cup")),
        ("coffee cup_reflection", ("reflected", "coffee cup")),
        ("ignore", ("ignore", None)),
        ("镜子", ("direct", "镜子")),
        ("чашка_reflection", ("reflected", "чашка")),
        ("сосна", ("direct", "сосна")),
    ],
)
def test_labels_of_the_convention_read_without_a_finding(read, shape, label, expected):
    annotation, log = read(shape(label))
    assert roles(annotation) == [expected]
    assert log.findings == ()


@pytest.mark.parametrize(
    ("label", "expected", "code", "severity"),
    [
        ("mirror", ("surface", None), "label-alias", "info"),
        ("reflection", ("reflected", None), "label-alias", "info"),
        ("Surface", ("surface", None), "label-normalised", "warning"),
        (" object ", ("direct", None), "label-normalised", "warning"),
        ("Object Reflection", ("reflected", None), "label-normalised", "warning"),
        ("object-reflection", ("reflected", None), "label-normalised", "warning"),
        ("cup reflection", ("reflected", "cup"), "label-normalised", "warning"),
        ("CUP", ("direct", "cup"), "label-normalised", "warning"),
        ("ｏｂｊｅｃｔ", ("direct", None), "label-normalised", "warning"),
        ("obj\u200bect", ("direct", None), "label-normalised", "warning"),
        ("mirr\u043er", ("surface", None), "label-confusable", "warning"),
        ("\u043ebject", ("direct", None), "label-confusable", "warning"),
        ("cu\u0440", ("direct", "cup"), "label-confusable", "warning"),
        ("surf\u03b1ce", ("surface", None), "label-confusable", "warning"),
    ],
)
def test_other_ways_of_writing_them_read_with_a_finding(
    read, shape, codes, label, expected, code, severity
):
    annotation, log = read(shape(label))
    assert roles(annotation) == [expected]
    assert (code, "shapes[0].label") in codes(log.findings, severity)
    assert annotation.source.shape_extras[0].keys["label"] == label


def test_a_synonym_is_noted_once_a_file(read, shape, codes):
    boxes = [(10, 10, 20, 20), (30, 10, 40, 20), (50, 10, 60, 20)]
    _, log = read(*(shape("reflection", box, gid) for gid, box in enumerate(boxes, start=1)))
    assert codes(log.findings, "info") == {("label-alias", "shapes[0].label")}


@pytest.mark.parametrize("gid", [7, "7", 7.0, " 7 "])
def test_an_id_may_be_a_whole_number_or_its_digits(read, shape, gid):
    annotation, log = read(shape(gid=gid))
    assert annotation.instances[0].instance_id == 7
    assert log.findings == ()


def test_a_shape_without_an_id_gets_one_that_nothing_in_the_file_names(read, shape, codes):
    nameless = shape(box=(60, 60, 90, 90), gid=None)
    del nameless["group_id"]
    annotation, log = read(
        nameless,
        shape(gid=3),
        shape("object_reflection", (30, 30, 50, 50), 4, attributes={"reflection_of": 8}),
        shape(gid=12, points=[]),
    )
    assert [instance.instance_id for instance in annotation.instances] == [3, 4, 13]
    assert ("group-id-assigned", "shapes[0].group_id") in codes(log.findings, "info")
    assert ("link-dangling", "shapes[2].attributes.reflection_of") in codes(log.findings, "error")


def test_the_largest_id_leaves_room_for_others(read, shape):
    annotation, _ = read(shape(gid=2**31 - 1), shape(gid=None, box=(70, 70, 90, 90)))
    assert [instance.instance_id for instance in annotation.instances] == [1, 2**31 - 1]


def test_unset_answers_leave_nothing_behind(read, shape):
    unset = {"reflection_of": "", "in_mirror": [], "counterpart": "unset"}
    annotation, _ = read(shape("object_reflection", attributes=unset))
    assert "attributes" not in annotation.source.shape_extras[0].keys


def test_parts_of_one_id_are_one_instance(read, shape):
    annotation, log = read(shape(box=(10, 10, 30, 30)), shape(box=(50, 10, 90, 30)))
    assert len(annotation.instances) == 1
    assert len(annotation.instances[0].polygons_px) == 2
    assert log.findings == ()


def test_a_surface_may_have_parts_and_holes(read, shape):
    annotation, _ = read(
        shape("surface", (10, 10, 40, 90), 5, attributes={"surface_type": "glass"}),
        shape("surface", (50, 10, 90, 90), 5),
        shape("hole", (20, 20, 30, 30), 5),
    )
    (surface,) = annotation.surfaces
    assert (surface.surface_type, len(surface.polygons_px), len(surface.holes_px)) == (
        "glass",
        2,
        1,
    )


def test_a_hole_of_nothing_is_left_out(read, shape, codes):
    annotation, log = read(shape(), shape("hole", gid=2), shape("hole", (1, 1, 9, 9), None))
    assert annotation.instances[0].holes_px == ()
    assert codes(log.findings) == {
        ("hole-without-owner", "shapes[1].group_id"),
        ("hole-without-owner", "shapes[2].group_id"),
    }


def test_an_instance_that_holes_use_up_is_left_out(read, shape, codes):
    annotation, log = read(
        shape(), shape("hole", (5, 5, 70, 70)), shape(gid=2, box=(80, 80, 90, 90))
    )
    assert [instance.instance_id for instance in annotation.instances] == [2]
    assert codes(log.findings) == {("area-empty", "shapes[1].points")}


@pytest.mark.parametrize(
    "labels",
    [
        ("object", "object_reflection"),
        ("surface", "object"),
        ("surface", "object_reflection"),
        ("cup", "vase"),
    ],
)
def test_one_id_on_different_things_leaves_both_out(read, shape, codes, labels):
    annotation, log = read(
        shape(labels[0]), shape(labels[1], (70, 10, 90, 60)), shape(gid=2, box=(1, 1, 9, 9))
    )
    assert [instance.instance_id for instance in annotation.instances] == [2]
    assert annotation.surfaces == ()
    assert codes(log.findings) == {("id-duplicate", "shapes[1].group_id")}


def test_a_keyhole_of_one_part_does_not_cut_another(read, shape):
    outer = [[10, 10], [60, 10], [60, 60], [10, 60], [10, 10]]
    inner = [[20, 20], [20, 50], [50, 50], [50, 20], [20, 20]]
    annotation, _ = read(shape(points=outer + inner), shape(box=(15, 15, 55, 55)))
    (instance,) = annotation.instances
    assert instance.holes_px == ()
    assert region_area(instance.polygons_px).area == pytest.approx(2500)


def test_an_ignored_region_with_a_hole_is_sliced_through_it(read, shape):

    outer = [[10, 10], [60, 10], [60, 60], [10, 60], [10, 10]]
    inner = [[20, 20], [20, 50], [50, 50], [50, 20], [20, 20]]
    annotation, _ = read(shape("ignore", points=outer + inner))
    assert len(annotation.ignored_px) == 2
    assert region_area(annotation.ignored_px).area == pytest.approx(2500 - 900)


@pytest.mark.parametrize(
    ("checked", "status"),
    [
        (True, "done"),
        (False, "draft"),
        ("true", "done"),
        ("failed", "failed"),
        (None, "draft"),
        ("", "draft"),
    ],
)
def test_checked_gives_the_status(read, shape, checked, status):
    annotation, log = read(shape(), checked=checked)
    assert annotation.status == status
    assert log.findings == ()


def test_an_odd_checked_is_a_draft_with_a_warning(read, shape, codes):
    annotation, log = read(shape(), checked=17)
    assert annotation.status == "draft"
    assert codes(log.findings) == {("checked-invalid", "checked")}


def test_keys_that_no_record_models_are_kept(read, shape):
    annotation, _ = read(
        shape(
            score=0.5,
            difficult=True,
            flags={"blurred": True},
            direction=0.3,
            locked=True,
            attributes={"colour": "red", "counterpart": "in_frame"},
            shape_type="rectangle",
        ),
        tags=["a"],
        flags={"night": True},
        reviewer={"name": "x"},
    )
    keys = annotation.source.shape_extras[0].keys
    assert keys == {
        "score": 0.5,
        "difficult": True,
        "flags": {"blurred": True},
        "direction": 0.3,
        "locked": True,
        "attributes": {"colour": "red", "counterpart": "in_frame"},
        "shape_type": "rectangle",
    }
    assert annotation.source.shape_extras[0].owner_id == 1
    extra = annotation.source.extra
    assert extra["tags"] == ["a"]
    assert extra["flags"] == {"night": True}
    assert extra["reviewer"] == {"name": "x"}
    assert extra["imagePath"] == "a.png"


def test_a_picture_inside_the_file_is_not_kept(read, shape, codes):
    annotation, log = read(shape(), imageData="aGVsbG8=")
    assert annotation.source.extra["imageData"] is None
    assert codes(log.findings, "info") == {("image-data-dropped", "imageData")}


def test_keys_nested_too_deeply_to_be_written_are_refused(read, shape):
    deep: list = []
    for _ in range(100):
        deep = [deep]
    annotation, log = read(shape(), shape(gid=2, box=(1, 1, 9, 9), flags=deep), other=deep)
    assert [instance.instance_id for instance in annotation.instances] == [1]
    assert [finding.code for finding in log.findings] == ["json-too-deep", "json-too-deep"]
    annotation.to_json()


def test_what_is_read_survives_writing(read, shape):
    annotation, _ = read(shape(flags={"镜": 2.5}), shape("surface", gid=2), checked="failed")
    again = type(annotation).from_json(annotation.to_json(), where="x")
    assert again == annotation


def test_nothing_but_findings_comes_of_an_unusable_file(read, shape):
    with pytest.raises(UnusableFileError):
        read(shape("object"), shape("object_reflection"))


def test_parts_may_leave_out_the_category_and_keep_their_own_words(read, shape):
    annotation, _ = read(
        shape("cup", (1, 1, 9, 9), description="white cup"),
        shape("object", (20, 1, 30, 9), description="its handle"),
    )
    (instance,) = annotation.instances
    assert (instance.category, instance.description) == ("cup", "white cup")
    keys = annotation.source.shape_extras[1].keys
    assert (keys["label"], keys["description"]) == ("object", "its handle")


def test_a_hole_with_an_island_leaves_the_island(read, shape):
    outer = [[10, 10], [60, 10], [60, 60], [10, 60], [10, 10]]
    inner = [[20, 20], [20, 50], [50, 50], [50, 20], [20, 20]]
    annotation, _ = read(shape(box=(0, 0, 100, 100)), shape("hole", points=outer + inner))
    (instance,) = annotation.instances
    area = region_area(instance.polygons_px, instance.holes_px).area
    assert area == pytest.approx(10_000 - 2500 + 900)
