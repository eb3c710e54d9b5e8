"""A COCO file with its pictures: which are read, what is refused, and what an import does."""

from __future__ import annotations

import pytest

from annotate.checking import check_file, check_paths
from annotate.importing import import_annotations


def test_each_picture_becomes_an_annotation(take, workspace, drawn, image, write_picture, tmp_path):
    write_picture(tmp_path / "sub" / "b.jpg")
    write_picture(tmp_path / "c.png")
    images = [image(5), image("x", "sub\\b.jpg"), image(7, "/data/c.png", width=None)]
    report = take(drawn(image=5), drawn(image="x"), images=images)
    assert (report.files, report.imported, report.refused) == (1, 3, 0)
    assert {view.image_id for view in workspace.views()} == {"a", "b", "c"}
    assert len(workspace.annotation("b", "ann").instances) == 1
    assert workspace.annotation("c", "ann").instances == ()


def test_pictures_are_found_in_a_folder_of_their_own(
    tmp_path, coco, drawn, image, write_json, write_picture, workspace
):
    write_picture(tmp_path / "pictures" / "deep" / "a.png")
    path = write_json(tmp_path / "files" / "coco.json", coco(drawn(), images=[image(1, "x/a.png")]))
    report = import_annotations(
        path, workspace, scenes=tmp_path / "pictures", annotator="ann", strict=True
    )
    assert report.imported == 1


def test_a_picture_is_never_told_by_the_file_s_own_name(
    tmp_path, coco, drawn, image, write_json, write_picture, codes
):
    write_picture(tmp_path / "coco.png")
    path = write_json(tmp_path / "coco.json", coco(drawn(), images=[image(1, "a.png")]))
    found = codes(check_file(path).findings)
    assert ("picture-missing", "images[0].file_name") in found


def test_one_bad_picture_leaves_the_others(take, workspace, drawn, image, codes):
    images = [image(1, "gone.png"), image(2, width=50), image(3, "a.png")]
    report = take(drawn(image=1), drawn(image=3), images=images[::2])
    assert (report.imported, report.refused) == (1, 1)
    assert codes(report.findings, "error") == {("picture-missing", "images[0].file_name")}
    report = take(drawn(image=2), images=images[1:2])
    assert codes(report.findings, "error") == {("image-size-mismatch", "images[0].width")}


def test_an_unchanged_picture_of_a_changed_file_gets_no_revision(
    take, workspace, drawn, image, write_picture, tmp_path
):
    write_picture(tmp_path / "b.png")
    images = [image(), image(2, "b.png")]
    first = [drawn(), drawn(image=2, number=2)]
    assert take(*first, images=images).imported == 2
    assert take(*first, images=images).unchanged == 2
    moved = drawn(image=2, number=2, box=(1, 1, 9, 9))
    report = take(first[0], moved, images=images)
    assert (report.imported, report.unchanged) == (1, 1)
    assert workspace.annotation("a", "ann").revision == 1
    assert workspace.annotation("b", "ann").revision == 2


def test_strict_leaves_out_the_picture_with_an_error(take, drawn, image, write_picture, tmp_path):
    write_picture(tmp_path / "b.png")
    images = [image(), image(2, "b.png")]
    faulty = [drawn(), drawn(image=2, number=2), drawn(image=2, number=3, segmentation=5)]
    report = take(*faulty, images=images, strict=True)
    assert (report.imported, report.refused) == (1, 1)
    strays = [drawn(), drawn(image=9, number=2)]
    report = take(*strays, images=images, strict=True)
    assert (report.imported, report.unchanged, report.refused) == (0, 0, 2)


def test_annotations_of_unknown_pictures_are_counted_in_one_finding(check, drawn):
    result = check(drawn(), *(drawn(image=9, number=n) for n in (2, 3, 4)))
    (stray,) = [item for item in result.findings if item.code == "coco-image-unknown"]
    assert stray.where == "annotations[1].image_id"
    assert "and 2 more" in stray.message
    assert result.status == "findings"


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"images": {}}, "coco-invalid", "images"),
        ({"images": []}, "coco-invalid", "images"),
        ({"annotations": {}}, "coco-invalid", "annotations"),
        ({"categories": None}, "coco-invalid", "categories"),
        ({"annotations": [{"caption": "x", "image_id": 1}]}, "coco-not-read", "annotations"),
        ({"annotations": [{"segments_info": []}]}, "coco-not-read", "annotations"),
        ({"annotations": [{"category_id": 1}]}, "coco-not-read", "annotations"),
        ({"annotations": [{"keypoints": [1, 1, 2]}]}, "coco-not-read", "annotations"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_its_field(check, codes, change, code, field):
    result = check(**change)
    assert result.status == "unusable"
    assert (code, field) in codes(result.findings, "error")


@pytest.mark.parametrize(
    ("entry", "code", "field"),
    [
        (5, "coco-invalid", ""),
        ({"file_name": "b.png"}, "coco-invalid", ".id"),
        ({"id": [1], "file_name": "b.png"}, "coco-invalid", ".id"),
        ({"id": 2}, "coco-invalid", ".file_name"),
        ({"id": 2, "file_name": "/"}, "coco-invalid", ".file_name"),
        ({"id": 1, "file_name": "b.png"}, "coco-id-duplicate", ".id"),
    ],
)
def test_an_entry_of_a_picture_that_is_none_is_named(
    check, drawn, image, codes, entry, code, field
):
    result = check(drawn(), images=[image(), entry])
    assert codes(result.findings, "error") == {(code, f"images[1]{field}")}
    assert result.status == "findings"


def test_faulty_categories_and_annotations_are_named(check, drawn, codes):
    categories = [{"id": 1, "name": "cup"}, {"id": 1, "name": "bowl"}, {"name": "pan"}, "x"]
    result = check(drawn(), 5, categories=categories)
    assert codes(result.findings, "error") == {
        ("coco-id-duplicate", "categories[1].id"),
        ("coco-invalid", "categories[2]"),
        ("coco-invalid", "categories[3]"),
        ("shape-invalid", "annotations[1]"),
    }
    assert result.categories == {"cup": 1}


def test_captions_among_areas_are_left_out_and_counted(check, drawn):
    others = [{"caption": "x", "image_id": 1}, {"caption": "y", "image_id": 1}]
    result = check(drawn(), *others, {"keypoints": [1], "image_id": 1})
    (left_out,) = [item for item in result.findings if item.code == "coco-without-area"]
    assert left_out.where == "annotations[1]"
    assert "2 x captions, 1 x key points" in left_out.message


def test_a_file_without_annotations_is_read_with_a_warning(check, codes):
    result = check()
    assert codes(result.findings) == {("coco-unannotated", "annotations")}
    assert result.status == "findings"


def test_two_entries_of_one_picture_are_refused_together(take, drawn, image, codes):
    report = take(drawn(), images=[image(), image(2)])
    assert (report.imported, report.refused) == (0, 2)
    assert codes(report.findings, "error") == {
        ("picture-annotated-twice", "images[0].file_name"),
        ("picture-annotated-twice", "images[1].file_name"),
    }


def test_a_picture_in_a_coco_file_and_in_one_of_its_own_is_refused_in_both(
    tmp_path, coco, drawn, document, shape, write_json, write_picture, workspace
):
    write_picture(tmp_path / "in" / "a.png")
    write_json(tmp_path / "in" / "a.json", document(shape()))
    write_json(tmp_path / "in" / "coco.json", coco(drawn()))
    report = import_annotations(tmp_path / "in", workspace, scenes=None, annotator="ann")
    assert (report.files, report.imported, report.refused) == (2, 0, 2)


def test_pictures_whose_names_give_one_id_are_refused(
    tmp_path, coco, drawn, image, write_json, write_picture, codes
):
    write_picture(tmp_path / "x" / "a.png")
    write_picture(tmp_path / "y" / "a.png", value=3)
    images = [image(1, "x/a.png"), image(2, "y/a.png")]
    path = write_json(tmp_path / "coco.json", coco(drawn(), drawn(image=2), images=images))
    result = check_file(path)
    assert result.status == "unusable"
    assert ("stem-collision", "images[1].file_name") in codes(result.findings, "error")


def test_a_file_is_told_by_what_is_in_it_whatever_its_name(tmp_path, coco, drawn, write_json):
    write_json(tmp_path / "_annotations.coco.json", coco(drawn()))
    (result,) = check_paths([tmp_path])
    assert result.status == "findings"


def test_what_two_people_drew_on_one_picture_is_refused(check, drawn, codes):
    result = check(drawn(annotator="ann"), drawn(number=2), drawn(number=3, annotator="ben"))
    assert result.status == "unusable"
    assert codes(result.findings) == {("picture-annotated-twice", "annotations[2].annotator")}


@pytest.mark.parametrize("status", ["done", "draft", "failed"])
def test_whether_a_picture_is_done_is_read_where_it_is_said(take, workspace, drawn, image, status):
    take(drawn(annotator="x"), images=[image(annotated_by={"x": status})])
    assert workspace.annotation("a", "ann").status == status
