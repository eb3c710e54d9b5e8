"""Checks of annotation files, without a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from annotate.collisions import find_collisions
from annotate.file_reader import FileReader
from annotate.findings import FindingLog
from annotate.locating import PictureFinder, annotation_files
from annotate.policy import AnnotationPolicy, LinksMode
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


def check_paths(
    paths: Sequence[Path],
    *,
    scenes: Path | None = None,
    links: LinksMode = "attributes",
    strict: bool = False,
    policy: AnnotationPolicy | None = None,
) -> Iterator[FileCheck]:
    """Each annotation file's check, as soon as it is known.

    Args:
        paths: Files, and folders with all below them; within one folder no two pictures may have
            one name.
        scenes: Folder of the pictures; None where they lie beside the annotations.
        links: How links are written.
        strict: Whether any error makes a file unusable.
        policy: Thresholds; ours if None.

    Raises:
        AnnotationFormatError: A path does not exist, or a folder holds no annotation file.
        SceneSourceError: `scenes` is no folder.
    """
    sources = [(path, annotation_files(path)) for path in paths]
    finder = PictureFinder(scenes)
    reader = FileReader(
        finder,
        annotator="check",
        links=links,
        strict=strict,
        policy=policy or AnnotationPolicy(),
        need_picture=False,
    )
    return _checks(sources, finder, reader)


def check_file(
    path: Path,
    *,
    scenes: Path | None = None,
    links: LinksMode = "attributes",
    strict: bool = False,
    policy: AnnotationPolicy | None = None,
) -> FileCheck:
    """The check of one annotation file; see `check_paths`."""
    return next(check_paths([path], scenes=scenes, links=links, strict=strict, policy=policy))


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
                "findings": [finding.model_dump(exclude={"path"}) for finding in check.findings],
            }
            for check in checks
        ]
    }


def _checks(
    sources: Iterable[tuple[Path, list[Path]]], finder: PictureFinder, reader: FileReader
) -> Iterator[FileCheck]:
    for source, files in sources:
        root = source if source.is_dir() else source.parent
        refusals = find_collisions(files, finder, one_file_a_picture=False)
        for path in files:
            log = FindingLog(path)
            reading = reader.read(path, root=root, log=log)
            if path in refusals:
                log.refuse_once(refusals[path])
            usable = reading.annotation is not None and path not in refusals
            status = status_of(log.findings, usable=usable)
            yield FileCheck(path=log.path, status=status, findings=log.findings)
