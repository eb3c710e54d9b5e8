"""What we write opens in the real annotation programs, and comes back from them unchanged.

They are installed by `scripts/annotation_programs`, in environments of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from annotate.findings import FindingLog, UnusableFileError
from annotate.importing import import_annotations
from annotate.reading.document import parse_document
from annotate.writing.exporting import export_annotations
from annotate.writing.setup.files import write_setup
from mira.schema.annotation import ImageAnnotation, Ring
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.workspace import Workspace

pytestmark = pytest.mark.slow
Json = dict[str, Any]
Run = Callable[..., str]

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"
PROGRAMS = Path(
    os.environ.get("MIRA_ANNOTATION_PROGRAMS") or ROOT / ".cache" / "annotation-programs"
)
SHAPES_OF_LABELME = {"polygon", "circle"}
"""Kinds that both programs have in the same form."""

_XANYLABELING = """
import sys
from anylabeling.views.labeling import utils
from anylabeling.views.labeling.label_file import LabelFile
for path in sys.argv[1:]:
    opened = LabelFile(path)
    width, height = utils.get_pil_img_dim(opened.image_data)
    LabelFile().save(
        filename=path, shapes=[shape.to_dict() for shape in opened.shapes],
        image_path=opened.image_path, image_height=height, image_width=width,
        other_data=opened.other_data, flags=opened.flags,
    )
    print(path)
"""
_LABELME = """
import json, sys
from labelme._label_file import read_label_file, write_label_file
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as stream:
        size = json.load(stream)
    write_label_file(
        filename=path, annotation=read_label_file(filename=path), save_image_data=False,
        image_height=size["imageHeight"], image_width=size["imageWidth"],
    )
    print(path)
"""
_SETTINGS = """
import json, sys
from anylabeling.config import get_config, set_work_directory
from anylabeling.views.labeling.utils.upload import validate_shape_attributes_config
folder, work = sys.argv[1:]
set_work_directory(work)
config = get_config(folder + "/xanylabelingrc.yaml")
with open(folder + "/attributes.json", encoding="utf-8") as stream:
    attributes, widgets = validate_shape_attributes_config(json.load(stream))
print(json.dumps({"config": config, "attributes": attributes, "widgets": widgets}))
"""


def _runner(program: str, home: Path) -> Run:
    python = PROGRAMS / program / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{program} is not installed: run scripts/annotation_programs")
    environment = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONUTF8": "1",
    }

    def run(code: str, *words: object) -> str:
        done = subprocess.run(
            [python, "-I", "-c", code, *map(str, words)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run


@pytest.fixture
def xanylabeling(tmp_path: Path) -> Run:
    return _runner("x-anylabeling", tmp_path)


@pytest.fixture
def labelme(tmp_path: Path) -> Run:
    return _runner("labelme", tmp_path)


def _shape(label: str, group_id: int | None, points: Any, **more: Any) -> Json:
    return {"label": label, "group_id": group_id, "points": points, **more}


def _box(x: float, y: float, side: float = 12) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


def _link(of: str, mirror: str, counterpart: str = "unset") -> Json:
    return {"reflection_of": of, "in_mirror": mirror, "counterpart": counterpart}


def _drawing(*more: Json) -> Json:
    """Parts, holes, a chain, odd words and keys of others."""
    surface = {"attributes": {"surface_type": "convex_mirror", "dust": "some"}}
    return {
        "version": "4.2.1",
        "flags": {"day": True},
        "checked": "failed",
        "description": "«Fenster» 窓",
        "reviewer": {"name": "Zoë"},
        "shapes": [
            _shape("surface", 100, _box(0, 0, 60), description="round", locked=True, **surface),
            _shape("hole", 100, _box(40, 40, 8), description="bottle before it"),
            _shape("surface", 101, _box(70.25, 0.125, 50)),
            _shape("cup", 1, _box(10.1, 70.7), description="weiße Tasse 杯子"),
            _shape("cup", 1, _box(30, 70), score=0.25, difficult=True, flags={"x": True}),
            _shape("cup_reflection", 2, _box(5, 5), attributes=_link("1", "100", "in_frame")),
            _shape("cup_reflection", 3, _box(75, 5), attributes=_link("2", "101")),
            _shape("杯子_reflection", 4, _box(5, 30), attributes=_link("", "100", "out_of_frame")),
            _shape("object_reflection", 5, _box(80, 25), colour="red"),
            _shape("object", 6, [[60, 80], [70, 80]], shape_type="circle"),
            _shape("ignore", None, _box(130, 90, 20)),
            *more,
        ],
        "imagePath": "drawing.png",
        "imageData": None,
        "imageHeight": 120,
        "imageWidth": 160,
    }


_KINDS = (
    _shape("object", 7, [[80, 80], [100, 95]], shape_type="rectangle"),
    _shape(
        "object",
        8,
        [[110, 70], [120, 80], [110, 90], [100, 80]],
        shape_type="rotation",
        direction=0.78,
    ),
    _shape("object", 9, [[10, 90], [30, 92], [25, 110], [8, 100]], shape_type="quadrilateral"),
)


def _workspace(folder: Path, *sources: Path) -> Workspace:
    workspace = Workspace.create(folder)
    for source in sources:
        import_annotations(source, workspace, scenes=None, annotator="ann")
    return workspace


def _drawn(folder: Path, *more: Json) -> Path:
    folder.mkdir()
    cv2.imwrite(str(folder / "drawing.png"), np.full((120, 160, 3), 90, np.uint8))
    (folder / "drawing.json").write_bytes(orjson.dumps(_drawing(*more)))
    return folder


def _started_at_least(ring: Ring) -> Ring:
    """A ring from its first corner on and clockwise: a program may save a box another way."""
    start = ring.index(min(ring))
    turned = (*ring[start:], *ring[:start])
    back = (turned[0], *turned[:0:-1])
    return min(turned, back)


def _content(annotation: ImageAnnotation | None) -> Json:
    assert annotation is not None
    content = annotation.model_dump(exclude={"source", "revision", "lost_reflections"})
    for owner in (*content["surfaces"], *content["instances"]):
        for key in ("polygons_px", "holes_px"):
            owner[key] = tuple(map(_started_at_least, owner[key]))
    return content


def _assert_comes_back(workspace: Workspace, folder: Path, run: Run, code: str) -> int:
    """Export, save every file in the program, import: the same annotations as before."""
    export_annotations(workspace, folder / "out", form="xanylabeling")
    files = sorted((folder / "out" / "ann").glob("*.json"))
    if code is _LABELME:
        files = [path for path in files if _kinds(path) <= SHAPES_OF_LABELME]
    saved = run(code, *files)
    assert [line for line in saved.splitlines() if line in map(str, files)] == list(map(str, files))
    other = _workspace(folder / "other", folder / "out" / "ann")
    for path in files:
        before, after = (held.annotation(path.stem, "ann") for held in (workspace, other))
        assert _content(after) == _content(before), path.name
        assert before is not None
        assert after is not None
        for key in before.source.extra.keys() - {"imagePath", "imageData", "flags"}:
            assert after.source.extra[key] == before.source.extra[key]
        assert _others(before) <= _others(after)
    return len(files)


def _kinds(path: Path) -> set[str]:
    return {shape["shape_type"] for shape in orjson.loads(path.read_bytes())["shapes"]}


def _others(annotation: ImageAnnotation) -> set[tuple[Any, ...]]:
    """Keys that neither program knows, and ours that both keep, by owner."""
    dropped = {"locked", "flags", "attributes", "group_id", "description", "points", "label"}
    dropped |= {"text", "mask", "kie_linking", "shape_type"}
    return {
        (extra.owner_id, key, orjson.dumps(value))
        for extra in annotation.source.shape_extras
        for key, value in extra.keys.items()
        if key not in dropped
    }


def test_xanylabeling_gives_a_drawing_back(tmp_path: Path, xanylabeling: Run) -> None:
    workspace = _workspace(tmp_path / "w", _drawn(tmp_path / "drawn", *_KINDS))

    assert _assert_comes_back(workspace, tmp_path, xanylabeling, _XANYLABELING) == 1


def test_labelme_gives_a_drawing_back(tmp_path: Path, labelme: Run) -> None:
    workspace = _workspace(tmp_path / "w", _drawn(tmp_path / "drawn"))

    assert _assert_comes_back(workspace, tmp_path, labelme, _LABELME) == 1


@pytest.mark.parametrize("program", ["xanylabeling", "labelme"])
def test_simulated_rooms_come_back(
    tmp_path: Path, request: pytest.FixtureRequest, program: str
) -> None:
    run: Run = request.getfixturevalue(program)
    workspace = _workspace(tmp_path / "w", packaged_scenes_dir())
    code = _XANYLABELING if program == "xanylabeling" else _LABELME

    assert _assert_comes_back(workspace, tmp_path, run, code) == 4


def _shared(folder: str) -> Path:
    if not (SHARED / folder).is_dir():
        pytest.skip("the shared files are not on this machine")
    return SHARED / folder


@pytest.mark.parametrize("program", ["xanylabeling", "labelme"])
def test_real_pictures_come_back(
    tmp_path: Path, request: pytest.FixtureRequest, program: str
) -> None:
    run: Run = request.getfixturevalue(program)
    source = _shared("mirror_rgbd")
    workspace = Workspace.create(tmp_path / "w")
    import_annotations(
        source / "annotations_a", workspace, scenes=source / "images", annotator="ann"
    )
    code = _XANYLABELING if program == "xanylabeling" else _LABELME

    assert _assert_comes_back(workspace, tmp_path, run, code) >= 1


@pytest.mark.parametrize("program", ["xanylabeling", "labelme"])
def test_what_is_left_of_faulty_files_comes_back(
    tmp_path: Path, request: pytest.FixtureRequest, program: str
) -> None:
    run: Run = request.getfixturevalue(program)
    source = _shared("annotation/nasty")
    (tmp_path / "drawn").mkdir()
    for path in source.glob("*.json"):
        try:
            data = parse_document(path.read_bytes(), FindingLog(path)).data
        except UnusableFileError:
            continue
        # Each gets a picture of its own, as most are of one.
        copy = tmp_path / "drawn" / path.name
        copy.write_bytes(orjson.dumps({**data, "imagePath": f"{path.stem}.png"}))
        shutil.copyfile(source / "a.png", copy.with_suffix(".png"))
    workspace = _workspace(tmp_path / "w", tmp_path / "drawn")
    code = _XANYLABELING if program == "xanylabeling" else _LABELME

    assert _assert_comes_back(workspace, tmp_path, run, code) > 15


def test_xanylabeling_takes_our_settings(tmp_path: Path, xanylabeling: Run) -> None:
    made = write_setup(tmp_path / "setup", categories=["cup", "杯子"])

    taken = xanylabeling(_SETTINGS, tmp_path / "setup", tmp_path)

    read = orjson.loads(taken.splitlines()[-1])
    assert "unexpected key" not in taken
    assert read["config"]["labels"] == list(made.labels)
    assert read["config"]["exif_scan_enabled"] is False
    assert read["widgets"]["杯子_reflection"]["reflection_of"] == "group_id"
    assert set(read["attributes"]) == {"surface", "object_reflection"} | {
        "cup_reflection",
        "杯子_reflection",
    }
