"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from mira.errors import MiraError
from mira.schema.record import FileRef

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
_POLL_S = 0.005
"""What a lock guards for long is not waited for, and what is waited for takes a moment."""


def write_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put bytes in a file: a reader, or a crash, sees the old content or the new, never a part.

    Args:
        path: The file; its folder is made where it is missing.
        data: The whole content.
        durable: Whether it is to survive a power cut too, which takes a moment longer.

    Raises:
        MiraError: The disk is full or the folder cannot be written.
    """
    with os_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = _beside(path, "partial")
        try:
            write_new(partial, data, durable=durable)
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        if durable:
            sync_folder(path.parent)


def write_new(path: Path, data: bytes, *, durable: bool) -> None:
    """Write a file that is not there yet, in one go and in place; `durable` as for `write_file`."""
    # Opened by name, so that the file gets the rights the user's umask leaves.
    with path.open("xb") as stream:
        stream.write(data)
        if durable:
            stream.flush()
            os.fsync(stream.fileno())


@contextmanager
def replace_folder(target: Path) -> Iterator[Path]:
    """A new folder to fill that takes the place of `target` in one step when the block ends.

    Until then, and for good if the block raises or the process dies, the old folder stays as it
    was; where the system cannot swap two names, a process that dies between two renames leaves it
    to the next one to put the old folder back. What a dead process left beside the target is
    removed by the next one.

    Args:
        target: The folder to make or to replace; a link is followed.

    Yields:
        An empty folder on the same file system.

    Raises:
        MiraError: Another process is writing the same target, it cannot be replaced, or the disk
            is full.
    """
    with os_faults(target):
        target = _replaceable(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(target.with_name(f".{target.name}.lock"), target):
            _tidy(target)
            partial = _beside(target, "partial")
            partial.mkdir()
            try:
                yield partial
                _sync_tree(partial)
                _put_in_place(partial, target)
                sync_folder(target.parent)
            finally:
                shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def exclusive(lock_path: Path, what: Path, *, timeout_s: float = 0) -> Iterator[None]:
    """Hold a lock that dies with the process; the lock file is removed at the end.

    Args:
        lock_path: The lock's file.
        what: What it guards, named in the error.
        timeout_s: How long to wait for another process.

    Raises:
        MiraError: Another process holds it, or its folder cannot be written.
    """
    lock = FileLock(lock_path)
    with os_faults(what):
        try:
            lock.acquire(timeout=timeout_s, poll_interval=_POLL_S)
        except Timeout:
            raise MiraError(what, "another process is writing it", "wait for it to end") from None
    try:
        yield
    finally:
        with suppress(OSError):
            lock_path.unlink()
        lock.release()


@contextmanager
def os_faults(where: Path) -> Iterator[None]:
    """Turn faults of the file system into one line.

    Args:
        where: Named where the system names no file itself.

    Raises:
        MiraError: In place of any `OSError`.
    """
    try:
        yield
    except OSError as error:
        raise os_fault(error, where) from error


def os_fault(error: OSError, where: str | Path) -> MiraError:
    """A fault of the file system in one line that names the file."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        source, _, reason = error.args[0][0]
        return MiraError(source, str(reason))
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return MiraError(where, "the disk is full; what was there before is unchanged")
    named = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else where
    return MiraError(named, error.strerror or str(error))


def sync_file(path: Path) -> None:
    """Make a file's content survive a power cut."""
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Make a rename in a folder survive a power cut, where the system lets one."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def file_ref(path: Path, *, relative_to: Path) -> FileRef:
    """Path, digest and size of a file."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
            size += len(block)
    name = path.relative_to(relative_to).as_posix()
    return FileRef(path=name, sha256=digest.hexdigest(), size_bytes=size)


def _beside(path: Path, purpose: str) -> Path:
    return path.with_name(f".{path.name}.{purpose}-{secrets.token_hex(4)}")


def _left_beside(path: Path, purpose: str) -> list[Path]:
    pattern = re.compile(rf"{re.escape(f'.{path.name}.{purpose}-')}[0-9a-f]{{8}}")
    return sorted(entry for entry in path.parent.iterdir() if pattern.fullmatch(entry.name))


def _replaceable(target: Path) -> Path:
    """The real place of a folder that is to be replaced.

    Raises:
        MiraError: It is a mount point, or the working folder is in it: neither can be renamed
            without harm.
    """
    try:
        real = target.resolve()
    except RuntimeError:
        raise MiraError(target, "is a link that leads to itself") from None
    if os.path.ismount(real):
        raise MiraError(target, "is a mount point", "write to a folder in it")
    if real == Path.cwd() or real in Path.cwd().parents:
        raise MiraError(target, "holds the folder you are in", "write to another folder")
    return real


def _tidy(target: Path) -> None:
    """Put back what a process that died had shelved, and remove what it left."""
    for shelf in _left_beside(target, "old"):
        if target.exists():
            shutil.rmtree(shelf, ignore_errors=True)
        else:
            shelf.rename(target)
    for partial in _left_beside(target, "partial"):
        shutil.rmtree(partial, ignore_errors=True)


def _sync_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            sync_file(path)
    sync_folder(folder)


def _put_in_place(partial: Path, target: Path) -> None:
    """Rename onto a missing target; swap with an existing one, so that no moment is without it."""
    if not target.exists():
        partial.rename(target)
    elif not exchange(partial, target):
        shelf = _beside(target, "old")
        target.rename(shelf)
        try:
            partial.rename(target)
        except OSError:
            shelf.rename(target)
            raise
        shutil.rmtree(shelf, ignore_errors=True)


def exchange(first: Path, second: Path) -> bool:
    """Swap two names in one step (Linux `renameat2`); False where the system cannot."""
    if sys.platform != "linux":
        return False
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    names = (os.fsencode(first), os.fsencode(second))
    done: int = renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    return done == 0
