from __future__ import annotations

from annotate.checking import check_file
from annotate.findings import FindingLog
from annotate.importing import import_annotations
from annotate.plausibility.checking import note_doubts
from annotate.plausibility.policy import PlausibilityPolicy
from annotate.policy import AnnotationPolicy
from mira.schema.annotation import ShapeExtra
from mira.store.workspace import Workspace

MIRROR = (10, 10, 60, 60)


def drawn(shape):
    """A mirror with a reflection, and a second reflection beside it that claims to be in it."""
    seen = {"in_mirror": 9, "counterpart": "out_of_frame"}
    return [
        shape("surface", MIRROR, 9, attributes={"surface_type": "planar_mirror"}),
        shape("object_reflection", (20, 20, 30, 30), 1, attributes=seen),
        shape("object_reflection", (70, 70, 90, 90), 2, attributes=seen),
    ]


def test_check_and_import_report_doubts_at_the_shape(
    tmp_path, document, shape, write_json, write_picture
):
    write_picture(tmp_path / "in" / "a.png")
    path = write_json(tmp_path / "in" / "a.json", document(*drawn(shape)))
    (found,) = check_file(path).findings
    assert (found.code, found.severity) == ("reflection-outside-surface", "warning")
    assert found.where == "shapes[2]"
    workspace = Workspace.create(tmp_path / "work")
    report = import_annotations(path, workspace, scenes=None, annotator="ann")
    assert [item.code for item in report.findings] == ["reflection-outside-surface"]
    assert (report.imported, report.instances) == (1, 2)


def test_bounds_are_part_of_the_reader_s_policy(tmp_path, document, shape, write_json):
    path = write_json(tmp_path / "a.json", document(*drawn(shape)))
    lax = AnnotationPolicy(plausibility=PlausibilityPolicy(reflection_inside_share=0))
    codes = {item.code for item in check_file(path, policy=lax).findings}
    assert "reflection-outside-surface" not in codes


def test_strict_leaves_nothing_out_for_a_doubt(tmp_path, document, shape, write_json):
    path = write_json(tmp_path / "a.json", document(*drawn(shape)))
    assert check_file(path, strict=True).status == "findings"


def test_a_coco_file_names_its_own_fields(tmp_path, write_json, write_picture):
    write_picture(tmp_path / "a.png")
    box = {"image_id": 1, "iscrowd": 0, "score": 1.0}
    annotations = [
        {**box, "id": 5, "category_id": 1, "instance_id": 9, "bbox": [10, 10, 50, 50]},
        {**box, "id": 6, "category_id": 2, "instance_id": 1, "bbox": [20, 20, 10, 10]},
    ]
    coco = {
        "images": [{"id": 1, "file_name": "a.png", "width": 100, "height": 100}],
        "categories": [{"id": 1, "name": "surface"}, {"id": 2, "name": "object"}],
        "annotations": annotations,
    }
    findings = check_file(write_json(tmp_path / "coco.json", coco)).findings
    (found,) = [item for item in findings if item.code == "direct-in-surface"]
    assert found.where == "annotations[0]"


def test_a_shape_that_the_record_does_not_keep_is_named_by_its_id(
    picture, surface, reflected, direct
):
    log = FindingLog("a.json")
    shapes = [ShapeExtra(shape_index=4, owner_id=1, keys={"score": None})]
    record = picture(
        surface(9, (0, 0, 100, 100)),
        reflected(1, (200, 200, 260, 260), 9),
        reflected(2, (300, 300, 360, 360), 9),
        direct(3, (10, 10, 20, 20)),
        shapes=shapes,
    )
    note_doubts(record, log, policy=PlausibilityPolicy())
    assert [item.where for item in log.findings] == ["shapes[4]", "instance 2", "surface 9"]
