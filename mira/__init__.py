"""MIRA carries an RGB-D mirror dataset from the camera to the leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mira.release.loading import load

__all__ = ["load"]


def __getattr__(name: str) -> Any:
    if name == "load":
        from mira.release.loading import load

        return load
    raise AttributeError(f"module 'mira' has no attribute {name!r}")
