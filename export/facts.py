"""What is known of a release beside its counts: sources, splits, cameras, who annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from export.building.statistics import NOT_GIVEN
from export.plan import PlannedPicture, ReleasePlan
from mira.release.columns import FLAT_CONFIG
from mira.schema.capture import Scene, View
from mira.schema.export import ConfigInfo
from mira.store.workspace import Workspace

NO_DEPTH = "none"
_OF_QUESTIONS = ("qa", FLAT_CONFIG)


class SourceCount(NamedTuple):
    """Scenes of one source under the same terms."""

    source: str
    """Data set or crew."""
    licence: str
    """Licence of its pictures."""
    consent: str
    """Whether people or private places in them allow publication."""
    scenes: int
    pictures: int


class SplitCount(NamedTuple):
    """What a split holds."""

    split: str
    scenes: int
    pictures: int
    questions: int


class Facts(NamedTuple):
    """What the card and the datasheet tell; all counts are of what is in the release."""

    sources: tuple[SourceCount, ...]
    """Scenes by source, licence and consent."""
    splits: tuple[SplitCount, ...]
    """Scenes, pictures and questions by split."""
    places: dict[str, dict[str, int]]
    """Pictures by kind of place, of each by environment."""
    depths: dict[str, int]
    """Pictures by what their depth means."""
    sizes: dict[str, int]
    """Pictures by width and height."""
    cameras: int
    """Different calibrations of colour cameras."""
    without_camera: int
    """Pictures whose camera is not known."""
    with_times: int
    """Pictures with the times of their frames."""
    annotators: int
    """People whose annotation the questions rest on."""
    answered_by: dict[str, int]
    """Questions by who answered: labels and links, measures, people, a simulator."""

    @property
    def pictures(self) -> int:
        """Pictures in all."""
        return sum(one.pictures for one in self.splits)


def gather_facts(
    workspace: Workspace | None, plan: ReleasePlan, root: Path, configs: tuple[ConfigInfo, ...]
) -> Facts:
    """Read views once more, and of the questions that were written one column.

    Args:
        workspace: What the pictures are of; None where there are none.
        plan: What goes out.
        root: The release.
        configs: Its tables, written.
    """
    pictures = [one for some in plan.pictures.values() for one in some]
    asked = {one.image_id for one in pictures}
    in_scene = Counter(one.scene_id for one in pictures)
    views: list[View] = []
    scenes: dict[str, Scene] = {}
    if workspace is not None:
        views = [view for view in workspace.views() if view.image_id in asked]
        scenes = {one.scene_id: one for one in workspace.scenes() if one.scene_id in in_scene}
    calibrations = {view.intrinsics for view in views}
    return Facts(
        sources=tuple(_sources(scenes, in_scene)),
        splits=tuple(_splits(plan.pictures, configs)),
        places=_places(scenes, in_scene),
        depths=_counted(_depth(view) for view in views),
        sizes=_counted(f"{view.width_px} x {view.height_px}" for view in views),
        cameras=len(calibrations - {None}),
        without_camera=sum(view.intrinsics is None for view in views),
        with_times=sum(view.timing is not None for view in views),
        annotators=len({one.annotator for one in pictures}),
        answered_by=_answered_by(root, configs),
    )


def _sources(scenes: dict[str, Scene], in_scene: Counter[str]) -> Iterator[SourceCount]:
    groups: dict[tuple[str, str, str], list[int]] = {}
    for scene_id, scene in scenes.items():
        terms = (scene.source, scene.licence or NOT_GIVEN, str(scene.consent))
        groups.setdefault(terms, []).append(in_scene[scene_id])
    for terms, pictures in sorted(groups.items()):
        yield SourceCount(*terms, scenes=len(pictures), pictures=sum(pictures))


def _splits(
    pictures: dict[str, tuple[PlannedPicture, ...]], configs: tuple[ConfigInfo, ...]
) -> Iterator[SplitCount]:
    questions = {
        part.split: part.rows for one in configs if one.name in _OF_QUESTIONS for part in one.splits
    }
    for split, some in pictures.items():
        scenes = {one.scene_id for one in some}
        yield SplitCount(split, len(scenes), len(some), questions.get(split, 0))


def _places(scenes: dict[str, Scene], in_scene: Counter[str]) -> dict[str, dict[str, int]]:
    """The most frequent first."""
    found: dict[str, Counter[str]] = {}
    for scene_id, pictures in in_scene.items():
        scene = scenes[scene_id]
        by_environment = found.setdefault(scene.place or NOT_GIVEN, Counter())
        by_environment[scene.environment or NOT_GIVEN] += pictures
    ordered = sorted(found.items(), key=lambda entry: (-entry[1].total(), entry[0]))
    return {place: dict(sorted(counts.items())) for place, counts in ordered}


def _depth(view: View) -> str:
    if view.depth_kind is None or view.depth_aligned is None:
        return NO_DEPTH
    if view.depth_kind == "metric":
        return f"metric, in steps of {view.depth_unit_m:g} m"
    return f"normalised over the {view.depth_scope or 'picture or sequence'}"


def _answered_by(root: Path, configs: tuple[ConfigInfo, ...]) -> dict[str, int]:
    import pyarrow.parquet as pq

    names: Counter[str] = Counter()
    for part in (part for one in configs if one.name in _OF_QUESTIONS for part in one.splits):
        for ref in part.files:
            column = pq.read_table(root / ref.path, columns=["answer_source"]).column(0)
            for entry in column.value_counts().to_pylist():
                names[entry["values"] or NOT_GIVEN] += entry["counts"]
    return dict(sorted(names.items()))


def _counted(words: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))
