from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

import annotate
from annotate.checking import check_file, check_paths, checks_as_json, exit_status
from annotate.codes import CODES
from mira.errors import AnnotationFormatError, SceneSourceError


@pytest.fixture
def document(document, shape):
    """As everywhere, with a mirror and a reflection that leave nothing to ask."""

    def build(*shapes, **more):
        seen = {"in_mirror": 99, "counterpart": "out_of_frame"}
        mirror = shape("surface", (92, 92, 99, 99), 99)
        return document(
            *shapes,
            mirror,
            shape("object_reflection", (93, 93, 98, 98), 98, attributes=seen),
            **more,
        )

    return build


@pytest.fixture
def check(tmp_path, document, write_json, write_picture):
    """Checks one file beside its picture of 100 x 100 pixels."""

    def run(*shapes, **more):
        write_picture(tmp_path / "a.png")
        return check_file(write_json(tmp_path / "a.json", document(*shapes, **more)))

    return run


def test_a_good_file_is_ok(check, shape):
    result = check(shape(), shape("cup", (70, 70, 90, 90), 2))
    assert (result.status, result.findings) == ("ok", ())


def test_notes_alone_are_ok(check, shape):
    result = check(shape("mirror", gid=None))
    assert result.status == "ok"
    assert len(result.findings) == 3


def test_a_bad_shape_among_good_ones_is_a_finding(check, shape):
    assert check(shape(), shape(gid=0)).status == "findings"


def test_strict_makes_any_error_decide(tmp_path, document, write_json, shape):
    path = write_json(tmp_path / "a.json", document(shape(), shape(gid=0)))
    assert check_file(path).status == "findings"
    assert check_file(path, strict=True).status == "unusable"
    path = write_json(tmp_path / "b.json", document(shape(box=(-9, 0, 50, 50))))
    assert check_file(path, strict=True).status == "findings"


@pytest.mark.parametrize("size", [{}, {"imageWidth": -1, "imageHeight": -1}, {"imageWidth": 100.0}])
def test_a_missing_size_is_the_picture_s(check, shape, document, tmp_path, write_json, size):
    check(shape())
    data = document(shape())
    del data["imageWidth"], data["imageHeight"]
    result = check_file(write_json(tmp_path / "a.json", {**data, **size}))
    assert (result.status, result.findings) == ("ok", ())


@pytest.mark.parametrize(
    ("size", "code", "field"),
    [
        ({"imageWidth": 640, "imageHeight": 480}, "image-size-mismatch", "imageWidth"),
        ({"imageHeight": 99}, "image-size-mismatch", "imageHeight"),
    ],
)
def test_another_size_than_the_picture_s_is_refused(check, shape, codes, size, code, field):
    result = check(shape(), **size)
    assert result.status == "unusable"
    assert codes(result.findings) == {(code, field)}


@pytest.mark.parametrize("value", ["100", True, 99.5, -7, [1]])
def test_a_size_that_is_none_gives_way_to_the_picture_s(check, shape, codes, value):
    result = check(shape(), imageWidth=value)
    assert codes(result.findings, "warning") == {("image-size-invalid", "imageWidth")}
    assert result.status == "findings"


@pytest.mark.parametrize(
    ("size", "code", "status"),
    [
        ((160, 120), "picture-orientation", "findings"),
        ((120, 160), "image-size-turned", "unusable"),
    ],
)
def test_a_picture_that_viewers_turn_is_spoken_of(
    tmp_path, document, write_json, shape, size, code, status
):
    raw = cv2.imencode(".jpg", np.zeros((120, 160, 3), np.uint8))[1].tobytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    block = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "a.jpg").write_bytes(raw[:2] + block + raw[2:])
    data = document(shape(), imagePath="a.jpg", imageWidth=size[0], imageHeight=size[1])
    result = check_file(write_json(tmp_path / "a.json", data))
    assert result.status == status
    assert code in {finding.code for finding in result.findings}
    assert any("EXIF orientation 6" in finding.message for finding in result.findings)


def test_a_missing_picture_is_a_warning_where_the_size_is_given(
    tmp_path, document, write_json, shape, codes
):
    result = check_file(write_json(tmp_path / "a.json", document(shape())))
    assert result.status == "findings"
    assert codes(result.findings) == {("picture-missing", "imagePath")}


@pytest.mark.parametrize("size", [None, -1, 10**9])
def test_without_picture_and_size_a_file_is_unusable(tmp_path, document, write_json, shape, size):
    data = document(shape(), imageWidth=size, imageHeight=size)
    assert check_file(write_json(tmp_path / "a.json", data)).status == "unusable"


def test_a_picture_that_was_cut_off_is_named(check, shape, tmp_path, codes):
    check(shape())
    raw = (tmp_path / "a.png").read_bytes()
    (tmp_path / "a.png").write_bytes(raw[:-30])
    result = check_file(tmp_path / "a.json")
    assert result.status == "unusable"
    assert codes(result.findings) == {("picture-unreadable", "imagePath")}
    assert "a.png" in result.findings[0].message


@pytest.mark.parametrize(
    "image_path",
    ["..\\pictures\\b.png", "../pictures/b.png", "C:\\Users\\x\\b.png", "/home/x/b.png", "b.png"],
)
def test_pictures_are_found_by_any_system_s_path(
    tmp_path, document, write_json, write_picture, shape, image_path
):
    write_picture(tmp_path / "pictures" / "b.png")
    data = document(shape(), imagePath=image_path)
    path = write_json(tmp_path / "drawn" / "x.json", data)
    result = check_file(path, scenes=tmp_path / "pictures")
    assert (result.status, result.findings) == ("ok", ())


@pytest.mark.parametrize("image_path", [None, "", 7, "..", "gone.png", "a\0b", "x" * 5000])
def test_a_useless_path_gives_way_to_the_file_s_own_name(
    tmp_path, document, write_json, write_picture, shape, image_path
):
    write_picture(tmp_path / "pictures" / "x.jpg")
    path = write_json(tmp_path / "x.json", document(shape(), imagePath=image_path))
    result = check_file(path, scenes=tmp_path / "pictures")
    assert result.status in {"ok", "findings"}
    assert "picture-missing" not in {finding.code for finding in result.findings}


def test_pictures_whose_names_differ_in_case_alone_collide(
    tmp_path, document, write_json, write_picture, shape, codes
):
    for folder, name in (("cam1", "img"), ("cam2", "IMG")):
        write_picture(tmp_path / folder / f"{name}.png")
        data = document(shape(), imagePath=f"{name}.png")
        write_json(tmp_path / folder / f"{name}.json", data)
    results = list(check_paths([tmp_path]))
    assert [result.status for result in results] == ["unusable", "unusable"]
    for result in results:
        assert codes(result.findings) == {("stem-collision", "imagePath")}
    apart = list(check_paths([tmp_path / "cam1", tmp_path / "cam2"]))
    assert [result.status for result in apart] == ["ok", "ok"]


def test_two_annotators_of_one_picture_do_not_collide(
    tmp_path, document, write_json, write_picture, shape
):
    write_picture(tmp_path / "pictures" / "a.png")
    for folder in ("one", "two"):
        write_json(tmp_path / folder / "a.json", document(shape()))
    results = check_paths([tmp_path], scenes=tmp_path / "pictures")
    assert [result.status for result in results] == ["ok", "ok"]


def test_a_name_that_two_pictures_have_is_not_guessed(
    tmp_path, document, write_json, write_picture, shape, codes
):
    for folder in ("cam1", "cam2"):
        write_picture(tmp_path / "pictures" / folder / "a.png")
    path = write_json(tmp_path / "a.json", document(shape()))
    result = check_file(path, scenes=tmp_path / "pictures")
    assert codes(result.findings) == {("stem-collision", "imagePath")}


def test_settings_and_hidden_files_are_no_annotations(
    tmp_path, document, write_json, write_picture, shape
):
    write_picture(tmp_path / "a.png")
    write_json(tmp_path / "a.json", document(shape()))
    for name in ("scene.json", "intrinsics.json", "a_intrinsics.json", "attributes.json"):
        write_json(tmp_path / name, {})
    write_json(tmp_path / ".hidden.json", {})
    write_json(tmp_path / ".trash" / "b.json", {})
    (tmp_path / "loop").symlink_to(tmp_path)
    assert [Path(result.path).name for result in check_paths([tmp_path])] == ["a.json"]


def test_paths_that_hold_nothing_are_wrong_use(tmp_path):
    with pytest.raises(AnnotationFormatError, match="neither"):
        check_paths([tmp_path / "nowhere"])
    with pytest.raises(AnnotationFormatError, match="found none"):
        check_paths([tmp_path])
    (tmp_path / "a.json").write_bytes(b"{}")
    with pytest.raises(SceneSourceError):
        check_paths([tmp_path], scenes=tmp_path / "nowhere")


def test_the_report_for_scripts_has_its_shape_and_exit_status(check, shape, tmp_path):
    good = check(shape())
    odd = check(shape(), shape(gid=0))
    (tmp_path / "c.json").write_bytes(b"{")
    bad = check_file(tmp_path / "c.json")
    assert [exit_status(checks) for checks in ([], [good], [good, odd], [bad, odd])] == [0, 0, 1, 2]
    (entry,) = checks_as_json([odd])["files"]
    assert entry["path"] == odd.path
    assert entry["status"] == "findings"
    assert entry["findings"][0] == {
        "code": "group-id-invalid",
        "severity": "error",
        "where": "shapes[1].group_id",
        "message": "expected a whole number from 1 on, found 0",
    }


def test_every_code_is_explained_and_every_explained_code_is_used():
    others = {"mira-toolkit", "near-miss", "shared-gid", "x-anylabeling"}
    used = set()
    package = Path(annotate.__file__).parent
    for path in package.rglob("*.py"):
        # What people work and play with has codes of its own, for programs.
        room = path.relative_to(package).parts[0]
        is_of_files = room not in ("app", "desk", "playing", "code_names.py")
        if path.name != "codes.py" and is_of_files:
            used |= set(re.findall(r'"([a-z]+(?:-[a-z0-9]+)+)"', path.read_text("utf-8")))
    used = {code for code in used if not code.startswith("utf-")} - others
    assert used == set(CODES)
