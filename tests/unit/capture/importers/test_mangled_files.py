"""Whatever stands in a file, an import ends with a report or one of our errors."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capture.importers.importing import ImportReport, import_data_set
from capture.importers.pictures import decode_color, decode_depth, read_picture
from capture.importers.policy import ImportPolicy
from capture.importers.settings import ImportSettings
from capture.importers.source_tree import SourceTree
from mira.errors import MiraError, SceneSourceError
from mira.store.session import Session

mangling = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
POLICY = ImportPolicy()


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A small tree of every layout."""
    root = tmp_path_factory.mktemp("sources")
    rng = np.random.default_rng(0)
    color = cv2.imencode(".jpg", rng.integers(0, 256, (16, 24, 3), dtype=np.uint8))[1].tobytes()
    depth = cv2.imencode(".png", rng.integers(0, 9999, (16, 24)).astype(np.uint16))[1].tobytes()
    mask = cv2.imencode(".png", np.eye(16, 24, dtype=np.uint8) * 255)[1].tobytes()
    camera = orjson.dumps({"width": 24, "height": 16, "fx": 9, "fy": 9, "cx": 11, "cy": 7})
    files = {
        "rgbd-mirror/image/1.jpg": color,
        "rgbd-mirror/depth_normalized/1.png": depth,
        "rgbd-mirror/mask_single/1.png": mask,
        "mirror3d/color_1.jpg": color,
        "mirror3d/sensor_depth_1.png": depth,
        "mirror3d/mirror_mask_1.png": mask,
        "folder/a_color.jpg": color,
        "folder/a_depth.png": depth,
        "folder/a_mask.png": mask,
        "folder/intrinsics.json": camera,
    }
    for k in (1, 2, 3):
        files |= {
            f"dvmd/JPEGImages/v/{k}.jpg": color,
            f"dvmd/Depth_Norm_Per_Sequence/v/{k}.png": depth,
            f"dvmd/Annotations/v/{k}.png": mask,
            f"tum/rgb/{k}.jpg": color,
            f"tum/depth/{k}.png": depth,
            f"open3d/color/{k}.jpg": color,
            f"open3d/depth/{k}.png": depth,
        }
    lists = {name: f"1 {name}/1.{end}\n1.1 {name}/2.{end}\n1.2 {name}/3.{end}\n" for name, end in
             (("rgb", "jpg"), ("depth", "png"))}  # fmt: skip
    files |= {f"tum/{name}.txt": text.encode() for name, text in lists.items()}
    files["open3d/intrinsic.json"] = camera
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def mangled(data, raw: bytes) -> bytes:
    changed = bytearray(raw)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(changed)))
        end = start + data.draw(st.integers(0, 6))
        changed[start:end] = data.draw(st.binary(max_size=6))
    if data.draw(st.booleans()):
        del changed[data.draw(st.integers(0, len(changed))) :]
    return bytes(changed)


@mangling
@given(data=st.data())
def test_any_bytes_in_any_file_end_in_a_report_or_one_of_our_errors(sources, tmp_path, data):
    layout = data.draw(st.sampled_from(sorted(path.name for path in sources.iterdir())))
    names = sorted(
        path.relative_to(sources / layout)
        for path in (sources / layout).rglob("*")
        if path.is_file()
    )
    chosen = ImportSettings(layout=layout, keyframes=data.draw(st.sampled_from([None, 0])))
    bad = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    changes = {name: mangled(data, (sources / layout / name).read_bytes()) for name in bad}
    with TemporaryDirectory(dir=tmp_path) as folder:
        source = shutil.copytree(sources / layout, Path(folder) / "source")
        for name, content in changes.items():
            (source / name).write_bytes(content)
        session = Path(folder) / "session"
        try:
            report = import_data_set(source, session, settings=chosen)
        except MiraError:
            return
        check_session(report, Session.open(session))


def check_session(report: ImportReport, session: Session) -> None:
    orjson.dumps([fault._asdict() for fault in report.left_out])
    views = [(scene, view) for scene in session.scenes() for view in session.views(scene)]
    assert len(views) == report.imported
    for scene, view in views:
        assert session.verify_view(scene, view) == ()
        session.read_frame(scene, view)


@mangling
@given(data=st.data(), ending=st.sampled_from([".png", ".jpg", ".depth"]))
def test_a_mangled_picture_is_decoded_whole_or_refused(tmp_path, data, ending):
    pixels = np.arange(20 * 30 * 3, dtype=np.uint32).reshape(20, 30, 3)
    if ending == ".depth":
        raw = cv2.imencode(".png", (pixels[..., 0] * 30).astype(np.uint16))[1].tobytes()
    else:
        raw = cv2.imencode(ending, pixels.astype(np.uint8))[1].tobytes()
    (tmp_path / "a.png").write_bytes(mangled(data, raw))
    tree = SourceTree(tmp_path, policy=POLICY)
    try:
        picture = read_picture(tree, "a.png", limit_px=10**6)
        if ending == ".depth":
            assert decode_depth(picture).dtype == np.uint16
        else:
            assert decode_color(picture).dtype == np.uint8
    except SceneSourceError:
        pass


@given(cut=st.integers(0, 400))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_png_that_is_cut_off_is_never_taken_for_black(tmp_path, cut):
    pixels = np.full((20, 30), 40_000, dtype=np.uint16)
    raw = cv2.imencode(".png", pixels)[1].tobytes()
    (tmp_path / "a.png").write_bytes(raw[: min(cut, len(raw) - 1)])
    tree = SourceTree(tmp_path, policy=POLICY)
    with pytest.raises(SceneSourceError):
        read_picture(tree, "a.png", limit_px=10**6)


@pytest.mark.parametrize(
    ("pixels", "ending"),
    [
        (np.zeros((4, 4, 3), np.uint16), ".png"),
        (np.zeros((4, 4), np.uint16), ".png"),
    ],
)
def test_colours_of_16_bits_are_refused(tmp_path, pixels, ending):
    cv2.imwrite(str(tmp_path / f"a{ending}"), pixels)
    tree = SourceTree(tmp_path, policy=POLICY)
    with pytest.raises(SceneSourceError, match="8 bits a channel"):
        decode_color(read_picture(tree, f"a{ending}", limit_px=100))
