"""The rows of one file of a release, from the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from export.building.episodes import TABLES as EPISODE_TABLES
from export.building.flat import flat_rows
from export.building.places import question_at, records_of, require_same_items
from export.building.records import BuildPlan, PreviewPick, Shard
from export.building.sources import Sources
from export.building.statistics import Statistics
from export.plan import PlannedPicture
from export.preview import preview_rows
from export.recoding import as_jpeg
from export.requirements import require_upright
from export.rows import PictureFile, question_rows, raw_depth_row, scene_row
from mira.release.columns import FLAT_CONFIG, RAW_DEPTH_CONFIG
from mira.release.reader import Row
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.store.workspace import Workspace


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
    require_same_items(workspace, plan.release)


def _scenes(
    shard: Shard, workspace: Workspace, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    for picture, is_first in _pictures(shard, plan):
        scene, view, annotation = records_of(workspace, picture)
        # A scene whose pictures are in two files is counted with the first.
        if is_first:
            statistics.count_scene(scene)
        statistics.count_picture(view, annotation)
        yield _scene_row(workspace, scene, view, annotation, plan.jpeg_quality)


def _preview(shard: Shard, workspace: Workspace, plan: BuildPlan, _: Statistics) -> Iterator[Row]:
    picks: dict[str, list[PreviewPick]] = {}
    for pick in plan.preview:
        picks.setdefault(pick.image_id, []).append(pick)
    for picture, _first in _pictures(shard, plan):
        if some := picks.get(picture.image_id):
            questions = [
                question_at(workspace, pick.first_byte, pick.image_id, pick.protocol)
                for pick in some
            ]
            row = _scene_row(workspace, *records_of(workspace, picture), plan.jpeg_quality)
            yield from preview_rows(questions, row)
    require_same_items(workspace, plan.release)


def _raw_depth(shard: Shard, workspace: Workspace, plan: BuildPlan, _: Statistics) -> Iterator[Row]:
    for picture, _first in _pictures(shard, plan):
        view = records_of(workspace, picture)[1]
        if view.depth is not None:
            data = workspace.read_picture(view, view.depth)
            yield raw_depth_row(view, PictureFile.as_it_came(data, view.depth))


def _flat(
    shard: Shard, workspace: Workspace, plan: BuildPlan, statistics: Statistics
) -> Iterator[Row]:
    flat = plan.flat
    if flat is None:
        raise RuntimeError("the build has no table of this name")
    for picture, is_first in _pictures(shard, plan):
        scene, view, annotation = records_of(workspace, picture)
        if is_first:
            statistics.count_scene(scene)
        statistics.count_picture(view, annotation)
        row = _scene_row(workspace, scene, view, annotation, plan.jpeg_quality)
        places = flat.items[picture.image_id]
        yield from flat_rows(row, places, workspace, flat, statistics)
    require_same_items(workspace, plan.release)


def _pictures(shard: Shard, plan: BuildPlan) -> Iterator[tuple[PlannedPicture, bool]]:
    """The pictures of a file, and of each whether it is the first of its scene in the split."""
    pictures = plan.release.pictures[shard.split]
    before = pictures[shard.first - 1].scene_id if shard.first else None
    for picture in pictures[shard.first : shard.last]:
        yield picture, picture.scene_id != before
        before = picture.scene_id


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
