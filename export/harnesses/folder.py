"""The folder of a harness: whole or not at all, and never in the place of somebody else's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from mira.errors import MiraError
from mira.store.atomic import os_faults, replace_folder
from mira.store.replacing import require_replaceable

MARK_NAME = "tasks.json"
"""Says what a folder holds, and names every file in it: what it does not name is not ours."""
_CACHE = "__pycache__"
"""Python leaves it where a harness imported code of the folder."""


@contextmanager
def harness_folder(out: Path, told: dict[str, Any]) -> Iterator[Path]:
    """A folder to fill that takes the place of `out` in one step when the block ends.

    Args:
        out: A folder that is new, empty, or an earlier one of these, which is replaced.
        told: What stands in its mark, beside the names of its files; filled in until the block
            ends.

    Yields:
        The folder to fill.

    Raises:
        MiraError: `out` holds something else, which is named, or cannot be written.
    """
    require_own(out)
    with replace_folder(out) as root, os_faults(out):
        yield root
        content = {**told, "files": [*_files(root), MARK_NAME]}
        options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        (root / MARK_NAME).write_bytes(orjson.dumps(content, option=options))


def require_own(out: Path) -> None:
    """Raise unless a folder is missing, empty, or holds only what an earlier run wrote."""
    named = _named_files(out / MARK_NAME)
    own = {name.split("/")[0] for name in named}
    require_replaceable(out, mark=MARK_NAME, own=own | ({_CACHE} if own else set()))
    if not out.exists():
        return
    with os_faults(out):
        foreign = [name for name in _files(out) if name not in named and not _is_cache(name)]
    if foreign:
        raise MiraError(out, f"holds {foreign[0]!r}, which would be lost", "choose a new folder")


def _files(folder: Path) -> list[str]:
    every = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in every)


def _is_cache(name: str) -> bool:
    return name.startswith(f"{_CACHE}/") and name.endswith(".pyc")


def _named_files(mark: Path) -> frozenset[str]:
    """Files that the mark of an earlier run names; none where it is no such mark."""
    with os_faults(mark):
        text = mark.read_bytes() if mark.is_file() else b"{}"
    try:
        content = orjson.loads(text)
    except orjson.JSONDecodeError:
        return frozenset()
    files = content.get("files") if isinstance(content, dict) and "to" in content else None
    if not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        return frozenset()
    return frozenset(files)
