"""Where `datasets` can load a release from, and what to say when it did not."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from pathlib import Path

from mira.errors import MiraError, ReleaseError

_PATTERN = re.compile(r"[*?]|\[.*\]|::")
"""What `datasets` and fsspec take for a pattern or a chain of file systems in a path."""
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
_NO_ACCESS = (errno.EACCES, errno.EPERM, errno.EROFS)


def require_loadable_path(release: Path) -> None:
    """Refuse a place that `datasets` cannot load a folder from, whatever the folder holds.

    Raises:
        ReleaseError: The path reads as a pattern, as a chain of file systems or as a script.
    """
    found = _PATTERN.search(str(release.absolute()))
    if found or release.absolute().name.endswith(".py"):
        what = f"{found.group()!r} in its path" if found else "a name that ends in .py"
        raise ReleaseError(
            release, f"expected a path that `datasets` can load from, found {what}", "rename it"
        )


def load_fault(
    error: BaseException, *, release: Path, config: str, scratch: Path, setting: str
) -> MiraError:
    """What to raise in place of what `load_dataset` raised.

    Args:
        error: What it raised; `datasets` wraps the first cause, at times several times over.
        release: The folder it was to load.
        config: The table.
        scratch: Where it was to write.
        setting: What the user changes to have it written elsewhere.

    Returns:
        A `ReleaseError`; where the disk is at fault and not the release, a plain `MiraError`.
    """
    first = error
    for cause in _chain(error):
        first = cause
        if not isinstance(cause, OSError) or _lies_in(release, cause.filename):
            continue
        if cause.errno in _NO_SPACE or str(cause).startswith("Not enough disk space"):
            return MiraError(scratch, "the disk is full", f"free space, or set {setting}")
        if cause.errno in _NO_ACCESS:
            return MiraError(
                scratch, f"cannot be written: {cause.strerror or cause}", f"set {setting}"
            )
    text = str(error) if first is error else f"{error}: {first}"
    return ReleaseError(release, f"`datasets` cannot load {config!r}: {text}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _lies_in(folder: Path, name: object) -> bool:
    return isinstance(name, str) and Path(name).absolute().is_relative_to(folder.absolute())
