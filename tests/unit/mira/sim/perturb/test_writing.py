from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from annotate.importing import import_annotations
from mira.cli.app import app
from mira.errors import MiraError
from mira.schema.capture import Calibration, CameraIntrinsics, Scene
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.records import FilePerturbation
from mira.sim.perturb.writing import LOG_NAME, write_perturbed
from mira.store.session import Session
from mira.store.workspace import Workspace

Json = dict[str, Any]
NOISE = AnnotatorNoise(
    vertex_px=2,
    miss_share=0.2,
    extra_share=0.2,
    wrong_link_share=0.3,
    dropped_link_share=0.3,
    wrong_visibility_share=0.1,
    wrong_surface_type_share=0.5,
    forgotten_hole_share=0.5,
)


def write(source: Path, out: Path, **options: Any) -> Any:
    given = {"noise": NOISE, "seed": 0, "annotator": "simulated", **options}
    return write_perturbed(source, out, **given)


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def tree(tmp_path: Path, document: Json) -> Path:
    root = tmp_path / "source"
    for name in ("a.json", "b.json", "deep/er/a.json"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document), "utf-8")
    (root / "a_intrinsics.json").write_text("{}", "utf-8")
    (root / "scene.json").write_text("{}", "utf-8")
    (root / "a.png").write_bytes(b"picture")
    return root


def picture() -> bytes:
    return bytes(cv2.imencode(".png", np.zeros((400, 640, 3), np.uint8))[1])


@pytest.fixture
def session(tmp_path: Path, document: Json) -> Session:
    provenance = Provenance(tool="test", tool_version="1")
    made = Session.create(
        tmp_path / "session",
        CaptureSession(session_id="s", source="simulated", provenance=provenance),
        durable=False,
    )
    camera = CameraIntrinsics(
        width_px=640, height_px=400, fx_px=500, fy_px=500, cx_px=319.5, cy_px=199.5
    )
    for scene in ("one", "two"):
        made.write_scene(Scene(scene_id=scene, consent="not_needed"))
        for view in ("v0", "v1"):
            files = {"color.png": picture(), "calib.json": Calibration(color=camera).to_json()}
            made.commit_view(scene, view, files)
            path = made.view_folder(scene, view) / "color.json"
            path.write_text(json.dumps(document), "utf-8")
    truth = made.root / "truth" / "one"
    truth.mkdir(parents=True)
    (truth / "v0.json").write_text("{}", "utf-8")
    return made


def test_the_tree_is_mirrored_with_annotations_alone(tree: Path, tmp_path: Path) -> None:
    report = write(tree, tmp_path / "out")
    assert set(content(tmp_path / "out")) == {"a.json", "b.json", "deep/er/a.json", LOG_NAME}
    lines = (tmp_path / "out" / LOG_NAME).read_bytes().splitlines()
    logged = [FilePerturbation.from_json(line, where="log") for line in lines]
    assert [one.path for one in logged] == ["a.json", "b.json", "deep/er/a.json"]
    assert report.files == 3
    assert report.instances == 24
    assert report.changes["moved"] > 10


def test_errors_depend_on_seed_name_and_path_and_on_no_other_file(
    tree: Path, tmp_path: Path
) -> None:
    write(tree, tmp_path / "all")
    (tree / "a.json").unlink()
    write(tree, tmp_path / "fewer")
    write(tree, tmp_path / "other", annotator="other")
    write(tree, tmp_path / "seed", seed=1)
    alone = content(tmp_path / "fewer")
    everything = content(tmp_path / "all")
    assert alone["b.json"] == everything["b.json"]
    assert alone["deep/er/a.json"] == everything["deep/er/a.json"]
    texts = [
        everything["a.json"],
        everything["b.json"],
        everything["deep/er/a.json"],
        content(tmp_path / "other")["b.json"],
        content(tmp_path / "seed")["b.json"],
    ]
    assert len(set(texts)) == len(texts)


def test_the_import_reads_a_perturbed_session(session: Session, tmp_path: Path) -> None:
    report = write(session.root, tmp_path / "out")
    assert report.files == 4
    workspace = Workspace.create(tmp_path / "workspace")
    imported = import_annotations(
        tmp_path / "out", workspace, scenes=session.root, annotator="simulated"
    )
    assert imported.imported == 4
    assert [found for found in imported.findings if found.severity == "error"] == []
    lines = (tmp_path / "out" / LOG_NAME).read_bytes().splitlines()
    for line in lines:
        logged = FilePerturbation.from_json(line, where="log")
        scene, view = logged.path.split("/")[1::2][:2]
        annotation = workspace.annotation(f"{scene}_{view}", "simulated")
        ids = {one.instance_id for one in annotation.instances}
        expected = {r.output_id for r in logged.instances if r.role != "surface"} - {None}
        assert ids == expected
        links = {link.reflected_id: link.reflection_of_id for link in annotation.links}
        for record in logged.instances:
            if record.output_id in links:
                assert links[record.output_id] == record.link_after


def test_one_file_is_written_by_its_name(tree: Path, tmp_path: Path) -> None:
    write(tree / "deep" / "er" / "a.json", tmp_path / "out")
    assert set(content(tmp_path / "out")) == {"a.json", LOG_NAME}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "expected JSON"),
        (b'{"shapes": [', "expected JSON"),
        (b'{"shapes": 3}', "shapes: expected a list"),
        (b"[1]", "key 'shapes'"),
        (b'{"shapes": [NaN]}', "expected JSON"),
        (b"\xff\xfe\xff", "expected"),
        (b"[" * 100_000, "expected JSON"),
    ],
)
def test_a_bad_file_is_named_and_the_rest_is_written(
    tree: Path, tmp_path: Path, raw: bytes, said: str
) -> None:
    (tree / "b.json").write_bytes(raw)
    report = write(tree, tmp_path / "out")
    assert report.files == 2
    assert len(report.faults) == 1
    assert report.faults[0].startswith(str(tree / "b.json"))
    assert said in report.faults[0]
    with pytest.raises(MiraError, match="expected"):
        write(tree / "b.json", tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_files_in_other_encodings_are_read(tmp_path: Path, document: Json, encoding: str) -> None:
    document["shapes"][2]["description"] = "白色杯子"
    path = tmp_path / "in" / "a.json"
    path.parent.mkdir()
    path.write_bytes(json.dumps(document, ensure_ascii=False).encode(encoding))
    write(path, tmp_path / "out", noise=AnnotatorNoise(vertex_px=1))
    written = json.loads((tmp_path / "out" / "a.json").read_text("utf-8"))
    assert written["shapes"][2]["description"] == "白色杯子"


def test_numbers_beyond_64_bits_survive(tmp_path: Path, document: Json) -> None:
    document["big"] = 2**80
    (tmp_path / "a.json").write_text(json.dumps(document), "utf-8")
    write(tmp_path / "a.json", tmp_path / "out")
    assert json.loads((tmp_path / "out" / "a.json").read_text("utf-8"))["big"] == 2**80


@pytest.mark.parametrize("place", [".", "inner", ".."])
def test_the_source_is_never_written_to(tree: Path, place: str) -> None:
    before = content(tree)
    with pytest.raises(MiraError, match="expected"):
        write(tree, tree / place, overwrite=True)
    assert content(tree) == before


def test_an_output_is_replaced_on_demand_and_no_other_folder_ever(
    tree: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    write(tree, out)
    with pytest.raises(MiraError, match="--overwrite"):
        write(tree, out, seed=1)
    write(tree, out, seed=1, overwrite=True)
    (out / LOG_NAME).unlink()
    before = content(out)
    with pytest.raises(MiraError, match="without perturbation.jsonl"):
        write(tree, out, overwrite=True)
    assert content(out) == before


@pytest.mark.parametrize("make", ["missing", "empty"])
def test_nothing_to_perturb_is_one_line(tmp_path: Path, make: str) -> None:
    source = tmp_path / make
    if make == "empty":
        source.mkdir()
    result = CliRunner().invoke(
        app, ["sim", "perturb", str(source), "--out", str(tmp_path / "o"), "--miss", "1"]
    )
    assert isinstance(result.exception, MiraError)
    assert str(source) in str(result.exception)
    assert not (tmp_path / "o").exists()


def test_no_rate_at_all_is_wrong_use(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(MiraError, match="at least one kind of error"):
        write(tree, tmp_path / "out", noise=AnnotatorNoise())


def test_the_command_prints_one_document_and_says_where_the_output_is(
    tree: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    words = ["sim", "perturb", str(tree), "--out", str(out), "--vertex-px", "1"]
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["out"] == str(out)
    assert "--scenes" in done.stderr
    (tree / "bad.json").write_text("{", "utf-8")
    done = CliRunner().invoke(app, [*words, "--overwrite"])
    assert done.exit_code == 1
    assert str(out) in done.stdout
    assert "bad.json" in done.stderr


_WRITER = """
import sys
from pathlib import Path
from mira.sim.perturb.policy import AnnotatorNoise
from mira.sim.perturb.writing import write_perturbed
print("begun", flush=True)
while True:
    write_perturbed(Path(sys.argv[1]), Path(sys.argv[2]), noise=AnnotatorNoise(vertex_px=1),
                    seed=0, annotator="a", overwrite=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment_the_output_is_whole(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    noise = AnnotatorNoise(vertex_px=1)
    write(tree, out, noise=noise, annotator="a")
    before = content(out)
    for k in range(4):
        command = [sys.executable, "-c", _WRITER, str(tree), str(out)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "begun\n"
            time.sleep(0.011 * k)
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        assert content(out) == before
    write(tree, out, noise=noise, annotator="a", overwrite=True)
    assert not [path for path in tmp_path.iterdir() if ".partial-" in path.name]
