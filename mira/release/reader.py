"""Rows of a release, straight from its Parquet files."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mira.errors import MiraError, MissingExtraError, ReleaseError
from mira.schema.export import ConfigInfo, ReleaseInfo

Row = dict[str, Any]
INFO_PATH = Path("meta") / "info.json"
_BATCH_ROWS = {"qa": 2048, "scenes": 4}
_PATTERN = re.compile(r"[*?]|\[.*\]|::")
"""What `datasets` and fsspec take for a pattern or a chain of file systems in a path."""
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)
_NO_ACCESS = (errno.EACCES, errno.EPERM, errno.EROFS)


def read_info(release: Path) -> ReleaseInfo:
    """What a release says of itself.

    Raises:
        ReleaseError: The folder is no release, or its record cannot be read.
        RecordError: It was written by a newer program, or its record is damaged.
    """
    path = release / INFO_PATH
    try:
        text = path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise ReleaseError(path, f"cannot be read: {error.strerror or error}") from None
    if text is None:
        raise ReleaseError(release, "is no release", "make one: mira export build")
    return ReleaseInfo.from_json(text, where=path)


def release_digest(release: Path) -> str:
    """SHA-256 of what a release holds, whatever its name and file layout."""
    return read_info(release).digest


def read_questions(
    release: Path, *, columns: Sequence[str] | None = None, split: str | None = None
) -> Iterator[Row]:
    """Questions of a release in their order; see `columns.py` for the keys, plus `split`."""
    return read_rows(release, "qa", columns=columns, split=split)


def read_scenes(
    release: Path, *, columns: Sequence[str] | None = None, split: str | None = None
) -> Iterator[Row]:
    """Pictures of a release with their annotation; pictures come as `{"bytes", "path"}`."""
    return read_rows(release, "scenes", columns=columns, split=split)


def read_rows(
    release: Path, config: str, *, columns: Sequence[str] | None = None, split: str | None = None
) -> Iterator[Row]:
    """Rows of one table, a few in memory at a time.

    Args:
        release: The folder.
        config: Name of the table.
        columns: Keys to read; all by default.
        split: Only this split.

    Raises:
        ReleaseError: The table or a file of it is missing or damaged.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("pyarrow", "export") from None
    wanted = None if columns is None else [name for name in columns if name != "split"]
    for part in config_info(read_info(release), config, release).splits:
        if split is not None and part.split != split:
            continue
        for ref in part.files:
            path = release / ref.path
            try:
                # Buffering ahead would hold the whole shard.
                with pq.ParquetFile(path, pre_buffer=False) as table:
                    for batch in table.iter_batches(_BATCH_ROWS.get(config, 64), columns=wanted):
                        for row in batch.to_pylist():
                            yield {"split": part.split, **row}
            except (OSError, pa.ArrowException) as error:
                raise ReleaseError(path, f"cannot be read: {error}") from None


def config_info(info: ReleaseInfo, config: str, where: Path) -> ConfigInfo:
    """The entry of one table.

    Raises:
        ReleaseError: The release has no such table.
    """
    for entry in info.configs:
        if entry.name == config:
            return entry
    names = ", ".join(entry.name for entry in info.configs)
    raise ReleaseError(where, f"expected a config of {names}, found {config!r}")


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
