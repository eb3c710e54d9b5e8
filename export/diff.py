"""What changed from one release to another, row by row and field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from pydantic import Field

from mira.release.columns import PICTURE_COLUMNS, features
from mira.release.reader import Row, read_info, read_rows
from mira.schema.export import ReleaseInfo
from mira.schema.record import Record

KEYS = {
    "qa": ("question_id",),
    "scenes": ("image_id",),
    "raw_depth": ("image_id",),
    "flat": ("question_id",),
    "episodes": ("episode_id",),
    "mirror_steps": ("episode_id", "step"),
    "mosaic_steps": ("episode_id", "round", "role"),
    "tom_qa": ("item_id",),
}
"""Columns that tell the rows of a table apart."""
_SIZE = 8


class FieldChange(NamedTuple):
    """A field of a row that is another now."""

    key: str
    field: str
    old: Any
    new: Any


class TableDiff(Record):
    """What changed in a table."""

    old_rows: int
    """Rows before."""
    new_rows: int
    """Rows now."""
    added: tuple[str, ...] = ()
    """Rows that are new, by their key."""
    removed: tuple[str, ...] = ()
    """Rows that are gone."""
    changed: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Rows that are others now, each with its fields."""

    def by_field(self) -> dict[str, int]:
        """Number of rows in which each field changed, the most first."""
        return dict(
            Counter(name for names in self.changed.values() for name in names).most_common()
        )


class ReleaseDiff(Record):
    """What changed between two releases."""

    old_digest: str
    """Digest of the one."""
    new_digest: str
    """Digest of the other."""
    tables: dict[str, TableDiff]
    """Changes by table; rows of a table that one of them lacks are added or removed."""

    @property
    def is_same(self) -> bool:
        """Whether no row differs."""
        return not any(t.added or t.removed or t.changed for t in self.tables.values())


def diff_releases(old: Path, new: Path) -> ReleaseDiff:
    """Hold two releases against each other; eight bytes a field are kept of each row.

    Pictures are compared by the digests that their rows state.

    Args:
        old: A release folder.
        new: Another.

    Raises:
        ReleaseError: A folder is no release, or a table of it is damaged.
    """
    infos = read_info(old), read_info(new)
    tables = {}
    named = {config.name for info in infos for config in info.configs}
    for config in sorted(named & KEYS.keys()):
        before, after = (
            _fields(path, info, config) for path, info in zip((old, new), infos, strict=True)
        )
        columns = _columns(config)
        common = sorted(before.keys() & after.keys())
        changed = {key: _differing(columns, before[key], after[key]) for key in common}
        tables[config] = TableDiff(
            old_rows=len(before),
            new_rows=len(after),
            added=tuple(sorted(after.keys() - before.keys())),
            removed=tuple(sorted(before.keys() - after.keys())),
            changed={key: names for key, names in changed.items() if names},
        )
    return ReleaseDiff(old_digest=infos[0].digest, new_digest=infos[1].digest, tables=tables)


def examples(
    old: Path, new: Path, config: str, diff: TableDiff, *, limit: int
) -> Iterator[FieldChange]:
    """The first changed fields of a table, with what they were and are.

    Args:
        old: The one release.
        new: The other.
        config: Name of the table.
        diff: What changed in it.
        limit: So many rows.
    """
    wanted = dict(list(diff.changed.items())[:limit])
    if not wanted:
        return
    columns = sorted({*KEYS[config], *(name for names in wanted.values() for name in names)})
    rows = [
        {
            _key(config, row): row
            for row in read_rows(path, config, columns=columns)
            if _key(config, row) in wanted
        }
        for path in (old, new)
    ]
    for key, names in wanted.items():
        for name in names:
            yield FieldChange(key, name, rows[0][key].get(name), rows[1][key].get(name))


def _key(config: str, row: Row) -> str:
    return "/".join(str(row[name]) for name in KEYS[config])


def _columns(config: str) -> list[str]:
    """Columns that are compared, the split among them."""
    return ["split", *(name for name in features(config) if name not in PICTURE_COLUMNS)]


def _fields(release: Path, info: ReleaseInfo, config: str) -> dict[str, bytes]:
    """Digests of the fields of each row, by key; nothing where there is no such table."""
    if config not in {one.name for one in info.configs}:
        return {}
    columns = _columns(config)
    return {
        _key(config, row): b"".join(_digest(row.get(name)) for name in columns)
        for row in read_rows(release, config, columns=columns)
    }


def _differing(columns: list[str], before: bytes, after: bytes) -> tuple[str, ...]:
    return tuple(
        name
        for name, start in zip(columns, range(0, len(before), _SIZE), strict=True)
        if before[start : start + _SIZE] != after[start : start + _SIZE]
    )


def _digest(value: Any) -> bytes:
    text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return blake2b(text, digest_size=_SIZE).digest()
