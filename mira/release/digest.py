"""The content of rows as one number, whatever files they are in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import orjson

from mira.release.columns import PICTURE_COLUMNS


class RowDigest:
    """SHA-256 over rows in their order.

    Of a picture only the name counts: the row states the digest of its bytes in a column of its
    own, which `export verify` holds against them.
    """

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, row: dict[str, Any]) -> None:
        """Take in the next row; the key `split` does not count."""
        content = {
            key: value and value["path"] if key in PICTURE_COLUMNS else value
            for key, value in row.items()
            if key != "split"
        }
        self._hash.update(orjson.dumps(content, option=orjson.OPT_SORT_KEYS) + b"\n")

    def hexdigest(self) -> str:
        """The digest so far."""
        return self._hash.hexdigest()


def combined_digest(digests: Iterable[tuple[str, str]]) -> str:
    """One digest over those of several tables, in the order of their names."""
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests))
    return hashlib.sha256(lines.encode()).hexdigest()
