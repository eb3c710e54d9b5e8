"""Three rendered rooms that come with the package, for demonstrations and tests without GL."""

from __future__ import annotations

from pathlib import Path

PACKAGED_SEED = 21
"""Seed of the series that the packaged scenes are the first of."""
PACKAGED_COUNT = 3
"""Number of packaged scenes: one of each style."""


def packaged_scenes_dir() -> Path:
    """The folder that holds one folder a scene, in the form that `write_rooms` writes."""
    return Path(__file__).parent / "packaged"


def packaged_scene_ids() -> tuple[str, ...]:
    """Ids of the packaged scenes, in order."""
    folders = (path.parent.name for path in packaged_scenes_dir().glob("*/scene.json"))
    return tuple(sorted(folders))
