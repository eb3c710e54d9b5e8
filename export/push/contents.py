"""Which files a release consists of, and which of them the Hub has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import yaml

from export.push.hub import HubFile, HubState
from export.requirements import OWN_ENTRIES
from export.row_schema import SCHEMA_PATH
from mira.release.reader import INFO_PATH
from mira.schema.export import ReleaseInfo
from mira.schema.record import FileRef
from mira.store.atomic import file_ref


def release_files(release: Path, info: ReleaseInfo) -> tuple[FileRef, ...]:
    """All files that a release consists of, by path."""
    own = (release / path for path in (INFO_PATH, SCHEMA_PATH))
    made = [file_ref(path, relative_to=release) for path in own if path.is_file()]
    return tuple(sorted((*info.file_refs(), *made), key=lambda ref: ref.path))


def left_over(state: HubState, files: tuple[FileRef, ...]) -> tuple[str, ...]:
    """Files on the Hub where a release has its own, but that a release does not have.

    Others, such as a licence text or `.gitattributes`, are somebody's and stay.

    Args:
        state: What the Hub has.
        files: Files of the release.
    """
    kept = {ref.path for ref in files}
    return tuple(
        path
        for path in sorted(state.files)
        if path not in kept and path.partition("/")[0] in OWN_ENTRIES
    )


def strangers(release: Path, files: tuple[FileRef, ...]) -> Iterator[str]:
    """Files of the folder that are no part of the release."""
    known = {ref.path for ref in files}
    for path in sorted(release.rglob("*")):
        name = path.relative_to(release).as_posix()
        if not path.is_dir() and name not in known:
            yield name


def is_same(release: Path, ref: FileRef, found: HubFile) -> bool:
    """Whether the Hub's file is that of the release."""
    if found.sha256 is not None:
        return found.sha256 == ref.sha256
    data = (release / ref.path).read_bytes()
    # Git's own name of a file's content; not for security.
    blob = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False)
    return found.git_sha1 == blob.hexdigest()


def card_licence(card: Path) -> str:
    """The licence in the header of a card, `other` with its name."""
    header = yaml.safe_load(card.read_text("utf-8").split("---\n")[1])
    licence = str(header.get("license", "not stated"))
    return f"{licence} ({header['license_name']})" if "license_name" in header else licence
