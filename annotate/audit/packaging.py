"""The folder that the person gets whose turn it is: pictures and the label set, nothing drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from annotate.audit.clock import Clock, utc_now
from annotate.audit.manifest import (
    DEPTH,
    MANIFEST_NAME,
    PICTURES,
    README_NAME,
    SETUP,
    PackageManifest,
    format_readme,
)
from annotate.audit.turns import require_free
from annotate.writing.setup.files import GUIDE_NAME, guide_html
from annotate.writing.setup.labels import parse_categories
from annotate.writing.setup.settings import (
    ATTRIBUTES_NAME,
    CLASSES_NAME,
    OLDER,
    SETTINGS_NAME,
    attributes_json,
    classes_txt,
    older_attributes_json,
    settings_yaml,
)
from mira.errors import MiraError, WorkspaceError
from mira.render.depth import render_depth
from mira.render.png import encode_png
from mira.render.style import RenderStyle
from mira.schema.audit import BatchState
from mira.schema.audit_ledger import AuditEvent
from mira.schema.capture import View
from mira.schema.record import FileRef
from mira.store.atomic import os_faults, replace_folder, write_file, write_new
from mira.store.audit import AuditBook
from mira.store.audit_progress import BatchProgress
from mira.store.workspace import Workspace


class Packaged(NamedTuple):
    """A package that was written."""

    folder: Path
    """Where it is."""
    batch_id: str
    """The batch."""
    state: BatchState
    """What its people are to do."""
    people: tuple[str, ...]
    """For whom it is."""
    n_images: int
    """Pictures to draw."""
    was_there: bool
    """Whether the folder held this package already; then what they drew stays."""


def write_package(
    book: AuditBook,
    batch_id: str,
    folder: Path,
    *,
    to: str | None = None,
    now: Clock = utc_now,
) -> Packaged:
    """Write the folder for the person whose turn it is.

    It tells neither who drew before, nor which images are of the batch or the sample.

    Args:
        book: The audit.
        batch_id: The batch.
        folder: Where to write: a new or empty folder, or the same package, of which files that
            are gone are written anew and nothing else is touched.
        to: Who takes the turn over, where it is not who was to have it.
        now: Gives the time.

    Raises:
        MiraError: Nobody has to draw, `to` cannot, or the folder holds other files.
    """
    with book.lock():
        progress = book.batch(batch_id)
        if progress.state == "accepted":
            raise MiraError(batch_id, "expected a batch to draw, found it accepted")
        handed = None if to is None else _handed(progress, to, now)
        if handed is not None:
            progress = _with_people(progress, handed.people)
        files = _package_files(book.workspace, progress)
        manifest = _manifest_of(progress, files)
        content = {**files, MANIFEST_NAME: manifest.to_json()}
        was_there = _is_same(folder, content[MANIFEST_NAME])
        if handed is not None:
            progress = book.append(handed)
        if was_there:
            for name, data in content.items():
                if not (folder / name).exists():
                    write_file(folder / name, data)
        else:
            _write_new_folder(folder, content)
        digest = hashlib.sha256(content[MANIFEST_NAME]).hexdigest()
        person = progress.now.person
        if progress.now.packages.get(person) != digest:
            book.append(
                AuditEvent(
                    at=now(),
                    event="packaged",
                    batch_id=batch_id,
                    state=progress.state,
                    by=person,
                    package_sha256=digest,
                )
            )
    people = progress.now.step.people
    return Packaged(
        folder, batch_id, progress.state, people, len(manifest.pictures), was_there=was_there
    )


def _handed(progress: BatchProgress, to: str, now: Clock) -> AuditEvent | None:
    """The event that gives a turn to another person; None where it is theirs."""
    batch_id = progress.batch.batch_id
    if progress.state == "adjudicating":
        raise MiraError(batch_id, "expected one person's turn, found several who decide together")
    if to == progress.now.person:
        return None
    if progress.now.drawings:
        found = f"found {len(progress.now.drawings)} images that {progress.now.person} handed in"
        raise MiraError(batch_id, f"expected a turn of which nothing is done, {found}")
    return AuditEvent(
        at=now(),
        event="handed",
        batch_id=batch_id,
        state=progress.state,
        by=progress.now.person,
        people=(require_free(progress, to),),
    )


def _with_people(progress: BatchProgress, people: tuple[str, ...]) -> BatchProgress:
    """A batch as it will be once its turn is handed over."""
    step = progress.now.step.model_copy(update={"people": people})
    return replace(progress, steps=(*progress.steps[:-1], replace(progress.now, step=step)))


def _package_files(workspace: Workspace, progress: BatchProgress) -> dict[str, bytes]:
    """Content by path in the package, but for the manifest."""
    wanted = set(progress.images_of(progress.now) or progress.batch.image_ids)
    views = {view.image_id: view for view in workspace.views() if view.image_id in wanted}
    if gone := sorted(wanted - views.keys()):
        raise WorkspaceError(workspace.root, f"expected the image {gone[0]}, found none")
    files: dict[str, bytes] = {}
    for image_id in sorted(wanted):
        view = views[image_id]
        files[f"{PICTURES}/{picture_name(view)}"] = workspace.read_picture(view, view.color)
        depth = _depth_picture(workspace, view)
        if depth is not None:
            files[f"{DEPTH}/{image_id}.png"] = depth
    for name, data in _setup_files(progress.batch.policy.categories).items():
        files[f"{SETUP}/{name}"] = data
    files[README_NAME] = format_readme(_manifest_of(progress, files)).encode()
    return files


def _setup_files(categories: Sequence[str]) -> dict[str, bytes]:
    categories = parse_categories(categories)
    return {
        ATTRIBUTES_NAME: attributes_json(categories),
        CLASSES_NAME: classes_txt(categories),
        SETTINGS_NAME: settings_yaml(categories),
        GUIDE_NAME: guide_html(categories),
        f"{OLDER}/{ATTRIBUTES_NAME}": older_attributes_json(categories),
    }


def picture_name(view: View) -> str:
    """Name of a view's picture in a package: its id, with the ending of its format."""
    return f"{view.image_id}{Path(view.color.path).suffix}"


def _depth_picture(workspace: Workspace, view: View) -> bytes | None:
    if view.depth_aligned is None:
        return None
    raw = np.frombuffer(workspace.read_picture(view, view.depth_aligned), dtype=np.uint8)
    depth = cv2.imdecode(raw, cv2.IMREAD_UNCHANGED)
    if depth is None or depth.dtype != np.uint16 or depth.ndim != 2:
        return None
    picture = render_depth(
        depth.astype(np.uint16, copy=False), unit_m=view.depth_unit_m, style=RenderStyle()
    )
    return encode_png(picture.image_rgb)


def _manifest_of(progress: BatchProgress, files: dict[str, bytes]) -> PackageManifest:
    pictures = (
        FileRef(path=name, sha256=hashlib.sha256(data).hexdigest(), size_bytes=len(data))
        for name, data in sorted(files.items())
        if name.startswith(f"{PICTURES}/")
    )
    return PackageManifest(
        batch_id=progress.batch.batch_id,
        round=progress.round,
        state=progress.state,
        people=progress.now.step.people,
        pictures=tuple(pictures),
    )


def _is_same(folder: Path, manifest: bytes) -> bool:
    """Whether a folder holds this package; raises where it holds anything else."""
    with os_faults(folder):
        if not folder.exists():
            return False
        if not folder.is_dir():
            raise MiraError(folder, "expected a new or empty folder, found a file")
        path = folder / MANIFEST_NAME
        if path.is_file() and path.read_bytes() == manifest:
            return True
        if any(folder.iterdir()):
            problem = "expected a new or empty folder, found other files in it"
            raise MiraError(folder, problem, "write to another folder")
    return False


def _write_new_folder(folder: Path, content: dict[str, bytes]) -> None:
    with replace_folder(folder) as partial:
        for name, data in content.items():
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            write_new(partial / name, data, durable=False)
