"""Rows stream into Parquet shards whose bytes depend on the rows alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mira.errors import MissingExtraError
from mira.release.columns import PICTURE_COLUMNS, features
from mira.release.digest import RowDigest
from mira.release.reader import Row
from mira.schema.export import ConfigInfo, SplitFiles
from mira.schema.record import FileRef
from mira.store.atomic import file_ref

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

GROUP_ROWS = {"scenes": 16, "qa": 4096, "qa_preview": 16}
"""Rows a row group: 16 pictures are about 12.5 MB, what a viewer reads at once."""
SHARD_BYTES = 400 << 20
"""A shard is closed at the first row group that takes it past this size."""


class TableWriter:
    """Writes one table of a release, one split after the other; holds one row group at most."""

    def __init__(self, root: Path, config: str) -> None:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingExtraError("pyarrow", "export") from None
        self._pq = pq
        self._root = root
        self._config = config
        self._schema: pa.Schema = features(config).arrow_schema
        self._digest = RowDigest()
        self._splits: list[SplitFiles] = []

    def write_split(self, split: str, rows: Iterable[Row]) -> SplitFiles:
        """Write the rows of a split, in their order, as shards named after their content."""
        folder = self._root / self._config
        folder.mkdir(parents=True, exist_ok=True)
        drafts: list[Path] = []
        count = 0
        shard: _Shard | None = None
        try:
            for group in self._groups(rows):
                if shard is None:
                    drafts.append(folder / f"draft-{len(drafts)}.parquet")
                    shard = _Shard(self._pq, drafts[-1], self._schema, self._config)
                shard.write(group)
                count += len(group)
                if shard.size_bytes >= SHARD_BYTES:
                    shard.close()
                    shard = None
            if not drafts:
                drafts.append(folder / "draft-0.parquet")
                shard = _Shard(self._pq, drafts[0], self._schema, self._config)
        finally:
            if shard is not None:
                shard.close()
        files = tuple(self._named(path, split, k, len(drafts)) for k, path in enumerate(drafts))
        self._splits.append(SplitFiles(split=split, rows=count, files=files))
        return self._splits[-1]

    def info(self) -> ConfigInfo:
        """What was written."""
        return ConfigInfo(
            name=self._config, splits=tuple(self._splits), digest=self._digest.hexdigest()
        )

    def _groups(self, rows: Iterable[Row]) -> Iterable[list[Row]]:
        group: list[Row] = []
        for row in rows:
            self._digest.add(row)
            group.append(row)
            if len(group) == GROUP_ROWS[self._config]:
                yield group
                group = []
        if group:
            yield group

    def _named(self, path: Path, split: str, number: int, total: int) -> FileRef:
        """Rename a finished shard after its content.

        `load_dataset` keys its cache by the folder's base name and the card; with the content's
        hash in the names that the card lists, other content is never served from it.
        """
        ref = file_ref(path, relative_to=self._root)
        name = f"{split}-{number:05d}-of-{total:05d}-{ref.sha256[:8]}.parquet"
        path.rename(path.with_name(name))
        return ref.model_copy(update={"path": f"{self._config}/{name}"})


class _Shard:
    """One Parquet file being written."""

    def __init__(self, pq: Any, path: Path, schema: pa.Schema, config: str) -> None:
        import pyarrow as pa

        self._pa = pa
        self._schema = schema
        self._rows = GROUP_ROWS[config]
        self._stream = path.open("wb")
        columns = leaf_columns(schema)
        plain = [column for column in columns if is_picture(column)]
        self._writer: pq.ParquetWriter = pq.ParquetWriter(
            self._stream,
            schema,
            compression={column: "none" if column in plain else "zstd" for column in columns},
            use_dictionary=[column for column in columns if column not in plain],
            write_page_index=True,
            use_content_defined_chunking=True,
        )

    @property
    def size_bytes(self) -> int:
        """Bytes written so far."""
        return self._stream.tell()

    def write(self, rows: list[Row]) -> None:
        """Add one row group."""
        self._writer.write_table(
            self._pa.Table.from_pylist(rows, schema=self._schema), row_group_size=self._rows
        )

    def close(self) -> None:
        """Write the footer; a fault in between leaves the file for the folder's owner to drop."""
        try:
            self._writer.close()
        finally:
            self._stream.close()


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
