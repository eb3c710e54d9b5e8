"""Rows of a release, straight from its Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mira.errors import MissingExtraError, ReleaseError
from mira.schema.export import ConfigInfo, ReleaseInfo

Row = dict[str, Any]
INFO_PATH = Path("meta") / "info.json"
_BATCH_ROWS = {"qa": 2048, "scenes": 4}


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


def instance_words(instance: Row) -> str:
    """An instance of a row of `scenes` in words, such as `white cup`."""
    return str(instance["description"] or instance["category"] or "object")
