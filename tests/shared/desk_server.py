"""A desk to try: a workspace drawn with numpy, people in it, and its server."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import cv2
import numpy as np

from annotate.desk.desk import Desk
from mira.schema.annotation import AnnotationSource, ImageAnnotation, Instance, Surface
from mira.schema.capture import Scene, View
from mira.schema.qa import (
    ChoiceAnswer,
    Derivation,
    Mark,
    Option,
    QAItem,
    QAPolicy,
    QASummary,
    Wording,
)
from mira.schema.record import Provenance
from mira.store.atomic import file_ref
from mira.store.workspace import Workspace, annotation_digest

WIDTH, HEIGHT = 160, 120
PASSWORD = "long enough"
PEOPLE = {
    "anna": "annotator",
    "cora": "reviewer",
    "dora": "reviewer",
    "emil": "adjudicator",
    "root": "admin",
}
HOSTILE = "${document.title='hit'}<img src=x onerror=\"document.title='hit'\"></script>"
"""Words that would run, were they taken for anything but text."""


def draw_desk(root: Path, *, items: int = 3) -> Workspace:
    """A workspace with one picture, so many questions about it, and people at its desk."""
    workspace = Workspace.create(root)
    annotation = _picture(workspace, root.with_name(f"{root.name}-pictures"))
    found = [_item(k, annotation) for k in range(items)]
    none: dict[str, Any] = {"drops": {}, "by_template": {}, "gold_positions": {}}
    workspace.put_questions(
        found, summary=lambda: QASummary(items=items, questions=items, policy=QAPolicy(), **none)
    )
    desk = Desk(workspace)
    for name, role in PEOPLE.items():
        desk.people.add(name, PASSWORD, role)
    desk.close()
    return workspace


def _box(x: float, y: float) -> tuple[tuple[float, float], ...]:
    return ((x, y), (x + 30, y), (x + 30, y + 30), (x, y + 30))


def _picture(workspace: Workspace, folder: Path) -> ImageAnnotation:
    folder.mkdir(parents=True, exist_ok=True)
    rows, columns = np.indices((HEIGHT, WIDTH))
    color = np.stack([rows % 256, columns % 256, np.full_like(rows, 90)], 2).astype(np.uint8)
    pictures = {"color.png": folder / "color.png", "depth.png": folder / "depth.png"}
    cv2.imwrite(str(pictures["color.png"]), color)
    cv2.imwrite(str(pictures["depth.png"]), (500 + 9 * columns).astype(np.uint16))
    refs = {name: file_ref(path, relative_to=folder) for name, path in pictures.items()}
    workspace.put_scene(
        Scene(scene_id="s", licence="CC0-1.0", consent="not_needed", source="drawn")
    )
    view = View(
        scene_id="s",
        image_id="i",
        width_px=WIDTH,
        height_px=HEIGHT,
        color=refs["color.png"],
        depth_aligned=refs["depth.png"],
        depth_unit_m=0.001,
        depth_kind="metric",
        provenance=Provenance(tool="test", tool_version="1"),
    )
    workspace.put_view(view, pictures)
    surface = Surface(surface_id=9, surface_type="planar_mirror", polygons_px=(_box(90, 10),))
    reflected = {"visibility": "reflected", "seen_in": (9,)}
    annotation = ImageAnnotation(
        image_id="i",
        annotator="ann",
        revision=1,
        status="done",
        width_px=WIDTH,
        height_px=HEIGHT,
        surfaces=(surface,),
        instances=(
            Instance(instance_id=1, polygons_px=(_box(95, 15),), category=HOSTILE, **reflected),
            Instance(instance_id=2, visibility="direct", polygons_px=(_box(10, 10),)),
            Instance(instance_id=3, visibility="direct", polygons_px=(_box(10, 70),)),
        ),
        source=AnnotationSource(format="x-anylabeling", file=refs["color.png"]),
    )
    return workspace.put_annotation(annotation)


def _item(k: int, annotation: ImageAnnotation) -> QAItem:
    mark = {"X": (1, "slot", (95, 15)), "A": (2, "candidate", (10, 10))}
    mark["B"] = (3, "candidate", (10, 70))
    return QAItem(
        item_id=f"mc_001-{k:04d}",
        template_id="mc_001",
        image_id="i",
        scene_id="s",
        marks=tuple(
            Mark(label=label, instance_id=n, role=role, box_xyxy_px=(x, y, x + 30, y + 30))
            for label, (n, role, (x, y)) in mark.items()
        ),
        options=(Option(label="A", value="2"), Option(label="B", value="3")),
        answer=ChoiceAnswer(value="A"),
        wordings=tuple(
            Wording(
                protocol=one, question=f"Which of {k}? {HOSTILE}", option_texts=("two", HOSTILE)
            )
            for one in ("bbox_text", "visual_bbox", "visual_mask")
        ),
        derivation=Derivation(
            rule="link-of-instance",
            annotator="ann",
            annotation_sha256=annotation_digest(annotation),
            parameters={"reason": HOSTILE},
        ),
    )


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, which is JSON."""
        return json.loads(self.body)


@cache
def _forking() -> Any:
    """Starts servers as processes of their own, from one that has imported what all of them need.

    Importing takes most of the time that a server takes to start.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["gradio", "uvicorn", "annotate.app.server", "mira.cli.annotate_app", "qa_gen.authoring"]
    )
    return context


def _run_mira(words: tuple[str, ...], log: Path) -> None:
    """The command line, as a process that was started with these words."""
    from mira.cli.main import run

    told = os.open(log, os.O_WRONLY)
    os.dup2(told, sys.stderr.fileno())
    sys.argv = ["mira", *words]
    run()


class DeskServer:
    """A server that runs, and ways to ask it raw."""

    def __init__(self, root: Path) -> None:
        self.root, self.port = root, 0
        self._log = root.with_name(f"{root.name}.{id(self)}.log")
        self.start()

    def start(self) -> None:
        """Start it, at the same port as before."""
        words = ("annotate", "app", "run", "-w", str(self.root), "--port", str(self.port))
        self._log.write_text("")
        self.process = _forking().Process(target=_run_mira, args=(words, self._log), daemon=True)
        self.process.start()
        end = time.monotonic() + 120
        while not (found := re.search(r"Desk: http://127\.0\.0\.1:(\d+)", self.said)):
            assert self.process.is_alive(), self.said
            assert time.monotonic() < end, self.said
            time.sleep(0.02)
        self.port = int(found[1])

    @property
    def said(self) -> str:
        """What it printed so far."""
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        """End it without a word."""
        self.process.kill()
        self.process.join()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self, path: str, body: Any = None, *, cookie: str = "", method: str = "", **headers: str
    ) -> Answer:
        """One request, sent as it is; with a body a POST of ours."""
        sent = {"Accept": "application/json", "Cookie": cookie}
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent |= {"Content-Type": "application/json", "Origin": self.url}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        kept = {name: value for name, value in sent.items() if value}
        asking.request(method or ("GET" if body is None else "POST"), path, data, kept)
        found = asking.getresponse()
        names = {name.lower(): value for name, value in found.getheaders()}
        answer = Answer(found.status, names, found.read())
        asking.close()
        return answer

    def sign_in(self, name: str, password: str = PASSWORD) -> str:
        """The cookie of somebody."""
        form = urlencode({"name": name, "password": password}).encode()
        kind = "application/x-www-form-urlencoded"
        answer = self.ask("/login", form, Content_Type=kind)
        assert answer.status == 303, answer
        return answer.headers["set-cookie"].split(";")[0]


@contextmanager
def serving(root: Path) -> Iterator[DeskServer]:
    """A server of a workspace, for as long as the block runs."""
    server = DeskServer(root)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def put_back_afterwards(root: Path) -> Iterator[None]:
    """What is said at a desk in the block is unsaid afterwards, while its server runs on.

    People and logins stay.
    """
    desk = Desk(Workspace.open(root))
    reading = desk.database.connection()
    names = [
        row["name"]
        for row in reading.execute("select name from sqlite_schema where type = 'table'")
    ]
    tables = [name for name in names if name not in ("people", "logins")]
    before = {
        name: [tuple(row) for row in reading.execute(f"select * from {name}")] for name in tables
    }
    try:
        yield
    finally:
        with desk.database.write() as writing:
            for name, rows in before.items():
                writing.execute(f"delete from {name}")
                if rows:
                    places = ", ".join("?" * len(rows[0]))
                    writing.executemany(f"insert into {name} values ({places})", rows)
        desk.close()
