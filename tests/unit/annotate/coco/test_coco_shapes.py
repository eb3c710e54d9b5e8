"""One picture of a COCO file: outlines, labels, ids, links, and what is left out."""

from __future__ import annotations

import orjson
import pytest

from annotate.checking import check_file
from mira.geometry.polygon import region_area

TRIANGLE = [10, 10, 60, 10, 60, 60]
FOUR_PIXELS = {"size": [100, 100], "counts": [1010, 4, 8986]}


def area(instance) -> float:
    return region_area(instance.polygons_px, instance.holes_px).area


@pytest.mark.parametrize(
    ("segmentation", "expected"),
    [
        ([TRIANGLE], 1250),
        (TRIANGLE, 1250),
        ([TRIANGLE, [70, 70, 80, 70, 80, 80, 70, 80]], 1350),
        ([TRIANGLE, TRIANGLE], 1250),
        ([TRIANGLE, [1, 1, 2, 2]], 1250),
        ([[10, 10, 50, 50, 50, 10, 10, 50]], 800),
        ([[-20, -20, 30, -20, 30, 30, -20, 30]], 900),
        (FOUR_PIXELS, 4),
        ({"size": [100, 100], "counts": "bo04jh8"}, 4),
        ([], 2500),
        (None, 2500),
    ],
)
def test_each_kind_of_outline_covers_what_was_drawn(take, workspace, drawn, segmentation, expected):
    take(drawn(segmentation=segmentation))
    annotation = workspace.annotation("a", "ann")
    assert area(annotation.instances[0]) == pytest.approx(expected)


def test_a_box_alone_is_read_with_one_warning_a_picture(check, drawn, codes):
    boxes = [drawn(number=n, box=(n, n, n + 9, n + 9)) for n in range(1, 6)]
    for box in boxes[1:]:
        del box["segmentation"]
    found = codes(check(*boxes).findings)
    assert ("box-as-area", "annotations[1].bbox") in found
    assert sum(code == "box-as-area" for code, _ in found) == 1


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"segmentation": "x"}, "segmentation-invalid", "segmentation"),
        ({"segmentation": 5}, "segmentation-invalid", "segmentation"),
        ({"segmentation": [[*TRIANGLE, 7]]}, "segmentation-invalid", "segmentation[0]"),
        ({"segmentation": [[1, 2, 3, 4]]}, "points-too-few", "segmentation[0]"),
        ({"segmentation": [[]]}, "points-too-few", "segmentation[0]"),
        ({"segmentation": [[*TRIANGLE[:5], None]]}, "point-invalid", "segmentation[0][5]"),
        ({"segmentation": [[*TRIANGLE[:5], "60"]]}, "point-invalid", "segmentation[0][5]"),
        ({"segmentation": [[*TRIANGLE[:5], 1e300]]}, "point-far-outside", "segmentation[0][5]"),
        ({"segmentation": [[200, 200, 250, 200, 250, 250]]}, "shape-outside", "segmentation[0]"),
        ({"segmentation": [[1, 1, 5, 5, 9, 9]]}, "area-empty", "segmentation[0]"),
        ({"segmentation": {"counts": [10000]}}, "rle-size", "segmentation.size"),
        ({"segmentation": {**FOUR_PIXELS, "size": [50, 200]}}, "rle-size", "segmentation.size"),
        ({"segmentation": {"size": [100, 100]}}, "rle-invalid", "segmentation.counts"),
        (
            {"segmentation": {**FOUR_PIXELS, "counts": [1010, 4, 8985]}},
            "rle-invalid",
            "segmentation.counts",
        ),
        (
            {"segmentation": {**FOUR_PIXELS, "counts": [1010, -4, 8994]}},
            "rle-invalid",
            "segmentation.counts[1]",
        ),
        (
            {"segmentation": {**FOUR_PIXELS, "counts": "05d0"}},
            "rle-invalid",
            "segmentation.counts",
        ),
        ({"segmentation": {**FOUR_PIXELS, "counts": [10000]}}, "area-empty", "segmentation"),
        ({"segmentation": [], "bbox": []}, "segmentation-invalid", "segmentation"),
        ({"segmentation": None, "bbox": [1, 2, 3]}, "bbox-invalid", "bbox"),
        ({"segmentation": None, "bbox": [1, 2, 0, 4]}, "bbox-invalid", "bbox"),
        ({"segmentation": None, "bbox": [1, 2, "3", 4]}, "point-invalid", "bbox[2]"),
        ({"segmentation": None, "bbox": "1,2,3,4"}, "bbox-invalid", "bbox"),
        ({"category_id": 99}, "label-invalid", "category_id"),
        ({"category_id": [1]}, "label-invalid", "category_id"),
        ({"instance_id": 0}, "group-id-invalid", "instance_id"),
        ({"attributes": {"instance_id": "x"}}, "group-id-invalid", "attributes.instance_id"),
        ({"reflection_of": 3}, "attribute-misplaced", "reflection_of"),
        ({"attributes": {"counterpart": "no"}}, "choice-unknown", "attributes.counterpart"),
    ],
)
def test_a_fault_is_named_by_coco_s_field_and_the_good_annotation_stays(
    check, drawn, codes, change, code, field
):
    good = drawn(box=(70, 70, 90, 90), number=7, instance_id=70)
    result = check(good, {**drawn(number=8), **change})
    assert codes(result.findings, "error") == {(code, f"annotations[1].{field}")}
    assert result.status == "findings"


def test_nan_in_an_outline_is_named_with_its_place(tmp_path, coco, drawn, write_picture, codes):
    write_picture(tmp_path / "a.png")
    text = orjson.dumps(coco(drawn(segmentation=[[1, 1, 777, 9, 9, 9]]))).decode()
    (tmp_path / "coco.json").write_text(text.replace("777", "NaN"))
    found = codes(check_file(tmp_path / "coco.json").findings, "error")
    assert ("point-not-finite", "annotations[0].segmentation[0][2]") in found


def test_the_sum_of_counts_is_checked_before_anything_is_unpacked(check, drawn, codes):
    result = check(drawn(segmentation={"size": [100, 100], "counts": [0, 2**62]}))
    assert ("rle-invalid", "annotations[0].segmentation.counts") in codes(result.findings)


def test_labels_links_and_surfaces_go_in_as_from_other_programs(take, workspace, drawn):
    take(
        drawn(3, (50, 0, 100, 100), 11, instance_id=1, surface_type="planar_mirror"),
        drawn(4, (1, 1, 20, 20), 12, instance_id=2),
        drawn(
            5,
            (60, 60, 80, 80),
            13,
            instance_id=3,
            attributes={"in_mirror": 1, "counterpart": "in_frame"},
            reflection_of=2,
        ),
        drawn(6, (52, 2, 55, 5), 14, instance_id=1),
        drawn(7, (1, 90, 9, 99), 15),
    )
    annotation = workspace.annotation("a", "ann")
    (surface,) = annotation.surfaces
    assert (surface.surface_id, surface.surface_type) == (1, "planar_mirror")
    assert len(surface.holes_px) == 1
    seen = {item.instance_id: (item.visibility, item.category) for item in annotation.instances}
    assert seen == {2: ("direct", "cup"), 3: ("reflected", "cup")}
    (link,) = annotation.links
    assert (link.reflected_id, link.real_id, link.counterpart) == (3, 2, "in_frame")
    assert annotation.instances[1].seen_in == (1,)
    assert len(annotation.ignored_px) == 1


def test_without_ids_annotations_are_numbered_and_links_name_coco_s_ids(take, workspace, drawn):
    report = take(
        drawn(1, (1, 1, 20, 20), number=40),
        drawn(2, (60, 60, 80, 80), number=41, reflection_of=40, in_mirror="0"),
        drawn(3, (50, 0, 100, 100), number=0),
    )
    annotation = workspace.annotation("a", "ann")
    assert [instance.instance_id for instance in annotation.instances] == [1, 2]
    assert (annotation.links[0].real_id, annotation.instances[1].seen_in) == (1, (3,))
    assert not any(finding.severity == "error" for finding in report.findings)


def test_a_link_to_an_annotation_of_another_picture_is_none(check, drawn, image, codes):
    images = [image(), image(2, "b.png")]
    away = drawn(1, (1, 1, 9, 9), number=5, image=2)
    shown = drawn(2, number=9, reflection_of=5)
    result = check(away, shown, drawn(3, (1, 1, 5, 5), number=10), images=images)
    assert codes(result.findings, "error") == {("link-invalid", "annotations[1].reflection_of")}


def test_a_number_is_given_only_where_no_annotation_has_it(take, workspace, drawn):
    take(drawn(number=1), drawn(box=(70, 70, 90, 90), number=2, instance_id=1))
    annotation = workspace.annotation("a", "ann")
    assert sorted(item.instance_id for item in annotation.instances) == [1, 2]


def test_a_finding_about_two_annotations_names_both_in_coco_s_words(check, drawn):
    twins = [drawn(number=n, instance_id=n) for n in (1, 2)]
    result = check({"no": "area", "image_id": 1}, *twins)
    (twin,) = [item for item in result.findings if item.code == "shape-duplicate"]
    assert twin.where == "annotations[2]"
    assert twin.message == "is drawn as annotations[1] already"


def test_crowds_are_read_as_one_with_a_warning_and_surfaces_are_none(check, drawn, codes):
    marked = [drawn(3, iscrowd=1), drawn(4, (1, 1, 9, 9), 2, iscrowd=1), drawn(4, number=3)]
    found = codes(check(*marked).findings)
    assert [pair for pair in found if pair[0] == "crowd-as-one"] == [
        ("crowd-as-one", "annotations[1].iscrowd")
    ]


def test_keys_that_no_record_has_are_kept(take, workspace, drawn, image):
    extras = {"score": 0.5, "keypoints": [1, 2, 2], "iscrowd": 1, "attributes": {"occluded": True}}
    take(
        drawn(number=77, track_id=4, **extras),
        images=[image(licence=3)],
        licences=[{"id": 3, "name": "CC0"}],
    )
    source = workspace.annotation("a", "ann").source
    assert source.format == "coco"
    assert source.extra == {
        "info": {"year": 2026},
        "licences": [{"id": 3, "name": "CC0"}],
        "image": {"id": 1, "licence": 3},
        "imagePath": "a.png",
    }
    (extra,) = source.shape_extras
    assert extra.keys == {"id": 77, "track_id": 4, **extras}
