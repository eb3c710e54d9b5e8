"""A small workspace with questions, drawn here, and the release of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from mira.schema.annotation import (
    AnnotationSource,
    Correspondence,
    ImageAnnotation,
    Instance,
    Ring,
    Surface,
)
from mira.schema.capture import CameraIntrinsics, Scene, View
from mira.schema.qa import QAPolicy
from mira.schema.record import Provenance
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace
from qa_gen.generate import generate_questions

WIDTH, HEIGHT = 160, 120
MakeWorkspace = Callable[..., Workspace]
MadeOnce = Callable[[int, int], Path]


def _box(x: float, y: float, side: float = 18) -> Ring:
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def _pictures(folder: Path, seed: int) -> dict[str, Path]:
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    color, depth = folder / "color.png", folder / "depth.png"
    cv2.imwrite(str(color), rng.integers(0, 255, (HEIGHT, WIDTH, 3), dtype=np.uint8))
    cv2.imwrite(str(depth), rng.integers(0, 65535, (HEIGHT, WIDTH), dtype=np.uint16))
    return {"color.png": color, "depth.png": depth}


def _add_picture(workspace: Workspace, image_id: str, source: Path, *, seed: int) -> None:
    pictures = _pictures(source / image_id, seed)
    refs = {name: file_ref(path, relative_to=path.parent) for name, path in pictures.items()}
    workspace.put_scene(
        Scene(scene_id=image_id, licence="CC0-1.0", consent="not_needed", source="drawn")
    )
    view = View(
        scene_id=image_id,
        image_id=image_id,
        width_px=WIDTH,
        height_px=HEIGHT,
        color=refs["color.png"],
        depth_aligned=refs["depth.png"],
        depth_unit_m=0.001,
        depth_kind="metric",
        intrinsics=CameraIntrinsics(
            width_px=WIDTH, height_px=HEIGHT, fx_px=150, fy_px=150, cx_px=79.5, cy_px=59.5
        ),
        provenance=Provenance(tool="test", tool_version="1"),
    )
    workspace.put_view(view, pictures)
    places = {1: (5, 5), 2: (90, 5), 3: (5, 35), 4: (90, 35), 5: (5, 65), 6: (90, 65)}
    links = {2: 1, 4: 3, 6: None}
    workspace.put_annotation(
        ImageAnnotation(
            image_id=image_id,
            annotator="ann",
            revision=1,
            status="done",
            width_px=WIDTH,
            height_px=HEIGHT,
            surfaces=(
                Surface(
                    surface_id=100,
                    surface_type="planar_mirror",
                    polygons_px=(((80.0, 1.0), (158.0, 1.0), (158.0, 118.0), (80.0, 118.0)),),
                    holes_px=(_box(130, 90, 12),),
                ),
            ),
            instances=tuple(
                Instance(
                    instance_id=k,
                    visibility="reflected" if k in links else "direct",
                    seen_in=(100,) if k in links else (),
                    polygons_px=(_box(*place),),
                    description=f"thing {(k + 1) // 2}",
                )
                for k, place in places.items()
            ),
            links=tuple(
                Correspondence(
                    reflected_id=k,
                    real_id=real,
                    reflection_of_id=real,
                    counterpart="in_frame" if real else "out_of_frame",
                )
                for k, real in links.items()
            ),
            source=AnnotationSource(format="x-anylabeling", file=refs["color.png"]),
        )
    )


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Makes a workspace and its source pictures; what was asked for before lies there still."""
    root = tmp_path_factory.mktemp("made-once")

    def _made(pictures: int, seed: int) -> Path:
        folder = root / f"{pictures}-{seed}"
        if not folder.exists():
            workspace = Workspace.create(folder / "workspace")
            for k in range(pictures):
                _add_picture(workspace, f"pic_{k:03d}", folder / "source", seed=seed + k)
            generate_questions(workspace, policy=QAPolicy())
        return folder

    return _made


@pytest.fixture
def make_workspace(tmp_path: Path, made_once: MadeOnce) -> MakeWorkspace:
    """Make a workspace of so many pictures, with questions; it is the test's own copy."""

    def _make(name: str = "workspace", *, pictures: int = 2, seed: int = 0) -> Workspace:
        made = made_once(pictures, seed)
        shutil.copytree(made / "workspace", tmp_path / name, dirs_exist_ok=True)
        shutil.copytree(made / "source", tmp_path / f"source-{name}", dirs_exist_ok=True)
        return Workspace.open(tmp_path / name)

    return _make


@pytest.fixture(scope="session")
def released_once(made_once: MadeOnce) -> Path:
    """The release of two pictures, not to be written to."""
    pytest.importorskip("datasets", reason="needs the extra `export`")
    from export.build import build_release

    folder = made_once(2, 0)
    build_release(Workspace.open(folder / "workspace"), folder / "release")
    return folder / "release"


@pytest.fixture
def release(released_once: Path, make_workspace: MakeWorkspace, tmp_path: Path) -> Path:
    """The release of two pictures, beside its workspace; both are the test's own copies."""
    make_workspace()
    return Path(shutil.copytree(released_once, tmp_path / "release"))


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No network and a fresh cache, as on a machine that never saw the release."""
    datasets = pytest.importorskip("datasets", reason="needs the extra `export`")
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture
def write_table():
    """Write rows as a table of a release in one file a split, and tell what was written."""
    from export.shards import write_shard
    from mira.release.digest import TableDigest
    from mira.schema.export import ConfigInfo, SplitFiles

    def _write(root, table, rows_of):
        (root / table).mkdir(parents=True, exist_ok=True)
        digest, splits = TableDigest(), []
        for split, rows in rows_of.items():
            path = root / table / f"{split}.parquet"
            written = write_shard(path, table, rows)
            digest.add_digests(written.row_digests)
            files = (file_ref(path, relative_to=root),)
            splits.append(SplitFiles(split=split, rows=written.rows, files=files))
        return ConfigInfo(name=table, splits=tuple(splits), digest=digest.hexdigest())

    return _write


_PEOPLE_SAY = (
    {"template_id": "mr_001", "X": 2, "Y": 3, "answer": "left, aligned, front"},
    {"template_id": "mr_001", "X": 4, "Y": 1, "answer": "aligned, aligned, same_depth"},
    {"template_id": "mr_003", "X1": 2, "X2": 4, "answer": "right, below, behind"},
    {"template_id": "ct_001", "X": 1, "direction": "left", "answer": "2"},
    {"template_id": "ct_001", "X": 1, "direction": "right", "answer": "0"},
    {"template_id": "mpac_001", "Y": 1, "answer": "other_side_distinct", "text": "a red stripe"},
    {"template_id": "ac_001", "X": 1, "answer": "yes"},
    {"template_id": "ac_002", "X": 1, "answer": "move_left"},
    {"template_id": "ac_003", "X": 2, "answer": "turn_around"},
    {"template_id": "ac_004", "direction": "left", "answer": "no"},
)


@pytest.fixture(scope="session")
def full_release_once(made_once: MadeOnce, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of two pictures with questions of all fourteen templates, to be read alone."""
    pytest.importorskip("datasets", reason="needs the extra `export`")
    from export.build import build_release
    from qa_gen.answers.importing import import_answers

    folder = tmp_path_factory.mktemp("full-once")
    workspace = Workspace.open(shutil.copytree(made_once(2, 0) / "workspace", folder / "full"))
    said = [{"image_id": f"pic_{k:03d}", **one} for k in range(2) for one in _PEOPLE_SAY]
    path = folder / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, said)), "utf-8")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    import_answers(path, workspace, by="anna", now=now, bounds=QAPolicy())
    generate_questions(workspace, policy=QAPolicy())
    build_release(workspace, folder / "full-release")
    return folder / "full-release"


@pytest.fixture
def full_release(full_release_once: Path, tmp_path: Path) -> Path:
    """The same as a copy, which a test may change."""
    return Path(shutil.copytree(full_release_once, tmp_path / "full-release"))
