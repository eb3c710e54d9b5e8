"""The folder of a run: what lies in it beside its results, and whether it may be written to."""

from __future__ import annotations

from pathlib import Path

from mira.errors import PredictionError
from mira.store.atomic import os_faults

WORK_NAME = "inspect"
"""Folder beside a run's files: what was heard, the pictures, and inspect_ai's logs."""
LOGS_NAME = "logs"


def require_free(out: Path, *, resume: bool) -> None:
    """Raise where a folder holds something, and is not to be gone on with.

    Raises:
        PredictionError: It does.
    """
    if resume or not out.exists():
        return
    with os_faults(out):
        found = next(iter(sorted(out.iterdir())), None) if out.is_dir() else out
    if found is not None:
        raise PredictionError(
            out, f"expected a new folder, found {found.name} in it", "choose another, or --resume"
        )
