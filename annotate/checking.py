"""Checks of annotation files, without a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from annotate.collisions import Part, find_collisions
from annotate.file_reader import FileReader, FileReading
from annotate.findings import FindingLog, Refused
from annotate.gaps import categories_of
from annotate.locating import Source, find_annotations
from annotate.names import id_of
from annotate.plausibility.depth import note_depth_doubts
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.scenes.opening import SceneOpener
from annotate.scenes.scene_reader import SceneReader
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
        scenes: Folder of the pictures, depth and cameras, or a capture session; None where they
            lie beside the annotations.
        intrinsics: One camera file for all pictures; None for those beside them.
        links: How links are written.
        strict: Whether any error makes a file unusable.
        policy: Thresholds; ours if None.

    Raises:
        AnnotationFormatError: A path does not exist, or a folder holds no annotation file.
        SceneSourceError: `scenes` is no folder, or `intrinsics` no file.
    """
    policy = policy or AnnotationPolicy()
    sources = [find_annotations(path) for path in paths]
    opener = SceneOpener(scenes, camera=intrinsics, policy=policy)
    checkers = [
        _Checker(source, opener.open(source), links=links, strict=strict, policy=policy)
        for source in sources
    ]
    return _checks(checkers)


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


def _checks(checkers: Iterable[_Checker]) -> Iterator[FileCheck]:
    for checker in checkers:
        yield from checker.checks()


class _Checker:
    """Checks the files of one source as an import would read them."""

    def __init__(
        self,
        source: Source,
        pictures: SceneReader,
        *,
        links: LinksMode,
        strict: bool,
        policy: AnnotationPolicy,
    ) -> None:
        self._source = source
        self._pictures = pictures
        self._strict = strict
        self._policy = policy
        self._reader = FileReader(
            pictures,
            annotator="check",
            links=links,
            strict=strict,
            policy=policy,
            need_picture=False,
        )

    def checks(self) -> Iterator[FileCheck]:
        source = self._source
        refusals = find_collisions(source.files, self._pictures, one_file_a_picture=False)
        for place, path in enumerate(source.files):
            log = FindingLog(path)
            if place == 0:
                source.note_skipped_folders(log)
            yield self._check(path, refusals, log)

    def _check(self, path: Path, refusals: Mapping[Part, Refused], log: FindingLog) -> FileCheck:
        usable = False
        labels: Counter[str] = Counter()
        logs = [log]
        for reading in self._reader.read(path, root=self._source.root, log=log):
            usable |= self._is_usable(reading, refusals.get(Part(path, reading.place)))
            if reading.annotation is not None:
                labels += categories_of(reading.annotation)
            if reading.log is not log:
                logs.append(reading.log)
        # What is said of a scene or a camera is the same for many pictures.
        findings = tuple(dict.fromkeys(chain.from_iterable(found.findings for found in logs)))
        return FileCheck(
            path=log.path,
            status=status_of(findings, usable=usable),
            findings=findings,
            categories=dict(sorted(labels.items())),
        )

    def _is_usable(self, reading: FileReading, refusal: Refused | None) -> bool:
        usable = self._read_view(reading) and reading.annotation is not None
        if refusal is not None:
            reading.log.refuse_once(refusal)
            usable = False
        return usable and not (self._strict and reading.log.has_errors)

    def _read_view(self, reading: FileReading) -> bool:
        """Look at depth, camera and scene too; False where no scene can be told."""
        if reading.picture is None:
            return True
        image_id, log = id_of(reading.picture.name), reading.log
        try:
            source = self._pictures.read_view(reading.picture, image_id, log)
        except Refused as refused:
            log.refuse(refused)
            return False
        if reading.annotation is not None:
            doubts = self._policy.plausibility
            note_depth_doubts(reading.annotation, source, log, policy=doubts)
        return True
