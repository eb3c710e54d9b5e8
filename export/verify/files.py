"""Files of a release against their checksums."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from export.verify.findings import finding
from mira.schema.export import ReleaseInfo
from mira.schema.finding import Finding
from mira.schema.record import FileRef
from mira.store.atomic import file_ref


def check_files(release: Path, info: ReleaseInfo) -> Iterator[Finding]:
    """Files that are missing, changed, unreadable or not listed."""
    refs = info.file_refs()
    for ref in refs:
        yield from _check_file(release, ref)
    listed = {ref.path for ref in refs}
    for path in sorted(release.rglob("*.parquet")):
        if path.relative_to(release).as_posix() not in listed:
            yield finding("file-not-listed", path, "", "is no part of the release")


def _check_file(release: Path, ref: FileRef) -> Iterator[Finding]:
    path = release / ref.path
    try:
        found = file_ref(path, relative_to=release) if path.is_file() else None
    except OSError as error:
        yield finding("file-unreadable", path, "", f"cannot be read: {error.strerror or error}")
        return
    if found is None:
        yield finding("file-missing", path, "", "is missing")
    elif found.sha256 != ref.sha256:
        yield finding(
            "file-changed",
            path,
            "",
            f"expected sha256 {ref.sha256[:12]}… of {ref.size_bytes} bytes, "
            f"found {found.sha256[:12]}… of {found.size_bytes}",
        )
