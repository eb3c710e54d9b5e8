"""The rows of one file of a release, from the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from export.building.episodes import TABLES as EPISODE_TABLES
from export.building.flat import flat_rows
from export.building.records import BuildPlan, Shard
from export.building.sources import Sources
from export.building.statistics import Statistics
from export.plan import PlannedPicture
from export.preview import preview_rows
from export.recoding import as_jpeg
from export.requirements import require_upright
from export.rows import PictureFile, question_rows, raw_depth_row, scene_row
from mira.errors import ExportError
from mira.release.columns import FLAT_CONFIG, RAW_DEPTH_CONFIG
from mira.release.reader import Row
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.store.workspace import Workspace, annotation_digest


def rows_of(
    shard: Shard, sources: Sources, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    """The rows of a file, in their order.

    Args:
        shard: The file.
        sources: What the release is made of.
        plan: What is known of the whole release.
        statistics: Takes in what is counted on the way.

    Raises:
        ExportError: What it is made of is no longer what it was when the release was planned, or
            a picture would be turned by its readers.
    """
    if shard.table in EPISODE_TABLES:
        return EPISODE_TABLES[shard.table](shard, sources, statistics)
    return _ROWS[shard.table](shard, sources.pictures(), plan, statistics)


def _questions(
    shard: Shard, workspace: Workspace, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    pictures = {picture.image_id for picture in plan.release.pictures[shard.split]}
    for item in workspace.items(first_byte=shard.first, end_byte=shard.last):
        if item.image_id not in pictures or not plan.release.takes(item):
            continue
        rows = question_rows(item)
        statistics.count_questions(rows)
        yield from rows


def _scenes(
    shard: Shard, workspace: Workspace, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    pictures = plan.release.pictures[shard.split]
    before = pictures[shard.first - 1].scene_id if shard.first else None
    for scene_id, some in groupby(
        pictures[shard.first : shard.last], key=lambda picture: picture.scene_id
    ):
        scene = workspace.scene(scene_id)
        # A scene whose pictures are in two files is counted with the first.
        if scene_id != before:
            statistics.count_scene(scene)
        for picture in some:
            view = workspace.view(scene_id, picture.image_id)
            annotation = _annotation(workspace, picture)
            statistics.count_picture(view, annotation)
            yield _scene_row(workspace, scene, view, annotation, plan.jpeg_quality)


def _preview(shard: Shard, workspace: Workspace, plan: BuildPlan, _: Statistics) -> Iterator[Row]:
    for picture in plan.release.pictures[shard.split]:
        picks = [pick for pick in plan.preview if pick.image_id == picture.image_id]
        if picks:
            questions = []
            for pick in picks:
                item = next(workspace.items(first_byte=pick.first_byte))
                rows = question_rows(item)
                questions += [row for row in rows if row["protocol"] == pick.protocol]
            scene_id = picture.scene_id
            scene, view = workspace.scene(scene_id), workspace.view(scene_id, picture.image_id)
            annotation = _annotation(workspace, picture)
            shown = _scene_row(workspace, scene, view, annotation, plan.jpeg_quality)
            yield from preview_rows(questions, shown)


def _raw_depth(shard: Shard, workspace: Workspace, plan: BuildPlan, _: Statistics) -> Iterator[Row]:
    for picture in plan.release.pictures[shard.split][shard.first : shard.last]:
        if picture.raw_bytes:
            view = workspace.view(picture.scene_id, picture.image_id)
            if view.depth is None:
                raise RuntimeError(f"{view.image_id}: the plan says that it has raw depth")
            data = workspace.read_picture(view, view.depth)
            yield raw_depth_row(view, PictureFile.as_it_came(data, view.depth))


def _flat(
    shard: Shard, workspace: Workspace, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    flat = plan.flat
    if flat is None:
        raise RuntimeError("the build has no table of this name")
    pictures = plan.release.pictures[shard.split]
    before = pictures[shard.first - 1].scene_id if shard.first else None
    for picture in pictures[shard.first : shard.last]:
        scene = workspace.scene(picture.scene_id)
        if picture.scene_id != before:
            statistics.count_scene(scene)
        before = picture.scene_id
        view = workspace.view(picture.scene_id, picture.image_id)
        annotation = _annotation(workspace, picture)
        statistics.count_picture(view, annotation)
        if places := flat.items.get(picture.image_id, ()):
            row = _scene_row(workspace, scene, view, annotation, plan.jpeg_quality)
            yield from flat_rows(row, places, workspace, flat, statistics)


_ROWS: dict[str, Callable[[Shard, Workspace, BuildPlan, Statistics], Iterator[Row]]] = {
    "qa": _questions,
    "scenes": _scenes,
    "qa_preview": _preview,
    RAW_DEPTH_CONFIG: _raw_depth,
    FLAT_CONFIG: _flat,
}


def _scene_row(
    workspace: Workspace,
    scene: Scene,
    view: View,
    annotation: ImageAnnotation,
    jpeg_quality: int | None,
) -> Row:
    color, depth = _files(workspace, view, jpeg_quality)
    return scene_row(scene, view, annotation, color=color, depth=depth)


def _files(
    workspace: Workspace, view: View, jpeg_quality: int | None
) -> tuple[PictureFile, PictureFile | None]:
    """The colour file and the depth file of a view."""
    data = workspace.read_picture(view, view.color)
    require_upright(data, view.image_id)
    color = PictureFile.as_it_came(data, view.color)
    if jpeg_quality is not None:
        color = as_jpeg(color, quality=jpeg_quality, where=view.image_id)
    if view.depth_aligned is None:
        return color, None
    data = workspace.read_picture(view, view.depth_aligned)
    require_upright(data, view.image_id)
    return color, PictureFile.as_it_came(data, view.depth_aligned)


def _annotation(workspace: Workspace, picture: PlannedPicture) -> ImageAnnotation:
    annotation = workspace.annotation(picture.image_id, picture.annotator)
    if annotation is None or annotation_digest(annotation) != picture.annotation_sha256:
        raise ExportError(
            picture.image_id,
            f"the annotation by {picture.annotator!r} changed after its questions were made",
            "run: mira qa generate",
        )
    return annotation
