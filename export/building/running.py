"""Files of a release are written, here or by several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from export.building.records import BuildPlan, Shard
from export.building.rows import rows_of
from export.building.sources import Sources
from export.building.staging import Staging
from export.building.statistics import Statistics
from export.shards import WrittenShard, write_shard
from mira.errors import ExportError
from mira.release.reader import Row
from mira.schema.record import Record

Progress = Callable[[int, int], None]
"""Takes rows done and rows in all."""
Executor = Literal["local", "slurm", "ray"]
"""Who runs the processes: this machine, a Slurm cluster or a Ray cluster."""
_POLL_S = 0.2


class Execution(Record):
    """How a release is written; its bytes do not depend on it."""

    executor: Executor = "local"
    """Who runs the processes."""
    tasks: int = 1
    """Processes; with `local` 1 is this one."""
    slurm_partition: str | None = None
    """Partition of the cluster."""
    slurm_time: str = "02:00:00"
    """Time limit of a process, as Slurm reads it."""


def run_build(
    sources: Sources,
    plan: BuildPlan,
    staging: Staging,
    execution: Execution,
    *,
    progress: Progress | None,
) -> None:
    """Write the files of a release that are not written yet.

    Raises:
        MiraError: A file cannot be written.
        ExportError: Processes ended without having written all.
        MissingExtraError: What runs the processes is not installed.
    """
    staging.check(plan.shards)
    if execution.executor == "local" and execution.tasks == 1:
        total = sum(shard.rows for shard in plan.shards)
        left = list(staging.open_shards(plan.shards))
        count = _Counter(progress, total - sum(shard.rows for shard in left), total)
        for shard in left:
            write_one(sources, plan, staging, shard, count=count)
        return
    from export.building.executors import execute

    with _watched(plan, staging, progress):
        execute(plan, staging, execution)
    for fault in staging.faults(plan.shards):
        raise fault
    if left := list(staging.open_shards(plan.shards)):
        raise UnfinishedBuildError(
            staging.root,
            f"{len(left)} of {len(plan.shards)} files are not written, {left[0].name} for one",
            f"logs are in {staging.root / 'logs'}; the same command goes on from here",
        )


class UnfinishedBuildError(ExportError):
    """Processes ended before all was written, by no fault of what goes in."""


def write_one(
    sources: Sources,
    plan: BuildPlan,
    staging: Staging,
    shard: Shard,
    *,
    count: Callable[[], None] | None = None,
) -> None:
    """Write one file of a release.

    Args:
        sources: Where its rows are from.
        plan: What is known of the whole release.
        staging: Where it is to wait.
        shard: The file.
        count: Called for each row.

    Raises:
        ExportError: The workspace is no longer what it was when the release was planned.
    """
    statistics = Statistics()

    def fill(path: Path) -> WrittenShard:
        rows = rows_of(shard, sources, plan, statistics)
        written = write_shard(path, shard.table, _counted(rows, count), group_rows=shard.group_rows)
        if written.rows != shard.rows:
            raise changed(sources)
        return written

    staging.write(shard, fill, statistics.plain)


def changed(sources: Sources) -> ExportError:
    """What is said of a workspace that somebody writes while a release is made of it."""
    return ExportError(
        sources.root(), "changed while the release was being written", "run it again"
    )


class _Counter:
    """Rows done, told now and then."""

    def __init__(self, progress: Progress | None, done: int, total: int) -> None:
        self._progress, self._done, self._total = progress, done, total

    def __call__(self) -> None:
        self._done += 1
        if self._progress and (self._done % 100 == 0 or self._done == self._total):
            self._progress(self._done, self._total)


def _counted(rows: Iterator[Row], count: Callable[[], None] | None) -> Iterator[Row]:
    for row in rows:
        yield row
        if count:
            count()


@contextmanager
def _watched(plan: BuildPlan, staging: Staging, progress: Progress | None) -> Iterator[None]:
    """Tell of rows in files that others finish meanwhile."""
    total = sum(shard.rows for shard in plan.shards)
    over = threading.Event()

    def watch() -> None:
        told = 0
        ended = False
        while not ended:
            ended = over.wait(_POLL_S)
            done = total - sum(shard.rows for shard in staging.open_shards(plan.shards))
            if progress and done > told:
                progress(done, total)
                told = done

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
