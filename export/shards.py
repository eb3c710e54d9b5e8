"""Rows stream into a Parquet file whose bytes depend on the rows alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from mira.errors import MissingExtraError
from mira.release.columns import FLAT_CONFIG, PICTURE_COLUMNS, features
from mira.release.digest import row_digest
from mira.release.reader import Row

if TYPE_CHECKING:
    import pyarrow as pa

TEXT_ROWS = 4096
"""Rows a row group of a table without pictures."""
PICTURE_ROWS = 16
"""Rows a row group of a table with pictures: about 12.5 MB, what a viewer reads at once."""
FLAT_ROWS = 64
"""Rows a row group of questions with their pictures has at least: it ends with a picture, so that
what its questions share is stored once."""
_REPEATING_BYTES = 1 << 30
"""A dictionary of pictures is used however large it is: Parquet gives up at 1 MB by itself."""


class WrittenShard(NamedTuple):
    """A file that was written.

    Attributes:
        rows: How many rows are in it.
        row_digests: The digest of each, one after the other.
        sha256: Digest of the file.
        size_bytes: Its length.
    """

    rows: int
    row_digests: bytes
    sha256: str
    size_bytes: int


def write_shard(
    path: Path, table: str, rows: Iterable[Row], *, group_rows: int | None = None
) -> WrittenShard:
    """Write rows, in their order, as one Parquet file; holds one row group at most.

    Args:
        path: The new file; a fault leaves a part of it for its owner to drop.
        table: Name of the table, which has these columns.
        rows: The rows; none make a file without rows.
        group_rows: Rows a row group; by default as many as suit the table.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtraError("pyarrow", "export") from None
    size = group_rows or usual_group_rows(table)
    schema: pa.Schema = features(table).arrow_schema
    columns = leaf_columns(schema)
    plain = [column for column in columns if is_picture(column)]
    digests = bytearray()
    with path.open("wb") as stream:
        hashed = _HashingStream(stream)
        with pq.ParquetWriter(
            hashed,
            schema,
            compression={column: "none" if column in plain else "zstd" for column in columns},
            use_dictionary=[
                column for column in columns if column not in plain or table == FLAT_CONFIG
            ],
            dictionary_pagesize_limit=_REPEATING_BYTES if table == FLAT_CONFIG else None,
            write_page_index=True,
            use_content_defined_chunking=True,
        ) as writer:
            groups = _whole_groups(rows, size) if table == FLAT_CONFIG else _groups(rows, size)
            for group in groups:
                for row in group:
                    digests += row_digest(row)
                writer.write_table(pa.Table.from_pylist(group, schema=schema), row_group_size=size)
        size_bytes = stream.tell()
    return WrittenShard(len(digests) // 32, bytes(digests), hashed.hexdigest(), size_bytes)


def usual_group_rows(table: str) -> int:
    """Rows a row group of a table whose pictures are there."""
    if table == FLAT_CONFIG:
        return FLAT_ROWS
    return TEXT_ROWS if _PICTURES.isdisjoint(features(table)) else PICTURE_ROWS


def leaf_columns(schema: pa.Schema) -> list[str]:
    """Dotted paths of the columns that Parquet stores, such as `image.bytes`."""
    import io

    import pyarrow.parquet as pq

    sink = io.BytesIO()
    with pq.ParquetWriter(sink, schema):
        pass
    stored = pq.ParquetFile(sink).schema
    return [stored.column(k).path for k in range(len(stored))]


def is_picture(column: str) -> bool:
    """Whether a stored column holds picture bytes, which do not compress further."""
    return column in {f"{name}.bytes" for name in PICTURE_COLUMNS}


_PICTURES = frozenset(PICTURE_COLUMNS)


def _groups(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    left = iter(rows)
    while group := list(islice(left, size)):
        yield group


def _whole_groups(rows: Iterable[Row], size: int) -> Iterator[list[Row]]:
    group: list[Row] = []
    for row in rows:
        if len(group) >= size and row["image_id"] != group[-1]["image_id"]:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


class _HashingStream:
    """A file that is hashed while it is written, not read again for that."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()

    def write(self, data: Any) -> int:
        self._hash.update(data)
        return self._stream.write(data)

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def tell(self) -> int:
        return self._stream.tell()

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        """Its owner closes the file."""

    closed = False
