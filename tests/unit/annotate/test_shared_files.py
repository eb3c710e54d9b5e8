"""Files made by others and by real programs; they are read where they are and never copied."""

from __future__ import annotations

from collections import Counter

import pytest

from annotate.checking import check_file, check_paths, status_of
from annotate.importing import import_annotations
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace

OUTCOMES = {
    "01_bowtie": ("findings", {("ring-not-simple", "shapes[0].points")}),
    "03_keyhole_hole_seam": ("ok", set()),
    "04_hole_as_label": ("ok", set()),
    "05_multipart_same_gid": ("ok", set()),
    "07_same_gid_object_and_reflection": (
        "unusable",
        {("id-duplicate", "shapes[1].group_id"), ("no-usable-shape", "shapes")},
    ),
    "08_two_points": (
        "unusable",
        {("points-too-few", "shapes[0].points"), ("no-usable-shape", "shapes")},
    ),
    "10_duplicate_vertices_closed": ("ok", set()),
    "11_empty_points": (
        "unusable",
        {("points-too-few", "shapes[0].points"), ("no-usable-shape", "shapes")},
    ),
    "12_empty_shapes": ("ok", set()),
    "14_out_of_image": ("findings", {("shape-clipped", "shapes[0].points")}),
    "15_wholly_outside": (
        "unusable",
        {("shape-outside", "shapes[0].points"), ("no-usable-shape", "shapes")},
    ),
    "17_exact_duplicate_shape": ("findings", {("shape-duplicate", "shapes[1]")}),
    "18_gid_null_zero_string_float_bool": (
        "findings",
        {("group-id-invalid", f"shapes[{n}].group_id") for n in (1, 4, 5)}
        | {("shape-duplicate", f"shapes[{n}]") for n in (2, 3)},
    ),
    "20_link_unset_forms": ("findings", {("shape-duplicate", f"shapes[{n}]") for n in range(1, 7)}),
    "21_link_kie_vs_attribute_conflict": (
        "findings",
        {("link-conflict", "shapes[2].kie_linking[0]")},
    ),
    "23_rect_2pt_labelme": ("ok", set()),
    "24_rect_4pt": ("ok", set()),
    "25_rotation_direction": ("ok", set()),
    "27_unknown_shape_type": (
        "unusable",
        {("shape-type-unknown", "shapes[0].shape_type"), ("no-usable-shape", "shapes")},
    ),
    "28_windows_backslash_imagepath": ("ok", set()),
    "30_utf8_bom": ("ok", set()),
    "31_gbk_encoded": ("findings", {("encoding-gb18030", "")}),
    "33_size_swapped_exif": ("findings", {("picture-orientation", "imagePath")}),
    "35_missing_top_keys": ("ok", set()),
    "36_nan_inf": (
        "unusable",
        {("point-not-finite", "shapes[0].points[0][0]"), ("no-usable-shape", "shapes")},
    ),
    "38_three_d_points": (
        "unusable",
        {("point-invalid", "shapes[0].points[0]"), ("no-usable-shape", "shapes")},
    ),
    "40_legacy_text_no_shape_type": ("ok", set()),
    "41_labels_case_and_space": (
        "findings",
        {("label-normalised", "shapes[0].label"), ("label-confusable", "shapes[3].label")}
        | {("shape-duplicate", f"shapes[{n}]") for n in (1, 3)},
    ),
    "42_truncated": ("unusable", {("json-truncated", "line 1, column 181")}),
    "44_sliver": ("findings", {("shape-sliver", "shapes[0].points")}),
    "45_coco_mixed_segmentations": ("unusable", {("coco-not-read", "")}),
    "48_labelme_mask_type": (
        "unusable",
        {("mask-not-read", "shapes[0].shape_type"), ("no-usable-shape", "shapes")},
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_kind_of_nasty_file_ends_as_decided(shared, codes, name):
    result = check_file(shared / "annotation" / "nasty" / f"{name}.json")
    others = [finding for finding in result.findings if finding.code != "surface-missing"]
    status = status_of(others, usable=result.status != "unusable")
    assert (status, codes(others)) == OUTCOMES[name]


def test_no_nasty_file_goes_unlooked_at(shared):
    assert {path.stem for path in (shared / "annotation" / "nasty").glob("*.json")} == set(OUTCOMES)


def test_equal_names_in_two_folders_are_refused_together(shared):
    results = list(check_paths([shared / "annotation" / "nasty" / "collision"]))
    assert [result.status for result in results] == ["unusable", "unusable"]
    for result in results:
        assert "stem-collision" in {finding.code for finding in result.findings}


def test_every_file_of_other_people_reads_or_is_refused_with_file_and_field(shared):
    statuses: Counter[str] = Counter()
    for result in check_paths([shared / "annotation"]):
        statuses[result.status] += 1
        for finding in result.findings:
            assert finding.message
            assert "\n" not in str(finding)
        if result.status != "ok":
            assert result.findings
    assert statuses["ok"] > 0
    assert statuses["findings"] > 0


@pytest.fixture
def camera(tmp_path, write_json):
    """The camera of the real scene."""
    values = {"width": 608, "height": 456, "fx": 518.86, "fy": 519.47, "cx": 309.58, "cy": 241.74}
    return write_json(tmp_path / "camera.json", {**values, "depth_unit_m": 0.001})


def test_the_packaged_scenes_leave_nothing_to_ask():
    checks = list(check_paths([packaged_scenes_dir()]))
    assert len(checks) == 4
    assert {finding.code for check in checks for finding in check.findings} == set()


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_real_annotation_reads_alike_in_other_encodings(shared, tmp_path, codec, camera, codes):
    source = shared / "mirror_rgbd" / "annotations_a" / "bathroom_664.json"
    copy = tmp_path / "bathroom_664.json"
    copy.write_text(source.read_text("utf-8").replace("\n", "\r\n"), encoding=codec)
    images = shared / "mirror_rgbd" / "images"
    assert check_file(copy, scenes=images, intrinsics=camera).status == "ok"
    without = check_file(copy, scenes=images)
    assert {code for code, _ in codes(without.findings)} == {"camera-missing", "depth-unit-assumed"}


def test_the_real_mirror_scene_goes_in_from_both_passes(shared, tmp_path, camera):
    folder = shared / "mirror_rgbd"
    workspace = Workspace.create(tmp_path / "ws")
    for annotator in ("a", "b"):
        report = import_annotations(
            folder / f"annotations_{annotator}",
            workspace,
            scenes=folder / "images",
            intrinsics=camera,
            annotator=annotator,
        )
        assert (report.imported, report.surfaces, report.instances) == (1, 1, 18)
        assert report.by_counterpart == {"in_frame": 6, "out_of_frame": 4}
        assert all(finding.severity == "info" for finding in report.findings)
        annotation = workspace.annotation("bathroom_664", annotator)
        assert annotation.status == "done"
        direct = {item.instance_id for item in annotation.instances if item.visibility == "direct"}
        shown = {link.real_id for link in annotation.links if link.counterpart == "in_frame"}
        assert len(direct) == 8
        assert len(direct - shown) == 2
        assert shown < direct
    (view,) = workspace.views()
    assert (view.width_px, view.height_px, view.depth_unit_m) == (608, 456, 0.001)
    assert workspace.annotators("bathroom_664") == ("a", "b")
