"""What the mark of a folder tells of where it is from."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from export.harnesses.options import TaskOptions
from mira.schema.export import ReleaseInfo


def told_of(harness: str, info: ReleaseInfo, options: TaskOptions) -> dict[str, Any]:
    """Harness, release and options, as `harness_folder` takes them.

    Args:
        harness: Name of the harness, as the command line has it.
        info: What the release says of itself.
        options: What was asked for.
    """
    return {
        "to": harness,
        "release": info.name,
        "release_digest": info.digest,
        "protocol": options.protocol,
        "modality": options.modality,
        "split": options.split,
        "limit": options.limit,
        "mira": version("mira-toolkit"),
    }
