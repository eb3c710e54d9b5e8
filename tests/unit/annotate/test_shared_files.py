"""Files made by others and by real programs; they are read where they are and never copied."""

from __future__ import annotations

from collections import Counter

import orjson
import pytest

from annotate.checking import check_file, check_paths
from annotate.coco.outline import Outline
from annotate.codes import CODES
from annotate.findings import FindingLog
from annotate.importing import import_annotations
from annotate.policy import AnnotationPolicy
from mira.geometry.mask import Rle, decode_rle, rle_from_polygons
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace

OTHERS = {
    "24Hoursss__Circuit-Dataset": (0, 14, 0),
    "HumanSignal__label-studio-sdk": (0, 1, 0),
    "What-Pity__anylabeling-seg2yolo": (0, 1, 0),
    "chey-to-mozg__preprocessing_for_labelme": (0, 2, 0),
    "cocodataset__panopticapi": (0, 1, 0),
    "datumaro_assets": (0, 10, 10),
    "labelme_examples": (0, 19, 0),
    "obss__sahi": (0, 12, 0),
    "ykszk__labelme-rs": (0, 1, 4),
    "yomvol__fire-smoke-segmentation": (0, 1, 0),
}
"""Files of each folder that are ok, have findings and are unusable."""


@pytest.mark.parametrize("folder", [*OTHERS, "xanylabeling_repo"])
def test_every_file_of_other_people_reads_or_is_refused_with_file_and_field(shared, folder):
    statuses: Counter[str] = Counter()
    for path in sorted((shared / "annotation" / folder).glob("*.json")):
        result = check_file(path)
        statuses[result.status] += 1
        for finding in result.findings:
            assert finding.path.startswith(str(path.parent))
            assert finding.message
            assert "\n" not in str(finding)
            assert finding.code in CODES
        errors = [finding for finding in result.findings if finding.severity == "error"]
        assert errors or result.status != "unusable"
        whole = {"format-unknown", "xml-not-read"}
        assert all(finding.where for finding in errors if finding.code not in whole)
    if folder in OTHERS:
        found = tuple(statuses[status] for status in ("ok", "findings", "unusable"))
        assert found == OTHERS[folder]


COCO_OBJECTS = {
    "HumanSignal__label-studio-sdk/tests__custom__converter__data__test_import_coco__"
    "coco_import_input.json": 2,
    "cocodataset__panopticapi/sample_data__panoptic_coco_detection_format.json": 50,
    "datumaro_assets/coco_dataset__coco__annotations__stuff_train.json": 1,
    "datumaro_assets/coco_dataset__coco__annotations__instances_val.json": 2,
    "labelme_examples/instance_segmentation__data_dataset_coco__annotations.json": 12,
    "obss__sahi/tests__data__coco_evaluate__dataset.json": 249,
    "obss__sahi/tests__data__coco_utils__terrain_all_coco.json": 22,
    "xanylabeling_repo/2025-05-15_22e3580_annotations__coco_detection.json": 49,
    "xanylabeling_repo/2025-05-15_22e3580_annotations__coco_instance_segmentation.json": 6,
    "yomvol__fire-smoke-segmentation/annotations__val_instances_default.json": 2002,
}


@pytest.mark.parametrize("name", COCO_OBJECTS)
def test_every_annotation_of_a_coco_file_of_other_people_is_read(shared, name):
    path = shared / "annotation" / name
    result = check_file(path)
    assert sum(result.categories.values()) == COCO_OBJECTS[name]
    assert all(finding.severity != "error" for finding in result.findings)


def test_the_pixels_of_run_lengths_are_those_that_coco_s_own_reader_finds(shared):
    name = "cocodataset__panopticapi/sample_data__panoptic_coco_detection_format.json"
    data = orjson.loads((shared / "annotation" / name).read_bytes())
    sizes = {image["id"]: (image["width"], image["height"]) for image in data["images"]}
    for annotation in data["annotations"]:
        width, height = sizes[annotation["image_id"]]
        outline = Outline(annotation["segmentation"], None)
        region = outline.region("", (width, height), AnnotationPolicy(), FindingLog("a.json"))
        given = annotation["segmentation"]
        expected = decode_rle(Rle(size=(height, width), counts=given["counts"]))
        drawn = rle_from_polygons(region.parts, region.holes, width_px=width, height_px=height)
        assert (decode_rle(drawn) == expected).all()


def test_markup_of_other_programs_is_refused_with_what_is_read(shared):
    for path in (shared / "annotation" / "datumaro_assets").glob("*.xml"):
        result = check_file(path)
        (finding,) = result.findings
        assert (result.status, finding.code) == ("unusable", "xml-not-read")
        assert "X-AnyLabeling, labelme or COCO" in finding.message


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
    # The depth of that picture was filled; not all of its reflections come to their objects.
    found = check_file(copy, scenes=images, intrinsics=camera).findings
    assert {code for code, severity in codes(found) if severity != "info"} <= {"link-apart"}
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
        warned = {finding.code for finding in report.findings if finding.severity != "info"}
        assert warned <= {"link-apart"}
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
