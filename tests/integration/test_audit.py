"""An audit of 250 images as a coordinator runs it: one bad annotator, one second failure."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest
from typer.testing import CliRunner, Result

from export.audited import audit_figures
from mira.cli.annotate_audit import app
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace

WIDTH, HEIGHT = 160, 120
GOOD_PX, BAD_PX = 0.4, 9.0
BAD = {("b002", "annotating"), ("b003", "annotating"), ("b003", "reannotating")}
"""Whose drawings are careless: the batch and the state in which they draw."""

pytestmark = pytest.mark.slow
Mira = Callable[..., Result]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr("os.fsync", lambda handle: None)
    made = Workspace.create(tmp_path / "workspace")
    for k in range(250):
        image_id = f"pic_{k:03d}"
        path = tmp_path / "color.png"
        cv2.imwrite(str(path), np.full((HEIGHT, WIDTH, 3), k, np.uint8))
        ref = file_ref(path, relative_to=tmp_path)
        view = View(
            scene_id=image_id,
            image_id=image_id,
            width_px=WIDTH,
            height_px=HEIGHT,
            color=FileRef(path="color.png", sha256=ref.sha256, size_bytes=ref.size_bytes),
            provenance=Provenance(tool="test", tool_version="1"),
        )
        made.put_scene(Scene(scene_id=image_id))
        made.put_view(view, {"color.png": path})
    return made


@pytest.fixture
def mira(workspace: Workspace) -> Mira:
    """Runs a verb of `mira annotate audit` on the workspace."""

    def run(*words: object, status: int = 0) -> Result:
        arguments = [str(word) for word in (*words, "--workspace", workspace.root)]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert result.exit_code == status, result.output
        return result

    return run


def draw(folder: Path, *, noise_px: float, seed: int) -> None:
    """A mirror, a thing and its reflection in every picture, each point off by some pixels."""
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    things: tuple[tuple[str, tuple[int, int], int, dict[str, Any]], ...] = (
        ("surface", (110, 60), 38, {"surface_type": "planar_mirror"}),
        ("object", (35, 60), 25, {}),
        ("object_reflection", (110, 60), 20, {"reflection_of": 2, "in_mirror": 1}),
    )
    for path in sorted((folder / "pictures").glob("*.png")):
        rng = np.random.default_rng([seed, *path.stem.encode()])
        shapes = [
            {
                "label": label,
                "points": (
                    np.asarray(centre) + radius * circle + rng.normal(0, noise_px, (8, 2))
                ).tolist(),
                "group_id": number,
                "shape_type": "polygon",
                "flags": {},
                "attributes": attributes,
            }
            for number, (label, centre, radius, attributes) in enumerate(things, start=1)
        ]
        document = {
            "version": "4.0.2",
            "flags": {},
            "shapes": shapes,
            "imagePath": path.name,
            "imageData": None,
            "imageHeight": HEIGHT,
            "imageWidth": WIDTH,
        }
        path.with_suffix(".json").write_bytes(orjson.dumps(document))


def test_the_batch_of_the_bad_annotator_is_drawn_anew_and_passes_a_second_failure_is_adjudicated(
    mira: Mira, workspace: Workspace, tmp_path: Path
) -> None:
    book = AuditBook(workspace)
    table = tmp_path / "who.csv"
    table.write_text("batch,annotator\nb002,eve\n", "utf-8")
    plan = ("plan", "--annotators", "anna,ben,chris,dora", "--assign", table, "--seed", 3)
    assert "3 new batches of 250 images" in mira(*plan).stdout
    assert "0 new batches of 0 images" in mira(*plan).stdout

    def take_turn(batch_id: str) -> None:
        now = book.batch(batch_id).now.step
        folder = tmp_path / f"{batch_id}-{now.state}"
        mira("package", batch_id, "--out", folder)
        noise_px = BAD_PX if (batch_id, now.state) in BAD else GOOD_PX
        draw(folder, noise_px=noise_px, seed=len(now.state) * 100 + ord(now.people[0][0]))
        mira("submit", batch_id, folder, "--by", now.people[0])

    sizes, verdicts = {}, {}
    for batch_id in ("b001", "b002", "b003"):
        take_turn(batch_id)
        sizes[batch_id] = len(book.batch(batch_id).now.step.sample)
        take_turn(batch_id)
        failed = batch_id != "b001"
        verdicts[batch_id] = mira("score", batch_id, status=int(failed)).stdout.split()[-1]
        mira("decide", batch_id)
    assert sizes == {"b001": 20, "b002": 20, "b003": 10}
    assert verdicts == {"b001": "passed", "b002": "failed", "b003": "failed"}
    assert book.batch("b001").state == "accepted"

    for batch_id, failed in (("b002", False), ("b003", True)):
        take_turn(batch_id)
        take_turn(batch_id)
        mira("score", batch_id, status=int(failed))
        mira("decide", batch_id)
        steps = [step for step in book.batch(batch_id).batch.steps if step.sample]
        assert not set(steps[0].sample) & set(steps[1].sample)
    assert book.batch("b002").state == "accepted"
    assert book.batch("b002").batch.annotator != "eve"
    assert book.batch("b003").state == "adjudicating"

    status = orjson.loads(mira("status", "--json").stdout)["batches"]
    assert [row["state"] for row in status] == ["accepted", "accepted", "adjudicating"]
    assert [len(row["scores"]) for row in status] == [1, 2, 2]
    assert "b003   adjudicating" in mira("status").stdout

    folder = tmp_path / "joint"
    mira("package", "b003", "--out", folder)
    draw(folder, noise_px=GOOD_PX, seed=5)
    mira("submit", "b003", folder, "--by", book.batch("b003").now.person)
    mira("decide", "b003", "--adjudicated")
    counting = book.counting_annotators()
    assert len(counting) == 250
    assert all(name in workspace.annotators(image_id) for image_id, name in counting.items())

    mira("report", "--csv", tmp_path / "tables")
    with (tmp_path / "tables" / "rows.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 * (20 + 20 + 20 + 10 + 10)
    of_bad = [float(r["mean_iou"]) for r in rows if r["annotator"] == "eve"]
    others = [float(r["mean_iou"]) for r in rows if r["batch_id"] == "b001"]
    assert max(of_bad) < 0.9 < min(others)
    assert of_bad == sorted(of_bad)
    report = orjson.loads(mira("report", "b002", "--json").stdout)
    assert [found["verdict"] for found in report["reports"]] == ["failed", "passed"]

    figures = audit_figures(workspace)
    assert (figures.batches, figures.accepted, figures.again) == (3, 3, 2)
    assert (figures.images, figures.sampled) == (250, 20 + 20 + 10)
    newest = [
        book.read_report("b001", round_=1),
        *(book.read_report(b, round_=2) for b in ("b002", "b003")),
    ]
    assert figures.mean_iou == pytest.approx(
        sum(one.mean_iou * len(one.sample) for one in newest) / figures.sampled
    )
    assert "visibility" in [name for name, _, _ in figures.agreements]
