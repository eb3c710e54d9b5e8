"""Files of a release are written, here or by several processes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal

from export.building.records import BuildPlan, Shard
from export.building.rows import rows_of
from export.building.sources import Sources
from export.building.staging import Staging
from export.building.statistics import Statistics
from export.shards import WrittenShard, write_shard
from mira.errors import ExportError
from mira.processes.pool import results_of
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


def require_runnable(execution: Execution) -> None:
    """Raise unless what is to run the processes is there, before anything is written.

    Raises:
        ExportError: There is no such cluster here.
        MissingExtraError: A package is missing.
    """
    if execution.executor != "local":
        from export.building.clusters import require_cluster

        require_cluster(execution)


def run_build(
    plan: BuildPlan, staging: Staging, execution: Execution, *, progress: Progress | None
) -> None:
    """Write the files of a release that are not written yet.

    Raises:
        MiraError: A file cannot be written.
        UnfinishedBuildError: Jobs ended without having written all.
    """
    staging.check(plan.shards)
    if execution.executor == "local":
        _run_here(plan, staging, execution.tasks, progress)
        return
    from export.building.clusters import run_jobs

    with _watched(plan, staging, progress):
        run_jobs(plan, staging, execution)
    for fault in staging.faults(plan.shards):
        raise fault
    if left := list(staging.open_shards(plan.shards)):
        raise UnfinishedBuildError(
            staging.root,
            f"{len(left)} of {len(plan.shards)} files are not written, {left[0].name} for one",
            f"logs are in {staging.root / 'logs'}; the same command goes on from here",
        )


def _run_here(plan: BuildPlan, staging: Staging, tasks: int, progress: Progress | None) -> None:
    total = sum(shard.rows for shard in plan.shards)
    left = list(staging.open_shards(plan.shards))
    done = total - sum(shard.rows for shard in left)
    if tasks == 1:
        count = _Counter(progress, done, total)
        sources = Sources.of(plan)
        for shard in left:
            write_one(sources, plan, staging, shard, count=count)
        return
    work = partial(_write_there, staging.root)
    for shard in results_of(work, left, workers=min(tasks, max(1, len(left)))):
        done += shard.rows
        if progress:
            progress(done, total)


def _write_there(root: Path, shard: Shard) -> Shard:
    """Write one file in a process that knows nothing yet."""
    staging = Staging(root)
    plan, sources = _known(root)
    write_one(sources, plan, staging, shard)
    return shard


@lru_cache(maxsize=1)
def _known(root: Path) -> tuple[BuildPlan, Sources]:
    plan = Staging(root).plan()
    return plan, Sources.of(plan)


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
            problem = f"{shard.name}: expected {shard.rows} rows, found {written.rows}"
            raise ExportError(sources.root(), problem, "it changed meanwhile; run it again")
        return written

    staging.write(shard, fill, statistics.plain)


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
