"""Rows and pictures of a release against their logical digests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from mira.release.columns import PICTURE_COLUMNS
from mira.release.digest import TableDigest, combined_digest
from mira.release.reader import Row, read_rows
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding


def check_digests(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    """Digests of rows, pictures and the release that are not those of what is there."""
    found = []
    for config in info.configs:
        digest = TableDigest(info.digest_rule)
        for row in read_rows(release, config.name):
            digest.add(row)
            yield from _check_picture_digests(release, row)
        found.append((config.name, digest.hexdigest()))
        if digest.hexdigest() != config.digest:
            yield finding("digest", release, config.name, "rows are not those that were written")
    if combined_digest(found) != info.digest:
        yield finding("digest", release, "", "the release's digest is not that of its tables")


def _check_picture_digests(release: Path, row: Row) -> Iterator[Finding]:
    for column in PICTURE_COLUMNS:
        if column not in row:
            continue
        data = (row[column] or {}).get("bytes")
        digest = None if data is None else hashlib.sha256(data).hexdigest()
        if digest != row.get(f"{column}_sha256"):
            yield finding(
                "picture-digest",
                release,
                f"{row.get('image_id') or row.get('episode_id')}.{column}",
                "the picture is not the one whose digest the row states",
            )
