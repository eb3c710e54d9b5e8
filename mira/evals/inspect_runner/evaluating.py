"""The call of inspect_ai, told what all of our runs have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import Dataset
from inspect_ai.solver import Solver

from mira.errors import MiraError
from mira.evals.inspect_runner.options import ModelOptions


def evaluate(
    dataset: Dataset,
    solver: Solver,
    *,
    model: Any,
    log_dir: Path,
    options: ModelOptions,
    metadata: Mapping[str, Any],
) -> Path | None:
    """Let a solver work through samples, and give back the log; None where somebody broke it off.

    A sample that fails leaves the others alone; what became of it is for the solver to keep.

    Raises:
        MiraError: inspect_ai gave up.
    """
    logs = run_eval(
        Task(dataset=dataset, solver=solver, name="mira"),
        model=model,
        log_dir=str(log_dir),
        log_format="eval",
        display="none",
        log_level="error",
        log_images=False,
        log_model_api=False,
        log_realtime=False,
        log_header_only=True,
        ctl_server=False,
        score=False,
        fail_on_error=False,
        # Weights say one reply at a time; what waits for them only ages.
        max_connections=1 if options.weights else options.max_connections,
        max_retries=options.retries,
        metadata=dict(metadata),
    )
    if not logs or logs[0].status == "cancelled":
        return None
    if logs[0].status == "error":
        problem = f"inspect_ai gave up: {logs[0].error and logs[0].error.message}"
        raise MiraError(f"model {options.model}", problem)
    return Path(logs[0].location.removeprefix("file://"))
