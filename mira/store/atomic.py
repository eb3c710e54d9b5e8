"""Files and folders that are there whole or not at all."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from mira.errors import MiraError
from mira.schema.record import FileRef

_PARTIAL = ".partial-"
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def write_file(path: Path, data: bytes) -> None:
    """Put bytes in a file: a reader, or a crash, sees the old content or the new, never a part.

    Args:
        path: The file; its folder is made where it is missing.
        data: The whole content.

    Raises:
        MiraError: The disk is full or the folder cannot be written.
    """
    with os_faults(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}{_PARTIAL}")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


@contextmanager
def replace_folder(target: Path) -> Iterator[Path]:
    """A new folder to fill that takes the place of `target` in one step when the block ends.

    Until then, and for good if the block raises or the process dies, the old folder stays as it
    was. What a dead process left beside the target is removed by the next one.

    Args:
        target: The folder to make or to replace.

    Yields:
        An empty folder on the same file system.

    Raises:
        MiraError: Another process is writing the same target, or the disk is full.
    """
    target = target.resolve()
    parent = target.parent
    with os_faults(target):
        parent.mkdir(parents=True, exist_ok=True)
        with exclusive(parent / f".{target.name}.lock", target):
            for leftover in parent.glob(f".{target.name}{_PARTIAL}*"):
                shutil.rmtree(leftover, ignore_errors=True)
            partial = Path(tempfile.mkdtemp(dir=parent, prefix=f".{target.name}{_PARTIAL}"))
            partial.chmod(0o755)
            try:
                yield partial
                _sync_tree(partial)
                _put_in_place(partial, target)
                sync_folder(parent)
            finally:
                shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def exclusive(lock_path: Path, what: Path) -> Iterator[None]:
    """Hold a lock that dies with the process; the lock file is removed at the end.

    Raises:
        MiraError: Another process holds it.
    """
    lock = FileLock(lock_path)
    try:
        lock.acquire(timeout=0)
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
    """Turn faults of the file system into one line that names the place."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise MiraError(where, "the disk is full; nothing was changed", "free space") from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise MiraError(where, f"cannot be written: {error.strerror}") from error
        raise


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


def _sync_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as stream:
                os.fsync(stream.fileno())
    sync_folder(folder)


def _put_in_place(partial: Path, target: Path) -> None:
    """Rename onto a missing target; swap with an existing one, so that no moment is without it."""
    if not target.exists():
        partial.rename(target)
    elif not _exchange(partial, target):
        shelved = Path(tempfile.mkdtemp(dir=partial.parent, prefix=f".{target.name}{_PARTIAL}"))
        target.rename(shelved / target.name)
        partial.rename(target)
        shutil.rmtree(shelved, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Swap two names in one step (Linux `renameat2`); False where the system cannot."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    names = (os.fsencode(first), os.fsencode(second))
    done: int = renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE)
    return done == 0
