"""Jobs of a cluster, run by datatrove; rank and number are all they are told.

Its own marks of completion are not relied on: they would outlive files that somebody deletes. What
is done is what the staging folder holds, which is named after what goes in.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from export.building.records import BuildPlan
from export.building.running import Execution, write_one
from export.building.sources import Sources
from export.building.staging import Staging
from mira.errors import ExportError, MiraError, MissingExtraError

try:
    from datatrove.executor.ray import RayPipelineExecutor
    from datatrove.executor.slurm import SlurmPipelineExecutor
    from datatrove.pipeline.base import PipelineStep
    from loguru import logger
except ImportError:
    raise MissingExtraError("datatrove", "scale") from None

_SLURM_POLL_S = 2.0


class WriteShards(PipelineStep):  # type: ignore[misc]
    """Every so many files of a build, by rank."""

    name = "write the files of a release"
    type = "export"

    def __init__(self, staging: Path) -> None:
        super().__init__()
        self._staging = staging

    def run(self, _data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Write those of this rank; a fault in one is noted, and the others are written."""
        staging = Staging(self._staging)
        plan = staging.plan()
        _require_versions(plan)
        sources = Sources.of(plan)
        for shard in staging.open_shards(plan.shards[rank::world_size]):
            try:
                write_one(sources, plan, staging, shard)
            except MiraError as fault:
                staging.report_fault(shard, fault)
        yield from ()


def _require_versions(plan: BuildPlan) -> None:
    """Raise unless this machine has the programs of the one that planned: others, other bytes."""
    for tool, wanted in plan.versions.items():
        if version(tool) != wanted:
            problem = f"expected version {wanted} as where the build was begun"
            raise ExportError(tool, f"{problem}, found {version(tool)}")


def require_cluster(execution: Execution) -> None:
    """Raise unless a cluster can be asked to run jobs.

    Raises:
        ExportError: Slurm is not here, or is not told where.
        MissingExtraError: Ray is not installed.
    """
    if execution.executor == "ray":
        if find_spec("ray") is None:
            raise MissingExtraError("ray", "ray")
        return
    if shutil.which("sbatch") is None:
        raise ExportError("--executor slurm", "expected `sbatch` on the path, found none")
    if execution.slurm_partition is None:
        raise ExportError("--slurm-partition", "expected the name of a partition, found none")


def run_jobs(plan: BuildPlan, staging: Staging, execution: Execution) -> None:
    """Run jobs until all have ended.

    Raises:
        ExportError: They cannot be started.
    """
    logger.disable("datatrove")
    options = {
        "pipeline": [WriteShards(staging.root)],
        "tasks": min(execution.tasks, len(plan.shards)),
        "logging_dir": str(staging.root / "logs"),
        "skip_completed": False,
    }
    if execution.executor == "ray":
        _run_ray(options)
    else:
        _run_slurm(plan, staging, execution, options)


class _RayExecutor(RayPipelineExecutor):  # type: ignore[misc]
    """What datatrove says goes into its logs alone."""

    def _run_for_rank(self, *args: Any, **kwargs: Any) -> Any:
        with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stderr(nowhere):
            try:
                return super()._run_for_rank(*args, **kwargs)
            finally:
                logger.remove()


class _SlurmExecutor(SlurmPipelineExecutor):  # type: ignore[misc]
    def launch_merge_stats(self) -> None:
        """No further job: nobody asks for datatrove's statistics."""


def _run_ray(options: dict[str, Any]) -> None:
    import ray

    started = not ray.is_initialized()
    if started:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    try:
        _RayExecutor(**options, mem_per_cpu_gb=1).run()
    finally:
        if started:
            ray.shutdown()


def _run_slurm(
    plan: BuildPlan, staging: Staging, execution: Execution, options: dict[str, Any]
) -> None:
    executor = _SlurmExecutor(
        **options,
        time=execution.slurm_time,
        partition=execution.slurm_partition,
        job_name="mira-export",
        qos="",
        env_command=f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH",
    )
    try:
        executor.run()
    except subprocess.CalledProcessError as error:
        # It has said why, on stderr.
        problem = f"sbatch refused the jobs, with status {error.returncode}"
        raise ExportError("--executor slurm", problem) from None
    job_id = str(executor.job_id)
    try:
        while any(staging.open_shards(plan.shards)) and _is_in_queue(job_id):
            time.sleep(_SLURM_POLL_S)
    except KeyboardInterrupt:
        subprocess.run(["scancel", job_id], capture_output=True, check=False)
        raise


def _is_in_queue(job_id: str) -> bool:
    """Whether jobs wait or run; where the queue does not answer, they may."""
    said = subprocess.run(
        ["squeue", "--noheader", "--jobs", job_id], capture_output=True, text=True, check=False
    )
    is_unknown_job = "Invalid job id" in said.stderr
    return bool(said.stdout.strip()) or (said.returncode != 0 and not is_unknown_job)
