"""Whether files have changed, without reading them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class FileStamp(NamedTuple):
    """What changes with a file's content, as writers of a workspace put a new file in place.

    Attributes:
        inode: Number of the file.
        mtime_ns: When it was written.
        size_bytes: Its length.
    """

    inode: int
    mtime_ns: int
    size_bytes: int


def file_stamp(path: Path) -> FileStamp | None:
    """The stamp of a file; None where there is none."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return FileStamp(found.st_ino, found.st_mtime_ns, found.st_size)
