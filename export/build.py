"""A workspace becomes a release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from export.audited import audit_figures
from export.card import write_card
from export.croissant import write_croissant
from export.plan import AskedPicture, ReleasePlan, plan_release
from export.preview import PreviewPicker, preview_rows
from export.recoding import as_jpeg
from export.requirements import (
    require_split,
    require_target,
    require_title,
    require_upright,
)
from export.row_schema import write_row_schema
from export.rows import PictureFile, question_rows, scene_row
from export.shards import TableWriter
from mira.errors import ExportError
from mira.release.columns import CONFIGS
from mira.release.digest import combined_digest
from mira.release.reader import INFO_PATH, Row
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.schema.export import ConfigInfo, ReleaseInfo, Stage
from mira.store.atomic import file_ref, replace_folder
from mira.store.workspace import Workspace, annotation_digest

Progress = Callable[[int, int], None]
"""Takes rows done and rows in all; 0 in all where that is not known yet."""


NOT_GIVEN = "not given"
"""Stands in counts for what a record does not say."""


@dataclass
class Statistics:
    """Counts for the card, gathered while rows pass."""

    by_table: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, table: str, row: str | None) -> None:
        """Add one to a cell."""
        self.by_table.setdefault(table, Counter())[row or NOT_GIVEN] += 1

    def plain(self) -> dict[str, dict[str, int]]:
        """Tables with their rows sorted by name."""
        return {
            table: dict(sorted(counts.items())) for table, counts in sorted(self.by_table.items())
        }


def build_release(
    workspace: Workspace,
    out: Path,
    *,
    name: str | None = None,
    split: str | None = None,
    unsplit: str = "test",
    stage: Stage = "draft",
    jpeg_quality: int | None = None,
    progress: Progress | None = None,
) -> ReleaseInfo:
    """Write the release of a workspace in place of `out`, in one step.

    Only pictures with questions go out, and no item that review rejected; see `plan_release`. The
    same workspace gives the same bytes.

    Args:
        workspace: Read only.
        out: The release; an old release there stays whole until the new one is.
        name: Name of the data set; that of the folder by default.
        split: Split of all scenes; only where nobody split them.
        unsplit: Split of all scenes where nobody split them, and none is given.
        stage: `final` for what may be published alone.
        jpeg_quality: From 1 to 100, to write colour pictures that are PNG files as JPEG; by default
            all files go out as they came, and depth always does.
        progress: Called with rows done and rows in all.

    Returns:
        What was written.

    Raises:
        ExportError: `out` holds anything but a release, a name cannot be used, nothing goes out, a
            picture would be turned by its readers, or a question misses its picture.
    """
    name = name or out.absolute().name
    require_target(out)
    require_split(unsplit if split is None else split)
    require_title(name)
    plan = plan_release(workspace, split=split, unsplit=unsplit, stage=stage)
    build = _Build(workspace, plan, jpeg_quality, progress)
    with replace_folder(out) as root:
        questions, scenes, preview = (TableWriter(root, table) for table in CONFIGS)
        for part in plan.pictures:
            questions.write_split(part, build.question_rows(part))
        for part in plan.pictures:
            scenes.write_split(part, build.scene_rows(part))
        for part in plan.pictures:
            if build.is_previewed(part):
                preview.write_split(part, build.preview_rows(part))
        return build.finish(root, name, (questions.info(), scenes.info(), preview.info()))


class _Build:
    """A release on its way."""

    def __init__(
        self,
        workspace: Workspace,
        plan: ReleasePlan,
        jpeg_quality: int | None,
        progress: Progress | None,
    ) -> None:
        self._workspace, self._plan = workspace, plan
        self._jpeg_quality, self._progress = jpeg_quality, progress
        self._statistics = Statistics()
        self._picker = PreviewPicker(plan)

    def question_rows(self, split: str) -> Iterator[Row]:
        """Rows of `qa`; those of all splits have to pass before previews are made."""
        return self._picker.watching(_reported(self._questions(split), self._progress))

    def scene_rows(self, split: str) -> Iterator[Row]:
        """Rows of `scenes`."""
        pictures, progress = self._plan.pictures[split], self._progress
        scene: Scene | None = None
        done = 0
        for view in self._workspace.views():
            if view.image_id not in pictures:
                continue
            if scene is None or scene.scene_id != view.scene_id:
                scene = self._scene_of(view)
                for key in ("environment", "lighting", "place", "source", "licence", "consent"):
                    self._statistics.count(f"scenes by {key}", getattr(scene, key))
            annotation = _annotation(self._workspace, view.image_id, pictures[view.image_id])
            _count_picture(self._statistics, view, annotation)
            yield self._scene_row(scene, view, annotation)
            done += 1
            if progress:
                progress(done, len(pictures))
        if done < len(pictures):
            raise ExportError(
                self._workspace.root,
                f"{len(pictures) - done} pictures with questions are gone",
                "run: mira qa generate",
            )

    def is_previewed(self, split: str) -> bool:
        """Whether a split has pictures in the preview."""
        return not self._picker.pictures.isdisjoint(self._plan.pictures[split])

    def preview_rows(self, split: str) -> Iterator[Row]:
        """Rows of `qa_preview`."""
        pictures = self._plan.pictures[split]
        for view in self._workspace.views():
            if view.image_id in pictures and view.image_id in self._picker.pictures:
                annotation = _annotation(self._workspace, view.image_id, pictures[view.image_id])
                row = self._scene_row(self._scene_of(view), view, annotation)
                yield from preview_rows(self._picker.rows_of(view.image_id), row)

    def finish(self, root: Path, name: str, configs: tuple[ConfigInfo, ...]) -> ReleaseInfo:
        """Write what the release says of itself."""
        digest = combined_digest((config.name, config.digest) for config in configs)
        statistics = self._statistics.plain()
        card = write_card(
            root,
            name=name,
            digest=digest,
            configs=configs,
            statistics=statistics,
            stage=self._plan.stage,
            left_out=self._plan.left_out,
            jpeg_quality=self._jpeg_quality,
            audit=audit_figures(self._workspace),
        )
        licences = [name for name in statistics["scenes by licence"] if name != NOT_GIVEN]
        croissant = write_croissant(
            root, name=name, digest=digest, configs=configs, licences=licences
        )
        info = ReleaseInfo(
            name=name,
            digest=digest,
            configs=configs,
            card=file_ref(card, relative_to=root),
            croissant=file_ref(croissant, relative_to=root),
            stage=self._plan.stage,
            left_out=self._plan.left_out,
            jpeg_quality=self._jpeg_quality,
            statistics=statistics,
            versions={tool: version(tool) for tool in ("datasets", "mira-toolkit", "pyarrow")},
        )
        write_row_schema(root)
        (root / INFO_PATH).write_bytes(info.to_json())
        return info

    def _questions(self, split: str) -> Iterator[Row]:
        for item in self._plan.items(self._workspace, split):
            for row in question_rows(item):
                self._statistics.count("questions by sub-task", row["subtask"])
                self._statistics.count("questions by template", row["template_id"])
                self._statistics.count("questions by protocol", row["protocol"])
                self._statistics.count("questions by review state", row["review"])
                yield row

    def _scene_of(self, view: View) -> Scene:
        try:
            return self._plan.scenes[view.scene_id]
        except KeyError:
            raise ExportError(
                view.image_id,
                f"is in scene {view.scene_id!r} now, which its questions are not of",
                "run: mira qa generate",
            ) from None

    def _scene_row(self, scene: Scene, view: View, annotation: ImageAnnotation) -> Row:
        color, depth = _files(self._workspace, view, self._jpeg_quality)
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


def _annotation(workspace: Workspace, image_id: str, asked: AskedPicture) -> ImageAnnotation:
    annotation = workspace.annotation(image_id, asked.annotator)
    if annotation is None or annotation_digest(annotation) != asked.annotation_sha256:
        raise ExportError(
            image_id,
            f"the annotation by {asked.annotator!r} changed after its questions were made",
            "run: mira qa generate",
        )
    return annotation


def _count_picture(statistics: Statistics, view: View, annotation: ImageAnnotation) -> None:
    statistics.count("pictures by depth", view.depth_kind or "none")
    for surface in annotation.surfaces:
        statistics.count("surfaces by type", surface.surface_type)
    for instance in annotation.instances:
        statistics.count("instances by visibility", instance.visibility)
    for link in annotation.links:
        statistics.count("reflections by counterpart", link.counterpart)


def _reported(rows: Iterable[Row], progress: Progress | None, every: int = 1000) -> Iterator[Row]:
    done = 0
    for done, row in enumerate(rows, start=1):
        yield row
        if progress and done % every == 0:
            progress(done, 0)
    if progress:
        progress(done, done)


def release_summary(info: ReleaseInfo) -> dict[str, Any]:
    """Name, digest and rows a table and split, for people and machines."""
    return {
        "name": info.name,
        "stage": info.stage,
        "digest": info.digest,
        "left_out": info.left_out,
        "rows": {
            config.name: {part.split: part.rows for part in config.splits}
            for config in info.configs
        },
    }
