"""The content of rows as one number, whatever files they are in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

from mira.release.columns import PICTURE_COLUMNS

RULE = 2
"""How digests are made now: each row by itself, so that several processes can write a table.
Rule 1, of older releases, is one hash over the text of all rows."""


def row_digest(row: dict[str, Any]) -> bytes:
    """SHA-256 of one row, 32 bytes.

    Of a picture only the name counts: the row states the digest of its bytes in a column of its
    own, which `export verify` holds against them. The key `split` does not count.
    """
    return hashlib.sha256(_text(row)).digest()


class TableDigest:
    """SHA-256 over the digests of a table's rows in their order."""

    def __init__(self, rule: int = RULE) -> None:
        self._hash = hashlib.sha256()
        self._rule = rule

    def add(self, row: dict[str, Any]) -> None:
        """Take in the next row."""
        self._hash.update(_text(row) + b"\n" if self._rule == 1 else row_digest(row))

    def add_digests(self, digests: bytes) -> None:
        """Take in the digests of the next rows, one after the other."""
        self._hash.update(digests)

    def hexdigest(self) -> str:
        """The digest so far."""
        return self._hash.hexdigest()


def combined_digest(digests: Iterable[tuple[str, str]]) -> str:
    """One digest over those of several tables, in the order of their names."""
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()


def _text(row: dict[str, Any]) -> bytes:
    if "split" in row or not _PICTURES.isdisjoint(row):
        row = {
            key: value and value["path"] if key in _PICTURES else value
            for key, value in row.items()
            if key != "split"
        }
    return orjson.dumps(row, option=orjson.OPT_SORT_KEYS)


_PICTURES = frozenset(PICTURE_COLUMNS)
