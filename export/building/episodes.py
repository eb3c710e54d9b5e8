"""Tables of episodes: what goes out, which file it is in, and its rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from export.building.cuts import cuts_by_size
from export.building.records import EpisodePlan, Shard
from export.building.sources import Sources
from export.building.statistics import NOT_GIVEN, Statistics
from export.requirements import require_upright
from export.shards import TEXT_ROWS
from mira.errors import ExportError
from mira.release.episode_rows import STEP_TABLES, episode_row, step_row, tom_row
from mira.release.reader import Row
from mira.schema.episode import Episode
from mira.schema.export import Stage
from mira.store.episodes import EpisodeStore

_FAMILIES = {"mirror_steps": "mirror_reach", "mosaic_steps": "mosaic"}


def plan_episodes(runs: Sequence[EpisodeStore], *, split: str, stage: Stage) -> EpisodePlan:
    """Decide which episodes go out: all of a draft, those with a licence of a final release.

    Raises:
        ExportError: Two runs have an episode or a name in common.
    """
    left_out: Counter[str] = Counter()
    kept: list[EpisodeStore] = []
    content = hashlib.sha256()
    seen: dict[str, EpisodeStore] = {}
    for store in runs:
        run = store.run()
        if stage == "final" and not run.licence:
            left_out["episodes of runs without licence"] += len(store.episode_ids())
            left_out["runs without licence"] += 1
            continue
        kept.append(store)
        content.update(run.to_json())
        for name in (f"run {run.name}", *store.episode_ids()):
            if name in seen:
                raise ExportError(store.root, f"expected {name!r} in one run, found it in two")
            seen[name] = store
        for episode_id in store.episode_ids():
            content.update(store.sums(episode_id))
        for item in store.tom_items():
            content.update(item.model_dump_json().encode())
    return EpisodePlan(
        runs=tuple(str(store.root.resolve()) for store in kept),
        split=split,
        left_out={reason: count for reason, count in sorted(left_out.items()) if count},
        sha256=content.hexdigest(),
    )


def cut_episodes(runs: Sequence[EpisodeStore], split: str) -> Iterator[Shard]:
    """The files of the tables that have rows."""
    places = list(_places(runs))
    kinds = [store.episode(episode_id).family for store, episode_id in places]
    if places:
        yield from _cut("episodes", split, [1] * len(places), [0] * len(places))
    for table, family in _FAMILIES.items():
        rows, sizes = [0] * len(places), [0] * len(places)
        for k, (store, episode_id) in enumerate(places):
            if kinds[k] == family:
                rows[k] = sum(1 for _ in store.steps(store.episode(episode_id)))
                sizes[k] = store.picture_bytes(episode_id)
        if sum(rows):
            yield from _cut(table, split, rows, sizes)
    if items := sum(1 for store in runs for _ in store.tom_items()):
        yield from _cut("tom_qa", split, [items], [0])


def episode_rows(shard: Shard, sources: Sources, statistics: Statistics) -> Iterator[Row]:
    """Rows of `episodes`."""
    for store, episode in _episodes(shard, sources.runs):
        run = store.run()
        statistics.count("episodes by family", episode.family)
        statistics.count("episodes by licence", run.licence)
        statistics.count("episodes by model", episode.model or "scripted or human")
        statistics.count("episodes by ending", episode.termination)
        yield episode_row(episode, run)


def step_rows(shard: Shard, sources: Sources, _: Statistics) -> Iterator[Row]:
    """Rows of `mirror_steps` or `mosaic_steps`."""
    for store, episode in _episodes(shard, sources.runs):
        if episode.family != _FAMILIES[shard.table]:
            continue
        for step in store.steps(episode):
            picture = None
            if step.image is not None:
                picture = store.read_picture(episode.episode_id, step.image)
                if hashlib.sha256(picture).hexdigest() != step.image.sha256:
                    problem = f"{step.image.path} is no longer the picture that was shown"
                    raise ExportError(episode.episode_id, problem)
                require_upright(picture, episode.episode_id)
            yield step_row(step, picture)


def tom_rows(shard: Shard, sources: Sources, statistics: Statistics) -> Iterator[Row]:
    """Rows of `tom_qa`."""
    del shard  # There is one file of them.
    for store in sources.runs:
        run = store.run()
        for item in store.tom_items():
            statistics.count("theory-of-mind questions by source", item.source)
            statistics.count("theory-of-mind questions by licence", item.licence or run.licence)
            statistics.count("theory-of-mind questions by kind", item.kind)
            order = NOT_GIVEN if item.order is None else str(item.order)
            statistics.count("theory-of-mind questions by order", order)
            yield tom_row(item, run)


TABLES = {
    "episodes": episode_rows,
    **dict.fromkeys(STEP_TABLES, step_rows),
    "tom_qa": tom_rows,
}
"""What makes the rows of each table."""


def _places(runs: Iterable[EpisodeStore]) -> Iterator[tuple[EpisodeStore, str]]:
    for store in runs:
        for episode_id in store.episode_ids():
            yield store, episode_id


def _episodes(shard: Shard, runs: Sequence[EpisodeStore]) -> Iterator[tuple[EpisodeStore, Episode]]:
    for store, episode_id in list(_places(runs))[shard.first : shard.last]:
        yield store, store.episode(episode_id)


def _cut(table: str, split: str, rows: Sequence[int], sizes: Sequence[int]) -> Iterator[Shard]:
    bounds = cuts_by_size(sizes, every=1)
    for number, (first, last) in enumerate(bounds):
        yield Shard(
            table=table,
            split=split,
            number=number,
            total=len(bounds),
            first=first,
            last=last,
            rows=sum(rows[first:last]),
            # Steps of agents that saw no pictures are short.
            group_rows=None if sum(sizes) else TEXT_ROWS,
        )
