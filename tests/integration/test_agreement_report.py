"""The page of an audit by the command line: a planted careless annotator is plain to see."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest
from typer.testing import CliRunner, Result

from annotate.agreement_report.records import AgreementReport
from mira.cli.annotate_audit import app
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace

WIDTH, HEIGHT, IMAGES = 160, 120, 18
CARELESS = "ben"
POLICY = {"batch_size": 6, "sample_fraction": 1.0}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Three batches, all drawn twice and scored; whatever ben draws is careless."""
    folder = tmp_path_factory.mktemp("audit")
    made = Workspace.create(folder / "workspace")
    for k in range(IMAGES):
        image_id = f"pic_{k:03d}"
        path = folder / "color.png"
        cv2.imwrite(str(path), np.full((HEIGHT, WIDTH, 3), 8 * k, np.uint8))
        ref = file_ref(path, relative_to=folder)
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
    (folder / "policy.json").write_bytes(orjson.dumps(POLICY))
    table = folder / "who.csv"
    table.write_text("batch,annotator,auditor\nb001,anna,chris\nb002,ben,anna\nb003,chris,ben\n")
    people = ("--annotators", "anna,ben,chris,dora", "--assign", table)
    mira(made, "plan", *people, "--policy", folder / "policy.json")
    book = AuditBook(made)
    for batch_id in ("b001", "b002", "b003"):
        for _ in range(2):
            person = book.batch(batch_id).now.person
            package = folder / f"{batch_id}-{person}"
            mira(made, "package", batch_id, "--out", package)
            draw(package, person)
            mira(made, "submit", batch_id, package, "--by", person)
        mira(made, "score", batch_id, status=int(batch_id != "b001"))
    return made


def mira(workspace: Workspace, *words: object, status: int = 0) -> Result:
    arguments = [str(word) for word in (*words, "--workspace", workspace.root)]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result


def draw(package: Path, person: str) -> None:
    """A mirror, a thing and its reflection; the careless forget things and link wrongly."""
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    careless = person == CARELESS
    link = {"counterpart": "out_of_frame"} if careless else {"reflection_of": 2}
    things: tuple[tuple[str, tuple[int, int], int, dict[str, Any]], ...] = (
        ("surface", (110, 60), 38, {"surface_type": "planar_mirror"}),
        ("object", (35, 40), 25, {}),
        ("object_reflection", (110, 60), 20, {**link, "in_mirror": 1}),
        *([] if careless else [("object", (35, 95), 15, {})]),
    )
    for path in sorted((package / "pictures").glob("*.png")):
        rng = np.random.default_rng([*person.encode(), *path.stem.encode()])
        shapes = [
            {
                "label": label,
                "points": (
                    np.asarray(centre)
                    + radius * circle
                    + rng.normal(0, 4 if careless else 0.4, (8, 2))
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


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_careless_annotator_is_plain_to_see_on_the_page_and_in_its_tables(
    workspace: Workspace, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    printed = mira(workspace, "report", "--out", out).stdout.splitlines()
    assert {str(path) for path in out.iterdir()} == set(printed[:7])
    assert printed[7].startswith("b001, round 1: mean IoU 0.9")
    report = AgreementReport.from_json((out / "report.json").read_bytes(), where=out)
    means = {pair.people: pair.mean.mean_iou for pair in report.pairs if pair.mean}
    assert means["anna", "chris"] > 0.9
    assert max(means["anna", "ben"], means["ben", "chris"]) < 0.7
    low = {
        person.person
        for person in report.people
        if all(step.mean_iou is not None and step.mean_iou < 0.7 for step in person.rounds)
    }
    assert low == {CARELESS}

    shapes = read_table(out / "shapes.csv")
    alone = Counter(row["annotator"] for row in shapes if row["matched"] == "0")
    assert alone == {"ben": 6, "chris": 6}
    links = read_table(out / "links.csv")
    assert {row["round"]: row["agrees"] for row in links} == {
        "b001, round 1": "1",
        "b002, round 1": "0",
        "b003, round 1": "0",
    }
    rows = read_table(out / "rows.csv")
    assert sum(int(row["n_matched"]) for row in rows) == len(shapes) - 12

    text = (out / "report.html").read_text("utf-8")
    assert "ben: out of frame, anna: shows 2" in text
    assert "only anna drew it" in text
    assert len(text) < 8e6


def test_a_report_of_one_batch_is_of_it_alone_and_says_where_its_page_is(
    workspace: Workspace, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    said = orjson.loads(mira(workspace, "report", "b002", "--out", out, "--json").stdout)
    assert said["report"] == str(out / "report.html")
    assert [found["batch_id"] for found in said["reports"]] == ["b002"]
    assert {row["round"] for row in read_table(out / "shapes.csv")} == {"b002, round 1"}


def test_without_out_only_what_was_asked_for_is_written(
    workspace: Workspace, tmp_path: Path
) -> None:
    mira(workspace, "report", "--csv", tmp_path / "tables")
    names = {path.name for path in (tmp_path / "tables").iterdir()}
    assert names == {"rows.csv", "agreements.csv"}
    said = orjson.loads(mira(workspace, "report", "--json").stdout)
    assert said.keys() == {"reports", "gold"}
