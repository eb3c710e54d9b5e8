"""A folder that may be replaced: what somebody put there is never lost."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from mira.errors import MiraError
from mira.store.atomic import os_faults


def require_replaceable(out: Path, *, mark: str, own: Collection[str]) -> None:
    """Raise unless a folder is missing, empty, or what an earlier run wrote.

    Args:
        out: The folder to write.
        mark: A file that every earlier run left in it.
        own: Names that a run may leave at its top, the mark among them.

    Raises:
        MiraError: It holds something else, which is named.
    """
    # A path such as `nothing/..` leads to a folder that is there, where it seems that none is.
    out = out.resolve()
    if not out.exists():
        return
    if not out.is_dir():
        raise MiraError(out, "expected a folder, found a file")
    with os_faults(out):
        found = {entry.name for entry in out.iterdir()}
    if foreign := sorted(found - set(own)) or ([] if mark in found else sorted(found)):
        raise MiraError(out, f"holds {foreign[0]!r}, which would be lost", "choose a new folder")
