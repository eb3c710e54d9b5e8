"""What a plan says is there, read again and held against it.

Whoever writes a file reads the workspace anew, perhaps much later and elsewhere. What is no longer
what was planned makes no release.
"""

from __future__ import annotations

from export.plan import PlannedPicture, ReleasePlan, items_stamp, picture_records
from export.rows import question_rows
from mira.errors import ExportError
from mira.release.reader import Row
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.store.descriptions import with_descriptions
from mira.store.workspace import Workspace, annotation_digest


def records_of(
    workspace: Workspace, picture: PlannedPicture
) -> tuple[Scene, View, ImageAnnotation]:
    """The records of a picture, its instances described as people describe them.

    Raises:
        ExportError: One of them is another than when the release was planned.
    """
    scene, view, found = picture_records(workspace, picture.scene_id, picture.image_id)
    if found != picture.records_sha256:
        raise changed(workspace)
    annotation = workspace.annotation(picture.image_id, picture.annotator)
    if annotation is None or annotation_digest(annotation) != picture.annotation_sha256:
        raise ExportError(
            picture.image_id,
            f"the annotation by {picture.annotator!r} changed after its questions were made",
            "run: mira qa generate",
        )
    return scene, view, with_descriptions(annotation, picture.described)


def question_at(workspace: Workspace, place: int, image_id: str, protocol: str) -> Row:
    """The row of `qa` of an item that starts at a byte of the file of items.

    Raises:
        ExportError: There is none about that picture.
    """
    item = next(workspace.items(first_byte=place), None)
    if item is not None and item.image_id == image_id:
        for row in question_rows(item):
            if row["protocol"] == protocol:
                return row
    raise changed(workspace)


def require_same_items(workspace: Workspace, plan: ReleasePlan) -> None:
    """Raise if somebody wrote the questions since the release was planned.

    Raises:
        ExportError: Somebody did.
    """
    if items_stamp(workspace) != plan.items_stamp:
        raise changed(workspace)


def changed(workspace: Workspace) -> ExportError:
    """What is said of a workspace that somebody writes while a release is made of it."""
    problem = "changed while the release was being written"
    return ExportError(workspace.root, problem, "run it again")
