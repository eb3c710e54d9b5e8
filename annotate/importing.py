"""Annotation files with their pictures into a workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from annotate.collisions import Part, find_collisions
from annotate.file_reader import FileReader
from annotate.findings import FindingLog, Refused
from annotate.gaps import categories_of
from annotate.locating import Source, find_annotations
from annotate.plausibility.depth import note_depth_doubts
from annotate.policy import AnnotationPolicy, LinksMode
from annotate.scenes.opening import SceneOpener
from annotate.scenes.pictures import Picture
from annotate.scenes.scene_reader import SceneReader
from annotate.scenes.view_intake import ViewIntake
from mira.schema.annotation import ImageAnnotation
from mira.schema.finding import Finding
from mira.schema.record import Record
from mira.store.names import require_name
from mira.store.workspace import Workspace, annotation_digest

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all."""


class ImportReport(Record):
    """What an import did."""

    files: int
    """Annotation files that were found."""
    imported: int
    """Pictures whose annotation became a new revision; a COCO file has many pictures."""
    unchanged: int
    """Pictures whose annotation the workspace held already."""
    refused: int
    """Pictures whose annotation was left out, and files that are unusable as a whole; each has an
    error among the findings, its own or its scene's."""
    surfaces: int
    """Surfaces in the imported and the unchanged."""
    instances: int
    """Instances in them."""
    links: int
    """Reflections that name a real object or another reflection."""
    by_counterpart: dict[str, int]
    """Reflections by what is known of their real object; `unset` where nothing is."""
    categories: dict[str, int]
    """Labels that were taken as categories, each with its instances: a slip shows here."""
    views_updated: int
    """Pictures that the workspace knew and that gained depth or a camera."""
    view_changes: dict[str, int]
    """Those pictures by what changed, such as `camera added`."""
    scenes_updated: int
    """Scenes that the workspace knew and whose `scene.json` says something new."""
    findings: tuple[Finding, ...]
    """Everything found, file by file, each once."""


def import_annotations(
    source: Path,
    workspace: Workspace,
    *,
    scenes: Path | None,
    annotator: str,
    intrinsics: Path | None = None,
    links: LinksMode = "attributes",
    strict: bool = False,
    policy: AnnotationPolicy | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Put annotations, with their pictures, depth and cameras, into a workspace.

    A file at fault is left out and the rest goes in; a second import of the same changes nothing.

    Args:
        source: An annotation file, a folder of them, or a capture session.
        workspace: Locked while it is written.
        scenes: Folder of pictures, depth and cameras, or a capture session; None where they lie
            beside the annotations.
        annotator: Who drew, as a code name.
        intrinsics: One camera file for all pictures; None for those beside them.
        links: How links are written.
        strict: Whether any error in a file leaves the whole file out.
        policy: Thresholds; ours if None.
        progress: Told of every file that is done.

    Returns:
        Counts and findings.

    Raises:
        MiraError: `source`, `scenes` or `intrinsics` does not exist, `annotator` is no name, or
            the workspace cannot be written.
    """
    require_name(annotator)
    policy = policy or AnnotationPolicy()
    found = find_annotations(source)
    pictures = SceneOpener(scenes, camera=intrinsics, policy=policy).open(found)
    reader = FileReader(
        pictures,
        annotator=annotator,
        links=links,
        strict=strict,
        policy=policy,
        need_picture=True,
    )
    refusals = find_collisions(found.files, pictures, one_file_a_picture=True)
    with workspace.lock():
        run = _Run(workspace, reader, ViewIntake(workspace, pictures), strict=strict, policy=policy)
        for done, path in enumerate(found.files, start=1):
            run.take(path, found.root, refusals)
            if progress is not None:
                progress(done, len(found.files))
    run.note_skipped(found, pictures)
    return run.report()


class _Run:
    """One import under way: counts, and nothing of the files themselves."""

    def __init__(
        self,
        workspace: Workspace,
        reader: FileReader,
        pictures: ViewIntake,
        *,
        strict: bool,
        policy: AnnotationPolicy,
    ) -> None:
        self._workspace = workspace
        self._reader = reader
        self._pictures = pictures
        self._strict = strict
        self._policy = policy
        self._counts: Counter[str] = Counter()
        self._counterparts: Counter[str] = Counter()
        self._categories: Counter[str] = Counter()
        self._findings: dict[Finding, None] = {}

    def take(self, path: Path, root: Path, refusals: Mapping[Part, Refused]) -> None:
        log = FindingLog(path)
        self._counts["files"] += 1
        for reading in self._reader.read(path, root=root, log=log):
            outcome = "refused"
            refusal = refusals.get(Part(path, reading.place))
            if refusal is not None:
                reading.log.refuse_once(refusal)
            elif reading.annotation is not None and reading.picture is not None:
                outcome = self._put(reading.annotation, reading.picture, reading.log)
            self._counts[outcome] += 1
            self._keep(reading.log)
        self._keep(log)

    def note_skipped(self, source: Source, pictures: SceneReader) -> None:
        log = FindingLog(source.root)
        source.note_skipped_folders(log)
        source.note_skipped_files(log, read=pictures.settings_read)
        self._keep(log)

    def _keep(self, log: FindingLog) -> None:
        """Take over findings; those on a scene or a camera are the same for many pictures."""
        self._findings.update(dict.fromkeys(log.findings))

    def _put(self, annotation: ImageAnnotation, picture: Picture, log: FindingLog) -> str:
        try:
            placement = self._pictures.prepare(picture, annotation.image_id, log)
        except Refused as refused:
            log.refuse(refused)
            return "refused"
        if self._strict and log.has_errors:
            return "refused"
        note_depth_doubts(annotation, placement.source, log, policy=self._policy.plausibility)
        self._pictures.put(placement)
        before = self._workspace.annotation(annotation.image_id, annotation.annotator)
        if before is not None and annotation.source.format == "coco":
            annotation = _unless_new(annotation, before)
        after = self._workspace.put_annotation(annotation)
        self._count(after)
        return "unchanged" if before and before.revision == after.revision else "imported"

    def _count(self, annotation: ImageAnnotation) -> None:
        self._counts["surfaces"] += len(annotation.surfaces)
        self._counts["instances"] += len(annotation.instances)
        self._categories += categories_of(annotation)
        for link in annotation.links:
            self._counts["links"] += link.reflection_of_id is not None
            self._counterparts[link.counterpart or "unset"] += 1

    def report(self) -> ImportReport:
        counts = self._counts
        return ImportReport(
            files=counts["files"],
            imported=counts["imported"],
            unchanged=counts["unchanged"],
            refused=counts["refused"],
            surfaces=counts["surfaces"],
            instances=counts["instances"],
            links=counts["links"],
            by_counterpart=dict(sorted(self._counterparts.items())),
            categories=dict(sorted(self._categories.items())),
            views_updated=self._pictures.views_updated,
            view_changes=dict(sorted(self._pictures.changes.items())),
            scenes_updated=len(self._pictures.scenes_updated),
            findings=tuple(self._findings),
        )


def _unless_new(annotation: ImageAnnotation, before: ImageAnnotation) -> ImageAnnotation:
    """An annotation as it was before where only other pictures of its file have changed."""
    source = annotation.source.model_copy(update={"file": before.source.file})
    same = annotation.model_copy(update={"source": source})
    return same if annotation_digest(same) == annotation_digest(before) else annotation
