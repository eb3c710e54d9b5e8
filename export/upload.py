"""A release goes to an object store, by whatever file system fsspec knows its address of.

Stores have no way to swap a folder in one step. So files with rows go first, under names that carry
a hash of their content and never stand for anything else; then what names them; and what only the
old release named is removed last. Whoever loads meanwhile gets the old release or the new one.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mira.errors import ExportError, MissingExtraError
from mira.release.reader import INFO_PATH, read_info
from mira.schema.export import ReleaseInfo

_CARD = "README.md"
_EXTRAS = {"s3": "s3", "s3a": "s3"}
"""Extras that hold what an address needs."""
Progress = Callable[[int, int], None]
"""Takes bytes done and bytes in all."""


def is_remote(target: str) -> bool:
    """Whether a target is an address such as `s3://bucket/release`, not a folder."""
    return "://" in target


def local_build(target: str) -> Path:
    """Where a release for an address is built: the same folder each time, to go on after a kill."""
    key = hashlib.sha256(target.encode()).hexdigest()[:16]
    name = target.rstrip("/").rsplit("/", 1)[-1]
    return Path(tempfile.gettempdir()) / f"mira-export-{key}" / name


def require_remote_target(target: str) -> None:
    """An address where nothing but a release would be replaced.

    Raises:
        ExportError: It holds something else, or cannot be reached.
        MissingExtraError: The package for such addresses is not installed.
    """
    with _faults(target):
        store, root = _open(target)
        found = _files(store, root)
    if found and INFO_PATH.as_posix() not in found:
        raise ExportError(target, "holds something that is no release", "choose a new address")


def upload_release(release: Path, target: str, *, progress: Progress | None = None) -> None:
    """Put a release in place of what is at an address.

    Args:
        release: The folder.
        target: The address.
        progress: Called with bytes done and bytes in all.

    Raises:
        ExportError: The address holds something else than a release, or cannot be written; the
            same again goes on with what is missing.
        MissingExtraError: The package for such addresses is not installed.
    """
    require_remote_target(target)
    sizes = {
        path.relative_to(release).as_posix(): path.stat().st_size
        for path in sorted(release.rglob("*"))
        if path.is_file()
    }
    rows = _row_files(read_info(release))
    done = 0
    with _faults(target):
        store, root = _open(target)
        there = _files(store, root)
        for name in sorted(sizes, key=lambda name: _turn(name, rows)):
            # Names of files with rows tell the content; one of another length was cut off.
            if name not in rows or there.get(name) != sizes[name]:
                store.put_file(str(release / name), f"{root}/{name}")
            done += sizes[name]
            if progress:
                progress(done, sum(sizes.values()))
        for name in there.keys() - sizes.keys():
            store.rm_file(f"{root}/{name}")


def _turn(name: str, rows: frozenset[str]) -> tuple[int, str]:
    """Files with rows first; the card and the record of the release, by which it is read, last."""
    last = {_CARD: 2, INFO_PATH.as_posix(): 3}
    return 0 if name in rows else last.get(name, 1), name


def _row_files(info: ReleaseInfo) -> frozenset[str]:
    return frozenset(
        ref.path for config in info.configs for part in config.splits for ref in part.files
    )


def _open(target: str) -> tuple[Any, str]:
    import fsspec

    store, root = fsspec.core.url_to_fs(target)
    return store, str(root).rstrip("/")


def _files(store: Any, root: str) -> dict[str, int]:
    """Sizes of what is at an address, by name."""
    store.invalidate_cache()
    found = store.find(root, detail=True) if store.exists(root) else {}
    return {
        name.removeprefix(root).lstrip("/"): entry["size"]
        for name, entry in found.items()
        if entry["type"] == "file"
    }


@contextmanager
def _faults(target: str) -> Iterator[None]:
    """Whatever a store raises, in one line: each has exceptions of its own."""
    try:
        yield
    except ImportError:
        scheme = target.split("://")[0]
        if scheme not in _EXTRAS:
            raise ExportError(
                target, f"expected an installed package for {scheme!r}, found none"
            ) from None
        raise MissingExtraError("s3fs", _EXTRAS[scheme]) from None
    except Exception as error:
        raise ExportError(target, f"cannot be written: {error}") from None
