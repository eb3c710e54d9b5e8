"""Folders of the writer's machine in a release: they tell who made it, and lead nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from export.verify.findings import finding
from mira.release.columns import PICTURE_COLUMNS
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding

if TYPE_CHECKING:
    import pyarrow as pa

_FOLDERS = (
    "home|root|Users|users|tmp|mnt|media|var|srv|opt|etc|run|private|Volumes|data|work|workspace|"
    "scratch|nfs|net|storage|content|kaggle|usr|export"
)
_BEFORE = r"""(^|[\s"'`=(,:;|<>\[{])"""
_ABSOLUTE = (
    rf"{_BEFORE}(/({_FOLDERS})/|~[\w.-]*/|[A-Za-z]:\\|\\\\+[A-Za-z0-9])"
    "|file://"
)
"""A path below one of the usual folders of a disk, at the start of a text or of a word in it."""
_NO_TEXT = (".bytes", ".counts")
"""Columns of files, and of run lengths, which are any signs."""
_NOT_BARE = r"[/\\]"


def check_leaks(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    """Go through all text of the tables, and the names of picture files.

    Args:
        release: The folder.
        info: What it says of itself.
    """
    import pyarrow.parquet as pq

    for config in info.configs:
        for part in config.splits:
            for ref in part.files:
                with pq.ParquetFile(release / ref.path, pre_buffer=False) as table:
                    wanted = [path for path in _leaves(table) if not path.endswith(_NO_TEXT)]
                    for k in range(table.num_row_groups):
                        group = table.read_row_group(k, columns=wanted)
                        yield from _check_group(release, config.name, group)


def _leaves(table: Any) -> list[str]:
    return [table.schema.column(k).path for k in range(len(table.schema))]


def _check_group(release: Path, config: str, group: pa.Table) -> Iterator[Finding]:
    for name in group.column_names:
        pattern = _NOT_BARE if name in PICTURE_COLUMNS else _ABSOLUTE
        for text in _matching(group[name].combine_chunks(), pattern):
            message = f"expected no path of a machine, found {text[:80]!r}"
            yield finding("path-leak", release, f"{config}.{name}", message)


def _matching(values: pa.Array, pattern: str) -> Iterator[str]:
    """Texts anywhere in values that a pattern is found in."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = values.type
    if pa.types.is_struct(kind):
        for part in values.flatten():
            yield from _matching(part, pattern)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        yield from _matching(values.flatten(), pattern)
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        known = values.dictionary_encode().dictionary.drop_null()
        yield from known.filter(pc.match_substring_regex(known, pattern)).to_pylist()
