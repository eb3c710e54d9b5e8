"""Episodes of a release: each is what its record allows, and its steps are those it tells of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from pydantic import ValidationError

from export.verify.findings import finding
from mira.release.columns import features
from mira.release.episode_rows import (
    STEP_TABLES,
    episode_of_row,
    step_of_row,
    tom_of_row,
)
from mira.release.reader import Row, read_rows
from mira.schema.episode import Episode
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding, Severity
from mira.schema.record import describe_fault
from mira.schema.step import Step, step_faults

_FAMILIES = {"mirror_steps": "mirror_reach", "mosaic_steps": "mosaic"}


def check_episodes(
    release: Path, info: ReleaseInfo, *, open_matters: Severity
) -> Iterator[Finding]:
    """Go through the tables of episodes that there are.

    Args:
        release: The folder.
        info: What it says of itself.
        open_matters: How bad it is that something has no licence.
    """
    tables = {config.name for config in info.configs}
    episodes: dict[str, Episode] = {}
    if "episodes" in tables:
        for row in read_rows(release, "episodes"):
            where = f"episodes.{row['episode_id']}"
            yield from _check_licence(release, row, where, open_matters)
            try:
                episode = episode_of_row(row)
            except ValidationError as error:
                yield finding("row-malformed", release, where, describe_fault(error))
                continue
            if episode.episode_id in episodes:
                yield finding("duplicate-id", release, where, "expected each episode once")
            episodes[episode.episode_id] = episode
    for table in STEP_TABLES:
        yield from _check_steps(release, table, table in tables, episodes)
    if "tom_qa" in tables:
        yield from _check_tom(release, episodes, open_matters)


def _check_steps(
    release: Path, table: str, is_there: bool, episodes: dict[str, Episode]
) -> Iterator[Finding]:
    left = {key for key, one in episodes.items() if one.family == _FAMILIES[table]}
    columns = [name for name in features(table) if name != "image"]
    rows = read_rows(release, table, columns=columns) if is_there else iter(())
    for episode_id, some in groupby(rows, key=lambda row: row["episode_id"]):
        where = f"{table}.{episode_id}"
        if episode_id not in left:
            known = "its steps are in two places" if episode_id in episodes else "no such episode"
            yield finding("steps-without-episode", release, where, known)
            continue
        left.remove(episode_id)
        try:
            steps: list[Step] = [step_of_row(table, row) for row in some]
        except ValidationError as error:
            yield finding("row-malformed", release, where, describe_fault(error))
            continue
        for fault in step_faults(episodes[episode_id], steps):
            yield finding("steps-not-of-episode", release, where, fault)
    for episode_id in sorted(left):
        if episodes[episode_id].num_steps:
            message = f"expected {episodes[episode_id].num_steps} steps, found none"
            yield finding("steps-not-of-episode", release, f"{table}.{episode_id}", message)


def _check_tom(
    release: Path, episodes: dict[str, Episode], open_matters: Severity
) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    for row in read_rows(release, "tom_qa"):
        where = f"tom_qa.{row['item_id']}"
        yield from _check_licence(release, row, where, open_matters)
        seen[row["item_id"]] += 1
        if seen[row["item_id"]] == 2:
            yield finding("duplicate-id", release, where, "expected each question once")
        try:
            item = tom_of_row(row)
        except ValidationError as error:
            yield finding("row-malformed", release, where, describe_fault(error))
            continue
        if item.moment is None:
            continue
        episode = episodes.get(item.moment.episode_id)
        if episode is None or item.moment.step > episode.num_steps:
            message = f"no such moment: {item.moment.episode_id}, step {item.moment.step}"
            yield finding("moment-missing", release, where, message)


def _check_licence(
    release: Path, row: Row, where: str, open_matters: Severity
) -> Iterator[Finding]:
    if not row["licence"]:
        yield finding(
            "licence-open", release, where, "has no licence on record", severity=open_matters
        )
