"""Room on the disk, asked for before it is needed."""

from __future__ import annotations

import shutil
from pathlib import Path

from capture.policy import CapturePolicy
from mira.errors import CaptureError
from mira.schema.capture_plan import CapturePlan
from mira.store.atomic import os_faults

_PICTURE_BYTES_PX = 8
"""Bytes a pixel that the pictures of a view take at most: colour, and depth twice."""
_SPARE_PAIRS = 8
"""Pairs that a recording may hold beyond those asked for."""


class DiskFullError(CaptureError):
    """There is too little room to go on."""


def require_room(folder: Path, plan: CapturePlan, *, policy: CapturePolicy, what: str) -> None:
    """Enough room for a view and those that wait, beside what is left alone.

    Raises:
        DiskFullError: There is less.
    """
    color, depth = (size[0] * size[1] for size in (plan.camera.color, plan.camera.depth))
    view_bytes = _PICTURE_BYTES_PX * (color + depth) * (2 if plan.emitter_pair else 1)
    if plan.raw_pairs:
        # Twice: some file systems copy where others link.
        view_bytes += 2 * (plan.raw_pairs + _SPARE_PAIRS) * (3 * color + 2 * depth)
    needed = view_bytes * (1 + policy.waiting_views) + policy.reserve_bytes
    with os_faults(folder):
        free = shutil.disk_usage(folder).free
    if free < needed:
        expected = f"expected {needed / 1e6:,.0f} MB of free disk to take {what}"
        problem = f"{expected}, found {free / 1e6:,.0f} MB"
        raise DiskFullError(folder, problem, "make room and run it again")
