"""Another data set's files become a capture session."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import orjson

from capture.importers.layouts import Layout, layout_of, load_reader
from capture.importers.names import PlannedScene, give_ids
from capture.importers.policy import ImportPolicy
from capture.importers.scene_importing import SceneImporter
from capture.importers.session_views import SessionViews
from capture.importers.settings import ImportSettings
from capture.importers.source_scene import ImportFault
from capture.importers.source_tree import SourceTree, read_bytes
from capture.importers.view_reading import ViewReader
from mira.errors import CaptureError
from mira.schema.capture import Scene
from mira.schema.record import Provenance
from mira.schema.session import CaptureSession
from mira.store.session import Session
from mira.store.version import tool_version

Progress = Callable[[int, int], None]
_TOOL = "mira capture import"


class ImportReport(NamedTuple):
    """What an import did, or would do."""

    session: Path
    """Where the views are."""
    scenes: int
    """Scenes with a view."""
    imported: int
    """Views that were written."""
    kept: int
    """Views that were there already."""
    without_depth: int
    """Imported views that have none."""
    without_camera: int
    """Imported views whose camera nobody knows."""
    with_surfaces: int
    """Imported views with a mask of reflective surfaces."""
    left_out: tuple[ImportFault, ...]
    """Files that could not be used."""
    notes: tuple[str, ...]
    """What the user should know."""


def import_data_set(
    source: Path,
    out: Path,
    *,
    settings: ImportSettings,
    policy: ImportPolicy | None = None,
    limit: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Read a data set and write it as a capture session, view by view.

    A view that is committed already stays; a file that cannot be used is left out with its view.

    Args:
        source: The data set's folder.
        out: The session, new or begun by an import of the same name and settings.
        settings: Its layout, and what the user says of it.
        policy: Limits, and how keyframes are chosen.
        limit: Most views to import; None for all.
        dry_run: Read everything and write nothing.
        progress: Told how many frames are done of how many.

    Raises:
        CaptureError: The source is not of the layout, or a flag cannot be used.
        SessionError: `out` is another session, or holds other files.
        MiraError: The disk is full, or `out` cannot be written.
    """
    policy = policy or ImportPolicy()
    layout = layout_of(settings)
    tree = SourceTree(source, policy=policy, less=out)
    plan = load_reader(layout)(tree, settings, policy)
    if not plan.scenes and not plan.faults and not tree.faults:
        problem = f"expected {layout.expected}, found none of them"
        raise CaptureError(source, problem, "see --from")
    scenes, unnamed = give_ids(plan.scenes)
    session = None
    if not dry_run:
        session = Session.create(out, _session_record(tree.name, settings, policy))
    template = _template(tree, layout, settings, is_recognised=plan.is_recognised)
    importer = SceneImporter(
        ViewReader(tree, policy=policy),
        SessionViews(session, source=source),
        template=template,
        settings=settings,
        policy=policy,
    )
    with session.lock() if session else nullcontext():
        if session is not None:
            session.clean()
        _run(importer, scenes, limit, progress)
    counts = importer.counts
    return ImportReport(
        session=out,
        scenes=counts.scenes,
        imported=counts.imported,
        kept=counts.kept,
        without_depth=counts.without_depth,
        without_camera=counts.without_camera,
        with_surfaces=counts.with_surfaces,
        left_out=(*tree.faults, *plan.faults, *unnamed, *counts.faults),
        notes=(*plan.notes, *counts.notes),
    )


def _run(
    importer: SceneImporter,
    scenes: list[PlannedScene],
    limit: int | None,
    progress: Progress | None,
) -> None:
    total = 0 if limit else sum(len(scene.views) for scene in scenes)
    frames = 0

    def done() -> None:
        nonlocal frames
        frames += 1
        if progress is not None:
            progress(frames, total)

    for scene in scenes:
        left = None if limit is None else limit - importer.counts.tried
        if left is not None and left <= 0:
            return
        importer.run(scene, limit=left, done=done)


def _template(
    tree: SourceTree, layout: Layout, settings: ImportSettings, *, is_recognised: bool
) -> Scene:
    """A scene with what all of the import have in common."""
    source, licence = (layout.source, layout.licence) if is_recognised else (None, None)
    return Scene(
        scene_id="scene",
        consent=settings.consent,
        source=settings.source_name or source or tree.name or "unknown",
        licence=settings.licence or licence,
    )


def _session_record(folder: str, settings: ImportSettings, policy: ImportPolicy) -> CaptureSession:
    """The session's record, whose id tells imports of other names or settings apart."""
    files = {"intrinsics": settings.intrinsics, "scene_table": settings.scene_table}
    parameters = {
        "folder": folder,
        "settings": settings.model_dump(mode="json", exclude=set(files)),
        "files_sha256": {name: _sha256(path, policy) for name, path in files.items() if path},
        "policy": policy.model_dump(mode="json"),
    }
    digest = hashlib.sha256(orjson.dumps(parameters)).hexdigest()[:12]
    return CaptureSession(
        session_id=f"import-{settings.layout}-{digest}",
        source="imported",
        provenance=Provenance(
            tool=_TOOL,
            tool_version=tool_version(),
            created_at=datetime.now(UTC),
            parameters=parameters,
        ),
    )


def _sha256(path: Path, policy: ImportPolicy) -> str:
    data = read_bytes(path, limit=policy.text_limit_bytes, where=path)
    return hashlib.sha256(data).hexdigest()
