"""Tables of episodes: what goes out, which file it is in, and its rows."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from export.building.cuts import cuts_by_size, shards_of
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
        ExportError: Two runs have an episode or a question in common, or a question is about a
            moment that does not go out.
    """
    left_out: Counter[str] = Counter()
    kept: list[EpisodeStore] = []
    content = hashlib.sha256()
    seen = _Seen()
    for store in runs:
        run = store.run()
        if stage == "final" and not run.licence:
            left_out["episodes of runs without licence"] += len(store.episode_ids())
            left_out["questions of runs without licence"] += sum(1 for _ in store.tom_items())
            left_out["runs without licence"] += 1
            continue
        kept.append(store)
        content.update(run.to_json())
        for episode_id in store.episode_ids():
            seen.add(store, episode_id)
            content.update(store.sums(episode_id))
        for item in store.tom_items():
            seen.add(store, f"question {item.item_id}")
            content.update(item.model_dump_json().encode())
    for store in kept:
        seen.require_moments(store)
    return EpisodePlan(
        runs=tuple(str(store.root.resolve()) for store in kept),
        split=split,
        left_out={reason: count for reason, count in sorted(left_out.items()) if count},
        sha256=content.hexdigest(),
    )


class _Seen:
    """Names that go out, each once, and where they are."""

    def __init__(self) -> None:
        self._stores: dict[str, EpisodeStore] = {}

    def add(self, store: EpisodeStore, name: str) -> None:
        """Take in a name.

        Raises:
            ExportError: It is there already.
        """
        if name in self._stores:
            problem = f"expected {name!r} once, found it in {self._stores[name].root} too"
            raise ExportError(store.root, problem, "put it into another release")
        self._stores[name] = store

    def require_moments(self, store: EpisodeStore) -> None:
        """Raise unless all moments that questions are about go out.

        Raises:
            ExportError: One does not.
        """
        for item in store.tom_items():
            if item.moment is None:
                continue
            home = self._stores.get(item.moment.episode_id)
            steps = None if home is None else home.episode(item.moment.episode_id).num_steps
            if steps is None or item.moment.step > steps:
                where = f"{item.moment.episode_id}, step {item.moment.step}"
                problem = f"{item.item_id} is about {where}, which does not go out"
                raise ExportError(store.root, problem)


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
                rows[k] = store.step_count(episode_id)
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
    for store, episode_id in islice(_places(runs), shard.first, shard.last):
        store.require_whole(episode_id)
        yield store, store.episode(episode_id)


def _cut(table: str, split: str, rows: Sequence[int], sizes: Sequence[int]) -> Iterator[Shard]:
    # Steps of agents that saw no pictures are short.
    group_rows = None if sum(sizes) else TEXT_ROWS
    bounds = cuts_by_size(sizes, every=1)
    yield from shards_of(table, split, bounds, rows, group_rows=group_rows)
