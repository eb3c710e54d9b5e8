"""Which MIRA writes a record."""

from __future__ import annotations

from functools import cache
from importlib import metadata


@cache
def tool_version() -> str:
    """Version of the installed distribution, `unknown` where it runs from bare sources."""
    try:
        return metadata.version("mira-toolkit")
    except metadata.PackageNotFoundError:
        return "unknown"
