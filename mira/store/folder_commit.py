"""A folder of files with their sums, put in place in one step."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from mira.errors import SessionError
from mira.store.atomic import (
    exchange,
    exclusive,
    file_ref,
    os_faults,
    sync_file,
    sync_folder,
    write_new,
)
from mira.store.checksums import SUMS_NAME, check_sums, format_sums, read_sums

PARTIAL = ".tmp-"
"""What all names start with that a killed process may leave beside a folder."""
_WAIT_S = 60.0


def commit_folder(
    target: Path,
    files: Mapping[str, bytes | Path],
    *,
    known: frozenset[str],
    replace: bool,
    durable: bool,
) -> None:
    """Write files and their sums as one folder: it is there whole, or not at all.

    A folder in its place that is not as its sums say does not count and makes way.

    Args:
        target: The folder; the one above it is there.
        files: Content by name, or a file to link or copy, which stays where it is.
        known: Names that are never kept from a folder in its place.
        replace: Whether a whole folder makes way too. Files in it that its sums do not name
            came later, and stay.
        durable: Whether it is to survive a power cut.

    Raises:
        SessionError: There is a whole folder, and it is not to be replaced.
        MiraError: The disk is full, or the folder cannot be written.
    """
    lock = target.with_name(f"{PARTIAL}lock-{target.name}")
    with exclusive(lock, target, timeout_s=_WAIT_S), os_faults(target):
        if not replace and not check_sums(target):
            raise SessionError(target, "is committed already", "replace it, or take another id")
        partial = target.with_name(f"{PARTIAL}{target.name}-{secrets.token_hex(4)}")
        partial.mkdir()
        try:
            for path in _later(target, {*files, *known}):
                _link(path, partial / path.name)
            _fill(partial, files, durable=durable)
            _put_in_place(partial, target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        if durable:
            sync_folder(target.parent)


def _later(folder: Path, names: set[str]) -> Iterator[Path]:
    """What is in a folder beside its sums, their files and those of the given names."""
    digests = read_sums(folder)
    if isinstance(digests, dict):
        names = names | digests.keys() | {SUMS_NAME}
    if folder.is_dir():
        yield from (path for path in sorted(folder.iterdir()) if path.name not in names)


def _link(path: Path, copy: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.copytree(path, copy, symlinks=True)
        return
    try:
        os.link(path, copy, follow_symlinks=False)
    except OSError:
        shutil.copy2(path, copy, follow_symlinks=False)


def _fill(partial: Path, files: Mapping[str, bytes | Path], *, durable: bool) -> None:
    digests = {}
    for name, content in files.items():
        if isinstance(content, Path):
            _link(content, partial / name)
            if durable:
                sync_file(partial / name)
            digests[name] = file_ref(partial / name, relative_to=partial).sha256
        else:
            write_new(partial / name, content, durable=durable)
            digests[name] = hashlib.sha256(content).hexdigest()
    write_new(partial / SUMS_NAME, format_sums(digests), durable=durable)
    if durable:
        sync_folder(partial)


def _put_in_place(partial: Path, target: Path) -> None:
    """Rename; what is in the way takes the partial folder's name, or another such."""
    if not target.exists():
        partial.rename(target)
    elif not exchange(partial, target):
        shelf = target.with_name(f"{PARTIAL}{target.name}-{secrets.token_hex(4)}")
        target.rename(shelf)
        partial.rename(target)
        shutil.rmtree(shelf, ignore_errors=True)
