"""One file for each way in which annotation files go wrong, and how each must end."""

from __future__ import annotations

import pytest

from annotate.checking import check_file, check_paths, status_of

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
    "45_coco_mixed_segmentations": (
        "unusable",
        {
            ("coco-image-unknown", "annotations[3].image_id"),
            ("image-size-mismatch", "images[0].width"),
            ("box-as-area", "annotations[2].bbox"),
        },
    ),
    "48_labelme_mask_type": ("ok", set()),
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
