"""Checks of annotation files, without a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from annotate.collisions import find_collisions
from annotate.file_reader import FileReader, FileReading
from annotate.findings import FindingLog, Refused
from annotate.gaps import categories_of
from annotate.locating import PictureFinder, Source, find_annotations
from annotate.names import id_of
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.scenes.scene_folder import SceneFolder
from mira.schema.finding import Finding
from mira.schema.record import Record

Status = Literal["ok", "findings", "unusable"]
_EXIT: dict[Status, int] = {"ok": 0, "findings": 1, "unusable": 2}


class FileCheck(Record):
    """What a check has to say about one annotation file."""

    path: str
    """The file."""
    status: Status
    """`ok`: nothing but info; `findings`: more, yet usable; `unusable`: nothing of it is kept."""
    findings: tuple[Finding, ...] = ()
    """In the order they were made."""
    categories: dict[str, int] = Field(default_factory=dict)
    """Labels that were taken as categories, each with its instances: a slip shows here."""


def check_paths(
    paths: Sequence[Path],
    *,
    scenes: Path | None = None,
    intrinsics: Path | None = None,
    links: LinksMode = "attributes",
    strict: bool = False,
    policy: AnnotationPolicy | None = None,
) -> Iterator[FileCheck]:
    """Each annotation file's check, as soon as it is known.

    Args:
        paths: Files, and folders with all below them; within one folder no two pictures may have
            one name.
        scenes: Folder of the pictures, depth and cameras; None where they lie beside the
            annotations.
        intrinsics: One camera file for all pictures; None for those beside them.
        links: How links are written.
        strict: Whether any error makes a file unusable.
        policy: Thresholds; ours if None.

    Raises:
        AnnotationFormatError: A path does not exist, or a folder holds no annotation file.
        SceneSourceError: `scenes` is no folder, or `intrinsics` no file.
    """
    policy = policy or AnnotationPolicy()
    sources = [
        (find_annotations(path), SceneFolder(camera=intrinsics, policy=policy)) for path in paths
    ]
    finder = PictureFinder(scenes)
    reader = FileReader(
        finder,
        annotator="check",
        links=links,
        strict=strict,
        policy=policy,
        need_picture=False,
    )
    return _checks(sources, finder, reader, strict=strict)


def check_file(
    path: Path,
    *,
    scenes: Path | None = None,
    intrinsics: Path | None = None,
    links: LinksMode = "attributes",
    strict: bool = False,
    policy: AnnotationPolicy | None = None,
) -> FileCheck:
    """The check of one annotation file; see `check_paths`."""
    return next(
        check_paths(
            [path],
            scenes=scenes,
            intrinsics=intrinsics,
            links=links,
            strict=strict,
            policy=policy,
        )
    )


def status_of(findings: Iterable[Finding], *, usable: bool) -> Status:
    """The status that findings amount to."""
    if not usable:
        return "unusable"
    return "ok" if all(finding.severity == "info" for finding in findings) else "findings"


def exit_status(checks: Iterable[FileCheck]) -> int:
    """0 when all are ok, 1 when there are findings, 2 when a file is unusable."""
    return max((_EXIT[check.status] for check in checks), default=0)


def checks_as_json(checks: Iterable[FileCheck]) -> dict[str, Any]:
    """The one JSON document that scripts read."""
    return {
        "files": [
            {
                "path": check.path,
                "status": check.status,
                "categories": check.categories,
                "findings": [finding.model_dump(exclude={"path"}) for finding in check.findings],
            }
            for check in checks
        ]
    }


def _checks(
    sources: Iterable[tuple[Source, SceneFolder]],
    finder: PictureFinder,
    reader: FileReader,
    *,
    strict: bool,
) -> Iterator[FileCheck]:
    for source, folder in sources:
        checker = _Checker(reader, folder, strict=strict)
        refusals = find_collisions(source.files, finder, one_file_a_picture=False)
        for place, path in enumerate(source.files):
            log = FindingLog(path)
            if place == 0:
                source.note_skipped_folders(log)
            yield checker.check(path, source.root, refusals.get(path), log)


class _Checker:
    """Checks the files of one source as an import would read them."""

    def __init__(self, reader: FileReader, folder: SceneFolder, *, strict: bool) -> None:
        self._reader = reader
        self._folder = folder
        self._strict = strict

    def check(self, path: Path, root: Path, refusal: Refused | None, log: FindingLog) -> FileCheck:
        reading = self._reader.read(path, root=root, log=log)
        usable = self._read_view(reading, log) and reading.annotation is not None
        if refusal is not None:
            log.refuse_once(refusal)
            usable = False
        if self._strict and log.has_errors:
            usable = False
        labels = categories_of(reading.annotation) if reading.annotation else {}
        return FileCheck(
            path=log.path,
            status=status_of(log.findings, usable=usable),
            findings=log.findings,
            categories=dict(sorted(labels.items())),
        )

    def _read_view(self, reading: FileReading, log: FindingLog) -> bool:
        """Look at depth, camera and scene too; False where no scene can be told."""
        if reading.picture is None:
            return True
        try:
            self._folder.read_view(reading.picture, id_of(reading.picture.path.stem), log)
        except Refused as refused:
            log.refuse(refused)
            return False
        return True
