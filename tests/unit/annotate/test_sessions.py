"""Annotations of the views of a capture session."""

from __future__ import annotations

import shutil

import cv2
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.checking import check_paths
from annotate.importing import import_annotations
from annotate.scenes.session_index import SessionIndex
from mira.errors import AnnotationFormatError, MiraError, RecordError, SceneSourceError
from mira.schema.capture import (
    Calibration,
    CameraIntrinsics,
    FrameTiming,
    RigidTransform,
    Scene,
    SceneSurface,
    ViewFrame,
    ViewQuality,
)
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.store.session import Session
from mira.store.workspace import Workspace

SCENE = Scene(
    scene_id="hall",
    environment="indoor",
    lighting="day",
    place="hallway",
    surfaces=(SceneSurface(surface_id="wardrobe", surface_type="planar_mirror"),),
    consent="granted",
    source="own",
    licence="CC-BY-4.0",
    notes="door ajar",
)
COLOR_CAMERA = CameraIntrinsics(
    width_px=100, height_px=100, fx_px=90, fy_px=90, cx_px=49.5, cy_px=49.5
)
DEPTH_CAMERA = COLOR_CAMERA.model_copy(update={"width_px": 60, "height_px": 40})
CALIBRATION = Calibration(
    color=COLOR_CAMERA,
    depth=DEPTH_CAMERA,
    depth_to_color=RigidTransform(
        target="color",
        source="depth",
        rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        translation_m=(0.015, 0, 0),
    ),
)
FRAME = ViewFrame(
    depth_unit_m=0.00025,
    depth_kind="metric",
    timing=FrameTiming(
        color_frame=3,
        depth_frame=4,
        color_ms=100,
        depth_ms=116.5,
        color_domain="system_time",
        depth_domain="system_time",
        dt_ms=16.5,
    ),
    quality=ViewQuality(sharpness=12, dark_fraction=0, bright_fraction=0, valid_depth_fraction=1),
)


def png(width: int, height: int, value: int, *, depth: bool = False) -> bytes:
    shape_px = (height, width) if depth else (height, width, 3)
    pixels = np.full(shape_px, value, dtype=np.uint16 if depth else np.uint8)
    return cv2.imencode(".png", pixels)[1].tobytes()


def files_of(value: int, **changes: bytes) -> dict[str, bytes]:
    """The files of a view; changes name them by what stands before `.png` or `.json`."""
    files = {
        "color.png": png(100, 100, value),
        "depth.png": png(60, 40, 1200, depth=True),
        "depth_aligned.png": png(100, 100, 1000, depth=True),
        "frame.json": FRAME.to_json(),
        "calib.json": CALIBRATION.to_json(),
        "device.json": b"{}",
        "settings.json": b"{}",
    }
    ends = {name.partition(".")[0]: name for name in files}
    return files | {ends[name]: data for name, data in changes.items()}


@pytest.fixture
def session(tmp_path):
    record = CaptureSession(
        session_id="run-1", source="simulated", provenance=Provenance(tool="test", tool_version="0")
    )
    made = Session.create(tmp_path / "run", record, durable=False)
    made.write_scene(SCENE)
    return made


@pytest.fixture
def put(session, document, shape, write_json):
    """Commits a view and draws on it."""

    def commit(view_id="v1", *, scene_id="hall", drawn=True, less=(), **changes):
        value = sum(map(ord, scene_id + view_id)) % 200
        files = {
            name: data for name, data in files_of(value, **changes).items() if name not in less
        }
        session.commit_view(scene_id, view_id, files)
        folder = session.view_folder(scene_id, view_id)
        if drawn:
            shapes = [shape(), shape("surface", (70, 70, 90, 90), 9)]
            write_json(folder / "color.json", document(*shapes, imagePath="color.png"))
        return folder

    return commit


@pytest.fixture
def workspace(tmp_path):
    return Workspace.create(tmp_path / "ws")


@pytest.fixture
def take(session, workspace):
    def run(source=None, **more):
        given = {"scenes": None, "annotator": "ann", **more}
        return import_annotations(source or session.root, workspace, **given)

    return run


def found(report, *severities):
    wanted = severities or ("warning", "error")
    return {item.code for item in report.findings if item.severity in wanted}


def tree(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_view_goes_in_with_all_that_its_session_says(session, put, take, workspace):
    folder = put()
    (session.root / "truth").mkdir()
    (session.root / "truth" / "everything.json").write_text("{}")
    report = take()
    assert (report.files, report.imported) == (1, 1)
    assert found(report, "info", "warning", "error") == {"reflection-missing"}
    assert list(workspace.scenes()) == [SCENE]
    (view,) = workspace.views()
    assert (view.scene_id, view.image_id) == ("hall", "hall_v1")
    assert (view.depth_unit_m, view.depth_kind, view.depth_scope) == (0.00025, "metric", None)
    assert (view.timing, view.quality, view.intrinsics) == (
        FRAME.timing,
        FRAME.quality,
        COLOR_CAMERA,
    )
    held = workspace.view_folder(view)
    for ref, name in (
        (view.color, "color.png"),
        (view.depth, "depth.png"),
        (view.depth_aligned, "depth_aligned.png"),
    ):
        assert (held / ref.path).read_bytes() == (folder / name).read_bytes()
    assert [ref.path for ref in view.provenance.inputs] == [
        f"scenes/hall/views/v1/{name}" for name in ("color.png", "depth_aligned.png", "depth.png")
    ]
    assert view.provenance.parameters == {"session": "run-1"}
    annotation = workspace.annotation("hall_v1", "ann")
    assert annotation.source.file.path == "scenes/hall/views/v1/color.json"
    assert len(annotation.instances) == 1


def test_a_second_import_changes_nothing(put, take, workspace):
    put("v1")
    put("v2")
    take()
    before = tree(workspace.root)
    report = take()
    assert (report.unchanged, report.views_updated, report.scenes_updated) == (2, 0, 0)
    assert tree(workspace.root) == before


def test_ids_do_not_say_the_scene_twice(session, put, take, workspace):
    session.write_scene(Scene(scene_id="bath"))
    put("hall_a")
    put("a", scene_id="bath")
    take()
    assert sorted(view.image_id for view in workspace.views()) == ["bath_a", "hall_a"]


def test_views_of_one_id_are_refused(session, put, take):
    session.write_scene(Scene(scene_id="hall_a"))
    put("a_b")
    put("b", scene_id="hall_a")
    report = take()
    assert report.refused == 2
    assert found(report, "error") == {"stem-collision"}


def test_rgb_alone_is_a_view_without_depth(put, take, workspace):
    put(less=("depth.png", "depth_aligned.png", "calib.json", "frame.json"))
    assert found(take()) == set()
    (view,) = workspace.views()
    assert (view.depth, view.depth_aligned, view.depth_kind, view.intrinsics) == (None,) * 4


def test_normalised_depth_keeps_its_scope(put, take, workspace):
    frame = ViewFrame(depth_kind="normalised", depth_scope="sequence").to_json()
    put(frame=frame, less=("depth.png",))
    take()
    (view,) = workspace.views()
    assert (view.depth_kind, view.depth_scope, view.depth_unit_m) == (
        "normalised",
        "sequence",
        None,
    )


@pytest.mark.parametrize(
    ("changes", "codes", "parts"),
    [
        ({"frame": b"{"}, {"frame-invalid", "depth-without-unit"}, (False, False, True)),
        ({"frame": b'{"depth_unit_m": 1}'}, {"frame-invalid", "depth-without-unit"}, None),
        ({"frame": ViewFrame().to_json()}, {"depth-without-unit"}, (False, False, True)),
        ({"less": ("frame.json",)}, {"depth-without-unit"}, (False, False, True)),
        ({"calib": b"[]"}, {"camera-invalid"}, (True, True, False)),
        ({"less": ("calib.json",)}, {"camera-missing"}, (True, True, False)),
        (
            {"calib": Calibration(color=DEPTH_CAMERA).to_json()},
            {"camera-size"},
            (True, True, False),
        ),
        ({"depth": png(61, 40, 9, depth=True)}, {"depth-size"}, (False, True, True)),
        ({"depth": png(60, 40, 9)}, {"depth-format"}, (False, True, True)),
        ({"depth_aligned": png(60, 40, 9, depth=True)}, {"depth-size"}, (True, False, True)),
        ({"depth_aligned": b"none"}, {"depth-unreadable"}, (True, False, True)),
    ],
)
def test_what_cannot_be_used_is_left_out_and_the_rest_goes_in(
    put, take, workspace, changes, codes, parts
):
    put(**changes)
    report = take()
    assert (report.imported, found(report)) == (1, codes)
    (view,) = workspace.views()
    got = tuple(part is not None for part in (view.depth, view.depth_aligned, view.intrinsics))
    assert got == (parts or (False, False, True))


def test_a_view_that_is_not_committed_is_left_out_with_the_reason(session, put, take, workspace):
    put("good")
    (put("sumless") / "SHA256SUMS").unlink()
    (put("changed") / "color.png").write_bytes(png(100, 100, 1))
    (put("gone") / "depth.png").unlink()
    (put("blind") / "color.png").unlink()
    torn = put("torn") / "SHA256SUMS"
    torn.write_bytes(torn.read_bytes()[:-9])
    shutil.copytree(session.view_folder("hall", "good"), session.root / "scenes/hall/views/.tmp-x")
    report = take()
    assert (report.imported, report.refused) == (1, 5)
    errors = {item.path.split("/")[-2]: item for item in report.findings}
    words = {
        "sumless": "SHA256SUMS: is missing",
        "changed": "color.png: is not what was written",
        "gone": "depth.png: is missing",
        "blind": "color.png: is missing",
        "torn": "SHA256SUMS: expected whole lines",
    }
    for name, text in words.items():
        assert errors[name].code == "view-not-committed"
        assert text in errors[name].message
    assert [view.image_id for view in workspace.views()] == ["hall_good"]


@pytest.mark.parametrize("raw", [None, b"{", b'{"scene_id": "bath"}', b'{"scene_id": "../x"}'])
def test_a_scene_without_its_record_refuses_its_views(session, put, take, workspace, raw):
    put()
    path = session.root / "scenes" / "hall" / "scene.json"
    path.unlink() if raw is None else path.write_bytes(raw)
    report = take()
    assert (report.refused, found(report, "error")) == (1, {"scene-invalid"})
    assert list(workspace.views()) == []


def test_a_check_finds_what_an_import_finds(put, session, take):
    put("v1", frame=b"{")
    (put("v2") / "SHA256SUMS").unlink()
    put("v3")
    checks = list(check_paths([session.root]))
    assert [check.status for check in checks] == ["findings", "unusable", "ok"]
    assert {item for check in checks for item in check.findings} == set(take().findings)


def test_a_part_of_a_session_can_be_taken(put, session, take, workspace, monkeypatch):
    folder = put("v1")
    put("v2")
    assert take(folder / "color.json").imported == 1
    monkeypatch.chdir(folder)
    (check,) = check_paths([folder.relative_to(folder) / "color.json"])
    assert check.status == "ok"
    assert take(session.root / "scenes" / "hall").files == 2
    assert sorted(view.image_id for view in workspace.views()) == ["hall_v1", "hall_v2"]


@pytest.fixture
def drawn(tmp_path, document, shape, write_json):
    """Writes an annotation in a folder of its own."""

    def write(name, image_path, folder=None):
        shapes = [shape(), shape("surface", (70, 70, 90, 90), 9)]
        path = (folder or tmp_path / "drawn") / name
        return write_json(path, document(*shapes, imagePath=image_path))

    return write


@pytest.mark.parametrize(
    ("name", "image_path"),
    [
        ("hall_v1.json", "hall_v1.png"),
        ("hall_v1.json", None),
        ("hall_v1.json", ""),
        ("HALL_V1.json", "color.png"),
        ("hall_v1.json", "color.png"),
        ("x.json", "hall_v1.jpg"),
        ("x.json", "../run/scenes/hall/views/v1/color.png"),
        ("x.json", "C:\\data\\run\\scenes\\hall\\views\\v1\\color.png"),
        ("x.json", "/elsewhere/run/scenes/hall/views/v1/color.png"),
        ("scenes/hall/views/v1/color.json", "color.png"),
        ("scenes/hall/views/v1/color.json", None),
    ],
)
def test_annotations_elsewhere_name_their_view(
    session, put, take, drawn, tmp_path, workspace, name, image_path
):
    put("v1", drawn=False)
    put("v2", drawn=False)
    drawn(name, image_path)
    report = take(tmp_path / "drawn", scenes=session.root)
    assert (report.imported, found(report)) == (1, set())
    (view,) = workspace.views()
    assert view.image_id == "hall_v1"


@pytest.mark.parametrize(
    ("name", "image_path"),
    [
        ("x.json", "color.png"),
        ("x.json", "../run/scenes/hall/views/v9/color.png"),
        ("x.json", "../run/scenes/hall/views/../../../../color.png"),
        ("x.json", "views"),
        ("x.json", "a/views/\0/b"),
        ("x.json", f"hall/views/{'v' * 3000}/color.png"),
        ("x.json", "////"),
        ("x.json", "a/views/../views/.tmp-x/color.png"),
    ],
)
def test_annotations_that_name_no_view_are_named(
    session, put, take, drawn, tmp_path, name, image_path
):
    put("v1", drawn=False)
    drawn(name, image_path)
    report = take(tmp_path / "drawn", scenes=session.root)
    assert (report.refused, found(report, "error")) == (1, {"picture-missing"})
    (check,) = check_paths([tmp_path / "drawn"], scenes=session.root)
    assert found(check, "warning") == {"picture-missing"}


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.text() | st.from_regex(r"([a-z./\\]*/)?(hall|\.\.)/views/[v1./]*/.{0,3}"))
def test_whatever_is_named_a_view_is_one_of_the_session(session, put, text):
    if not session.views("hall"):
        put("v1", drawn=False)
    place = SessionIndex(session).find(session.root / "drawn" / "x.json", text)
    assert place in (None, ("hall", "v1"))


def test_a_name_that_several_views_have_is_refused(session, put, take, drawn, tmp_path):
    session.write_scene(Scene(scene_id="hall_a"))
    put("a_b", drawn=False)
    put("b", scene_id="hall_a", drawn=False)
    drawn("hall_a_b.json", None)
    report = take(tmp_path / "drawn", scenes=session.root)
    assert found(report, "error") == {"stem-collision"}
    assert "hall/a_b, hall_a/b" in report.findings[0].message


def test_a_view_that_is_captured_again_gains_what_is_new(put, take, workspace, session):
    put("v1", less=("depth.png", "frame.json", "depth_aligned.png", "calib.json"))
    take()
    files = files_of(sum(map(ord, "hallv1")) % 200)
    session.commit_view("hall", "v1", files, replace=True)
    report = take()
    assert report.view_changes == {
        "camera added": 1,
        "depth added": 1,
        "frame times added": 1,
        "measures added": 1,
        "raw depth added": 1,
    }
    (view,) = workspace.views()
    assert view.depth_unit_m == 0.00025
    for ref in (view.color, view.depth, view.depth_aligned):
        assert workspace.read_picture(view, ref)
    session.commit_view(
        "hall", "v1", {**files, "depth.png": png(60, 40, 7, depth=True)}, replace=True
    )
    report = take()
    assert found(report, "error") == {"depth-differs"}


def test_other_json_in_a_view_is_read_as_an_annotation(put, take):
    folder = put()
    (folder / "extra.json").write_text("{}")
    report = take()
    assert (report.imported, report.refused) == (1, 1)
    assert found(report, "error") == {"format-unknown"}
    shutil.copy(folder / "color.json", folder / "extra.json")
    report = take()
    assert (report.refused, found(report, "error")) == (2, {"picture-annotated-twice"})


def test_a_session_without_annotations_is_one_line(session, put, take):
    put(drawn=False)
    with pytest.raises(AnnotationFormatError, match="expected annotation files"):
        take()


def test_a_session_below_a_folder_is_not_looked_into(put, session, take, tmp_path):
    put()
    with pytest.raises(AnnotationFormatError, match=r"not looked into: run \(a session\)"):
        take(tmp_path)


def test_a_damaged_session_record_is_one_line(put, session, take):
    put()
    (session.root / "capture.json").write_bytes(orjson.dumps({"session_id": 1}))
    with pytest.raises(RecordError, match=r"capture\.json: session_id"):
        take()


def test_a_camera_or_a_folder_of_pictures_beside_a_session_is_refused(
    put, take, tmp_path, write_json
):
    put()
    camera = write_json(tmp_path / "camera.json", {})
    with pytest.raises(SceneSourceError, match="leave out --intrinsics"):
        take(intrinsics=camera)
    (tmp_path / "pictures").mkdir()
    with pytest.raises(SceneSourceError, match="leave out --scenes"):
        take(scenes=tmp_path / "pictures")
    with pytest.raises(MiraError, match="leave out --scenes"):
        list(check_paths([tmp_path / "run"], scenes=tmp_path / "pictures"))


def test_a_plain_folder_does_not_take_away_what_a_session_said(
    put, take, workspace, tmp_path, drawn, write_json
):
    frame = ViewFrame(depth_kind="normalised", depth_scope="sequence").to_json()
    folder = put(frame=frame)
    take()
    before = tree(workspace.root / "scenes")
    plain = tmp_path / "drawn"
    drawn("hall_v1.json", "hall_v1.png")
    shutil.copy(folder / "color.png", plain / "hall_v1.png")
    shutil.copy(folder / "depth_aligned.png", plain / "hall_v1_depth.png")
    camera = {**COLOR_CAMERA.model_dump(), "depth_kind": "normalised"}
    write_json(plain / "hall_v1_intrinsics.json", camera)
    assert take(plain).views_updated == 0
    assert tree(workspace.root / "scenes") == before


def test_settings_of_annotation_programs_in_a_session_are_passed_over(put, take, write_json):
    folder = put()
    write_json(folder / "attributes.json", {})
    report = take()
    assert (report.files, found(report)) == (1, set())
