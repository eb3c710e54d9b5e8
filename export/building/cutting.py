"""Which rows are in which file: settled by what there is to write, not by who writes it.

So the files are the same whatever number of processes writes them, on whatever machines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from export.building.cuts import cuts_by_size, shards_of
from export.building.episodes import cut_episodes
from export.building.flat import cut_flat, plan_flat
from export.building.records import BuildPlan, EpisodePlan, FlatForm, PreviewPick, Shard
from export.building.sources import Sources
from export.building.staging import TOOLS
from export.plan import PlannedPicture, ReleasePlan
from export.preview import Candidate, pick_preview, preview_pictures
from export.shards import PICTURE_ROWS
from mira.errors import ExportError
from mira.release.columns import RAW_DEPTH_CONFIG
from mira.store.episodes import EpisodeStore
from mira.store.workspace import Workspace

SHARD_ITEMS = 16_384
"""Most items a file of questions is about; some five rows an item."""


class _Span(NamedTuple):
    """Where an item is, and how many rows it makes."""

    first_byte: int
    end_byte: int
    rows: int


def cut_release(
    sources: Sources,
    release: ReleasePlan,
    episodes: EpisodePlan,
    *,
    flat: FlatForm | None,
    raw_depth: bool,
    jpeg_quality: int | None,
) -> BuildPlan:
    """The files of a release.

    Args:
        sources: What it is made of; questions are looked through once more.
        release: What of the workspace goes out.
        episodes: Which episodes go out.
        flat: How questions are asked, if they go out with their pictures rendered.
        raw_depth: Whether depth on the sensor's own grid goes out too.
        jpeg_quality: Quality of colour pictures that are written anew, if they are.

    Raises:
        ExportError: No question can be asked like that, or no picture has such depth.
    """
    shards: list[Shard] = []
    picked: tuple[PreviewPick, ...] = ()
    flat_plan = None
    if sources.workspace is not None:
        if flat is None:
            cut, picked = _cut_pictures(sources.workspace, release)
            shards += cut
        else:
            flat_plan = plan_flat(sources.workspace, release, flat)
            # What is told of the release is told of the pictures that are in it.
            release = release.only(flat_plan.items)
            shards += cut_flat(release, flat_plan)
        if raw_depth:
            shards += _cut_raw_depth(sources.workspace, release)
    runs = [EpisodeStore.open(Path(run)) for run in episodes.runs]
    shards += cut_episodes(runs, episodes.split)
    return BuildPlan(
        workspace=None if sources.workspace is None else str(sources.workspace.root.resolve()),
        release=release,
        episodes=episodes,
        flat=flat_plan,
        raw_depth=raw_depth,
        preview=picked,
        shards=tuple(shards),
        jpeg_quality=jpeg_quality,
        versions={tool: version(tool) for tool in TOOLS},
    )


def _cut_pictures(
    workspace: Workspace, release: ReleasePlan
) -> tuple[list[Shard], tuple[PreviewPick, ...]]:
    """Files of pictures and of questions about them, and what the preview shows."""
    split_of = {one.image_id: split for split, some in release.pictures.items() for one in some}
    spans: dict[str, list[_Span]] = {split: [] for split in release.pictures}
    shown = preview_pictures(split_of)
    candidates: dict[str, list[Candidate]] = {image_id: [] for image_id in shown}
    for item in workspace.item_heads():
        if item.image_id not in split_of or not release.takes(item):
            continue
        span = _Span(item.first_byte, item.end_byte, len(item.protocols))
        spans[split_of[item.image_id]].append(span)
        if item.image_id in candidates:
            candidates[item.image_id].extend(Candidate.of(item))
    picked = pick_preview(candidates)
    shards = [
        *(shard for split, some in spans.items() for shard in _cut_questions(split, some)),
        *(
            shard
            for split, pictures in release.pictures.items()
            for shard in _cut_scenes(split, pictures)
        ),
        *_cut_preview(release, split_of, picked),
    ]
    return shards, picked


def _cut_questions(split: str, spans: Sequence[_Span]) -> Iterator[Shard]:
    total = -(-len(spans) // SHARD_ITEMS)
    for number, part in enumerate(_even(spans, total)):
        yield Shard(
            table="qa",
            split=split,
            number=number,
            total=total,
            first=part[0].first_byte,
            last=part[-1].end_byte,
            rows=sum(span.rows for span in part),
        )


def _even(spans: Sequence[_Span], parts: int) -> Iterator[Sequence[_Span]]:
    for k in range(parts):
        yield spans[len(spans) * k // parts : len(spans) * (k + 1) // parts]


def _cut_scenes(split: str, pictures: Sequence[PlannedPicture]) -> Iterator[Shard]:
    sizes = [picture.size_bytes for picture in pictures]
    yield from _cut_by_size("scenes", split, sizes, [1] * len(pictures))


def _cut_raw_depth(workspace: Workspace, release: ReleasePlan) -> Iterator[Shard]:
    sizes = {
        split: [picture.raw_bytes for picture in pictures]
        for split, pictures in release.pictures.items()
    }
    if not any(map(any, sizes.values())):
        problem = "holds no depth on the sensor's own grid"
        raise ExportError(workspace.root, problem, "sessions keep it: mira annotate import")
    for split, some in sizes.items():
        if any(some):
            yield from _cut_by_size(RAW_DEPTH_CONFIG, split, some, [int(size > 0) for size in some])


def _cut_by_size(
    table: str, split: str, sizes: Sequence[int], rows: Sequence[int]
) -> Iterator[Shard]:
    bounds = cuts_by_size(sizes, every=PICTURE_ROWS)
    yield from shards_of(table, split, bounds, rows)


def _cut_preview(
    release: ReleasePlan, split_of: dict[str, str], picked: Iterable[PreviewPick]
) -> Iterator[Shard]:
    splits = [split_of[pick.image_id] for pick in picked]
    for split, pictures in release.pictures.items():
        if rows := splits.count(split):
            yield Shard(
                table="qa_preview",
                split=split,
                number=0,
                total=1,
                first=0,
                last=len(pictures),
                rows=rows,
            )
