"""A workspace's annotations as files that other programs open."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple

from annotate.writing.xanylabeling import format_annotation
from mira.errors import WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import View
from mira.store.atomic import file_ref, os_faults, replace_folder
from mira.store.coco import CocoWriter
from mira.store.exported_folder import require_unchanged, write_sums
from mira.store.names import require_name
from mira.store.workspace import Workspace

AnnotationForm = Literal["xanylabeling", "coco"]
"""Which files are written: one a picture in a folder for each annotator, or one for all."""
PictureMode = Literal["copy", "link", "none"]
"""What becomes of the pictures."""
Progress = Callable[[int, int], None]
"""Takes pictures done and pictures in all."""

COCO_NAME = "annotations.json"
COCO_PICTURES = "images"


class ExportSummary(NamedTuple):
    """What an export wrote."""

    out: str
    """The folder."""
    pictures: int
    """Pictures with an annotation; others are left out."""
    annotations: int
    """Annotations, one a picture and annotator."""
    by_annotator: dict[str, int]
    """The same for each annotator."""
    surfaces: int
    instances: int
    links: int
    """Reflections that name what they show."""
    annotated_twice: int
    """Pictures with annotations of several annotators."""
    lost_reflections: int
    """Shapes that were left out when they were read, and are not in these files either."""


def export_annotations(
    workspace: Workspace,
    out: Path,
    *,
    form: AnnotationForm,
    annotator: str | None = None,
    pictures: PictureMode = "copy",
    progress: Progress | None = None,
) -> ExportSummary:
    """Write the newest revision of every annotation, in place of `out`, in one step.

    The same workspace gives the same bytes.

    Args:
        workspace: Read only.
        out: The folder; an earlier export there is replaced, unless somebody changed it.
        form: Which files are written.
        annotator: Whose annotations; those of all if None.
        pictures: Whether pictures go along: `copy`, `link` for hard links where the file system
            has them, or `none`.
        progress: Called with pictures done and pictures in all.

    Raises:
        WorkspaceError: There is no annotation to write, a picture is gone or not what it was, or
            `out` holds what no export wrote.
        MiraError: The folder cannot be written.
    """
    if annotator is not None:
        require_name(annotator)
    require_unchanged(out)
    views = tuple(workspace.views())
    with replace_folder(out) as root, os_faults(out):
        with ExitStack() as stack:
            run = _Export(workspace, root, annotator, pictures, form, stack)
            for done, view in enumerate(views, start=1):
                run.take(view)
                if progress is not None:
                    progress(done, len(views))
        if not run.counts["annotations"]:
            whose = "annotation" if annotator is None else f"annotation by {annotator!r}"
            raise WorkspaceError(workspace.root, f"holds no {whose}", "see: mira annotate import")
        if form == "coco":
            run.note(root / COCO_NAME)
        write_sums(root, run.digests)
    return run.summary(out)


class _Export:
    """One export under way."""

    def __init__(
        self,
        workspace: Workspace,
        root: Path,
        annotator: str | None,
        pictures: PictureMode,
        form: AnnotationForm,
        stack: ExitStack,
    ) -> None:
        self._workspace = workspace
        self._root = root
        self._annotator = annotator
        self._pictures = pictures
        self._coco = stack.enter_context(CocoWriter(root / COCO_NAME)) if form == "coco" else None
        self._by_annotator: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.digests: dict[str, str] = {}

    def take(self, view: View) -> None:
        annotations = self._annotations(view)
        if not annotations:
            return
        name = f"{view.image_id}{PurePosixPath(view.color.path).suffix}"
        if self._coco is not None:
            file_name = name if self._pictures == "none" else f"{COCO_PICTURES}/{name}"
            licence = self._workspace.scene(view.scene_id).licence
            image = _coco_image(view, annotations, file_name)
            self._coco.write_image(image, annotations, licence=licence)
            self._put_picture(view, self._root / COCO_PICTURES / name)
        for annotation in annotations:
            if self._coco is None:
                self._put_file(annotation, view, name)
            self._count(annotation)
        self.counts["pictures"] += 1
        self.counts["annotated_twice"] += len(annotations) > 1

    def note(self, path: Path, digest: str | None = None) -> None:
        """Keep the digest of a file that is written."""
        name = path.relative_to(self._root).as_posix()
        self.digests[name] = digest or file_ref(path, relative_to=self._root).sha256

    def summary(self, out: Path) -> ExportSummary:
        counts = self.counts
        return ExportSummary(
            out=str(out),
            pictures=counts["pictures"],
            annotations=counts["annotations"],
            by_annotator=dict(sorted(self._by_annotator.items())),
            surfaces=counts["surfaces"],
            instances=counts["instances"],
            links=counts["links"],
            annotated_twice=counts["annotated_twice"],
            lost_reflections=counts["lost_reflections"],
        )

    def _annotations(self, view: View) -> list[ImageAnnotation]:
        names = self._workspace.annotators(view.image_id)
        wanted = [name for name in names if self._annotator in {None, name}]
        found = (self._workspace.annotation(view.image_id, name) for name in wanted)
        return [annotation for annotation in found if annotation is not None]

    def _put_file(self, annotation: ImageAnnotation, view: View, picture: str) -> None:
        folder = self._root / require_name(annotation.annotator)
        folder.mkdir(exist_ok=True)
        path = folder / f"{view.image_id}.json"
        data = format_annotation(annotation, image_path=picture)
        path.write_bytes(data)
        self.note(path, hashlib.sha256(data).hexdigest())
        self._put_picture(view, folder / picture)

    def _put_picture(self, view: View, path: Path) -> None:
        if self._pictures == "none":
            return
        path.parent.mkdir(exist_ok=True)
        data = self._workspace.read_picture(view, view.color)
        if self._pictures == "copy" or not _linked(
            self._workspace.view_folder(view) / view.color.path, path
        ):
            path.write_bytes(data)
        self.note(path, view.color.sha256)

    def _count(self, annotation: ImageAnnotation) -> None:
        self._by_annotator[annotation.annotator] += 1
        self.counts["annotations"] += 1
        self.counts["surfaces"] += len(annotation.surfaces)
        self.counts["instances"] += len(annotation.instances)
        self.counts["links"] += sum(link.reflection_of_id is not None for link in annotation.links)
        self.counts["lost_reflections"] += annotation.lost_reflections


def _coco_image(
    view: View, annotations: Sequence[ImageAnnotation], file_name: str
) -> dict[str, Any]:
    return {
        "file_name": file_name,
        "width": view.width_px,
        "height": view.height_px,
        "name": view.image_id,
        "scene_id": view.scene_id,
        "annotated_by": {one.annotator: one.status for one in annotations},
    }


def _linked(source: Path, path: Path) -> bool:
    """Whether a file could be given a second name."""
    try:
        os.link(source, path)
    except OSError:
        return False
    return True
