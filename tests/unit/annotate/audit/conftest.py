"""A small project to audit: pictures, and people who draw them more or less well."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import orjson
import pytest

from annotate.audit.deciding import decide_batch
from annotate.audit.manifest import PackageManifest
from annotate.audit.packaging import write_package
from annotate.audit.planning import Planned, plan_batches
from annotate.audit.roster import Assignment
from annotate.audit.scoring import Scored, score_batch
from annotate.audit.submission import Submission, submit_drawings
from annotate.findings import FindingLog
from annotate.policy import AnnotationPolicy
from annotate.reading.annotation import Subject, read_annotation
from annotate.reading.document import parse_document
from mira.schema.audit import AuditPolicy
from mira.schema.capture import Scene, View
from mira.schema.record import FileRef, Provenance
from mira.store.atomic import file_ref
from mira.store.audit import AuditBook
from mira.store.workspace import Workspace

WIDTH, HEIGHT = 160, 120
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
PEOPLE = ("anna", "ben", "chris", "dora")
POLICY = AuditPolicy(batch_size=5, sample_fraction=0.4)
Json = dict[str, Any]


def add_images(workspace: Workspace, count: int, *, first: int = 0, depth: bool = False) -> None:
    """Put pictures of one grey each into a workspace, without annotations."""
    folder = workspace.root.with_name("source")
    folder.mkdir(exist_ok=True)
    for k in range(first, first + count):
        image_id = f"pic_{k:03d}"
        files = {"color.png": folder / f"{image_id}.png"}
        cv2.imwrite(str(files["color.png"]), np.full((HEIGHT, WIDTH, 3), k % 256, np.uint8))
        if depth:
            files["depth.png"] = folder / f"{image_id}_depth.png"
            steps = np.linspace(0, 4000, HEIGHT * WIDTH).reshape(HEIGHT, WIDTH)
            cv2.imwrite(str(files["depth.png"]), steps.astype(np.uint16))
        refs = {
            name: FileRef(
                path=name, **file_ref(path, relative_to=folder).model_dump(exclude={"path"})
            )
            for name, path in files.items()
        }
        view = View(
            scene_id=image_id,
            image_id=image_id,
            width_px=WIDTH,
            height_px=HEIGHT,
            color=refs["color.png"],
            depth_aligned=refs.get("depth.png"),
            depth_unit_m=0.001 if depth else None,
            depth_kind="metric" if depth else None,
            provenance=Provenance(tool="test", tool_version="1"),
        )
        workspace.put_scene(Scene(scene_id=image_id))
        workspace.put_view(view, files)


def document_of(image_id: str, *, noise_px: float, seed: int) -> Json:
    """What somebody draws: a mirror, a thing and its reflection, each point off by some pixels."""
    rng = np.random.default_rng([seed, *image_id.encode()])
    things = (
        (1, "surface", (110, 60), 38, {"surface_type": "planar_mirror"}),
        (2, "object", (35, 60), 25, {}),
        (3, "object_reflection", (110, 60), 20, {"reflection_of": 2, "in_mirror": 1}),
    )
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    shapes = []
    for number, label, centre, radius, attributes in things:
        points = np.asarray(centre) + radius * circle + rng.normal(0, noise_px, (8, 2))
        shapes.append(
            {
                "label": label,
                "points": points.tolist(),
                "group_id": number,
                "shape_type": "polygon",
                "flags": {},
                "attributes": attributes,
            }
        )
    return {
        "version": "4.0.2",
        "flags": {},
        "checked": True,
        "shapes": shapes,
        "imagePath": f"{image_id}.png",
        "imageData": None,
        "imageHeight": HEIGHT,
        "imageWidth": WIDTH,
    }


class Project(NamedTuple):
    """A workspace under audit, and what one does with it; the time stands still."""

    book: AuditBook
    packages: Path

    def plan(self, *, policy: AuditPolicy = POLICY, seed: int = 7, **more: Any) -> Planned:
        """Plan batches for four people."""
        assignment = more.pop("assignment", None) or Assignment(PEOPLE)
        return plan_batches(
            self.book, assignment, policy=policy, seed=seed, now=lambda: MOMENT, **more
        )

    def package(self, batch_id: str, **more: Any) -> Path:
        """Write the package of whose turn it is, in a folder of its own."""
        now = self.book.batch(batch_id).now.step
        person = more.get("to") or next(iter(now.people), "nobody")
        folder = self.packages / f"{batch_id}-{now.state}-{person}"
        write_package(self.book, batch_id, folder, now=lambda: MOMENT, **more)
        return folder

    def draw(self, package: Path, *, noise_px: float = 0.3, seed: int | None = None) -> Path:
        """Draw all pictures of a package and save a file beside each."""
        path = package / "manifest.json"
        manifest = PackageManifest.from_json(path.read_bytes(), where=path)
        chosen = sum(manifest.people[0].encode()) * 7 + manifest.round if seed is None else seed
        for image_id in manifest.image_ids:
            document = document_of(image_id, noise_px=noise_px, seed=chosen)
            (package / "pictures" / f"{image_id}.json").write_bytes(orjson.dumps(document))
        return package

    def submit(self, batch_id: str, folder: Path | None, by: str, **more: Any) -> Submission:
        """Hand in."""
        return submit_drawings(self.book, batch_id, folder, by=by, now=lambda: MOMENT, **more)

    def turn(self, batch_id: str, *, noise_px: float = 0.3) -> Submission:
        """Package, draw and hand in for whose turn it is."""
        folder = self.draw(self.package(batch_id), noise_px=noise_px)
        person = self.book.batch(batch_id).now.person
        return self.submit(batch_id, folder, person)

    def score(self, batch_id: str, **more: Any) -> Scored:
        """Compare the sample."""
        return score_batch(self.book, batch_id, now=lambda: MOMENT, **more)

    def decide(self, batch_id: str, **more: Any) -> str:
        """Move on; the state that follows."""
        return decide_batch(self.book, batch_id, now=lambda: MOMENT, **more).state

    def ledger(self) -> bytes:
        """The ledger's bytes."""
        return (self.book.workspace.root / "audit" / "ledger.jsonl").read_bytes()

    def fail_first_round(self, batch_id: str = "b001") -> None:
        """Bring a batch to its third annotator."""
        self.turn(batch_id, noise_px=9)
        self.turn(batch_id)
        assert self.score(batch_id).report.verdict == "failed"
        assert self.decide(batch_id) == "reannotating"


@pytest.fixture(autouse=True)
def _without_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test here cuts the power."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def make_project(tmp_path: Path) -> Callable[..., Project]:
    """Make a project of so many pictures."""

    def make(count: int = 5, *, depth: bool = False, name: str = ".") -> Project:
        workspace = Workspace.create(tmp_path / name / "workspace")
        add_images(workspace, count, depth=depth)
        return Project(AuditBook(workspace), tmp_path / name / "packages")

    return make


@pytest.fixture
def project(make_project: Callable[..., Project]) -> Project:
    """One batch of five pictures, planned."""
    made = make_project()
    made.plan()
    return made


@pytest.fixture
def add_more_images() -> Callable[..., None]:
    """Put more pictures into a workspace."""
    return add_images


@pytest.fixture
def draw_document() -> Callable[..., Json]:
    """Draw one picture."""
    return document_of


@pytest.fixture
def draw_gold() -> Callable[..., None]:
    """Put known answers into a project's workspace."""

    def draw(project: Project, image_ids: list[str]) -> None:
        for image_id in image_ids:
            raw = orjson.dumps(document_of(image_id, noise_px=0, seed=0))
            log = FindingLog("gold.json")
            subject = Subject(
                image_id=image_id,
                annotator="gold",
                size_px=(WIDTH, HEIGHT),
                file=FileRef(path="gold.json", sha256="0" * 64, size_bytes=len(raw)),
            )
            annotation = read_annotation(
                parse_document(raw, log), subject, log=log, policy=AnnotationPolicy()
            )
            project.book.workspace.put_annotation(annotation)

    return draw
