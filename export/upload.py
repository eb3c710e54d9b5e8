"""A release goes to an object store, by whatever file system fsspec knows its address of.

Stores have no way to swap a folder in one step. So files with rows go first, under names that carry
a hash of their content and never stand for anything else; then what names them; and what only the
old release named is removed last. Whoever loads meanwhile gets the old release or the new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from export.row_schema import SCHEMA_PATH
from mira.errors import ExportError, MiraError, MissingExtraError
from mira.release.reader import INFO_PATH, read_info
from mira.schema.export import ReleaseInfo
from mira.store.atomic import exclusive, os_faults

_CARD = "README.md"
_LOCAL = "file://"
_EXTRAS = {"s3": "s3", "s3a": "s3"}
"""Extras that hold what an address needs."""
Progress = Callable[[int, int], None]
"""Takes bytes done and bytes in all."""


def is_remote(target: str) -> bool:
    """Whether a target is an address such as `s3://bucket/release`, not a folder."""
    return "://" in target and not target.startswith(_LOCAL)


def local_path(target: str) -> Path:
    """The folder that a target names which is not remote."""
    return Path(target.removeprefix(_LOCAL))


def name_of(target: str) -> str:
    """The last part of an address."""
    return target.rstrip("/").rsplit("/", 1)[-1]


@contextmanager
def workbench(target: str) -> Iterator[Path]:
    """A folder to build the release of an address in: the same each time, to go on after a kill.

    It is this user's alone, nobody else works in it meanwhile, and it is gone when the block ends
    well.

    Raises:
        MiraError: Another process builds for the same address.
    """
    key = hashlib.sha256(target.encode()).hexdigest()[:16]
    user = getattr(os, "getuid", int)()
    folder = Path(tempfile.gettempdir()) / f"mira-export-{user}-{key}"
    with os_faults(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
    with exclusive(folder.with_name(f"{folder.name}.lock"), Path(target)):
        yield folder / "release"
        shutil.rmtree(folder, ignore_errors=True)


def require_remote_target(target: str) -> None:
    """An address where nothing but a release would be replaced.

    Raises:
        ExportError: It names no place, holds something else, or cannot be reached.
        MissingExtraError: The package for such addresses is not installed.
    """
    scheme, _, rest = target.partition("://")
    if not scheme or {"", ".", ".."} & set(rest.rstrip("/").split("/")):
        raise ExportError(target, "expected an address such as s3://bucket/folder")
    with _faults(target):
        store, root = _open(target)
        found = _files(store, root)
    if found and INFO_PATH.as_posix() not in found:
        raise ExportError(target, "holds something that is no release", "choose a new address")


def upload_release(release: Path, target: str, *, progress: Progress | None = None) -> None:
    """Put a release in place of the one at an address; whatever else is there stays.

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
        before = _named_by(store, root, there)
        for name in sorted(sizes, key=lambda name: _turn(name, rows)):
            # Names of files with rows tell the content; one of another length was cut off.
            if name not in rows or there.get(name) != sizes[name]:
                store.put_file(str(release / name), f"{root}/{name}")
            done += sizes[name]
            if progress:
                progress(done, sum(sizes.values()))
        for name in sorted(before & there.keys() - sizes.keys()):
            store.rm_file(f"{root}/{name}")


def _named_by(store: Any, root: str, there: Mapping[str, int]) -> frozenset[str]:
    """Files of the release that is there, by what it says of itself."""
    name = INFO_PATH.as_posix()
    if name not in there:
        return frozenset()
    info = ReleaseInfo.from_json(store.cat_file(f"{root}/{name}"), where=name)
    return frozenset((*(ref.path for ref in info.file_refs()), SCHEMA_PATH.as_posix()))


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
    except MiraError:
        raise
    except ImportError:
        scheme = target.split("://")[0]
        if scheme not in _EXTRAS:
            raise ExportError(
                target, f"expected an installed package for {scheme!r}, found none"
            ) from None
        raise MissingExtraError("s3fs", _EXTRAS[scheme]) from None
    except Exception as error:
        raise ExportError(target, f"cannot be written: {error}") from None
