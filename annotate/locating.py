"""Which files are annotations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from annotate.findings import FindingLog
from annotate.folders import FolderWalk, kind_of_output, listing, walk_folder
from annotate.names import PICTURE_SUFFIXES, is_session_file, is_settings
from mira.errors import AnnotationFormatError
from mira.store.session import is_session

_TRUTH = "truth"
"""Folder of a simulated session with what its makers know."""


class Source(NamedTuple):
    """The annotation files that a path stands for."""

    root: Path
    """The folder, or a file's."""
    files: list[Path]
    """In order of their names."""
    walk: FolderWalk
    """All that is in the folder; nothing for a file."""
    session: Path | None
    """The capture session that the path is or lies in."""

    def note_skipped_folders(self, log: FindingLog) -> None:
        """Name the folders that were not looked into."""
        if self.walk.skipped:
            message = f"not looked into: {listing(self.walk.skipped)}"
            log.info("folder-skipped", "", message, path=self.root)

    def note_skipped_files(self, log: FindingLog, *, read: Iterable[Path]) -> None:
        """Name the files that are neither annotations nor pictures; a session's are known.

        Args:
            log: Takes the finding.
            read: Settings that were read.
        """
        if self.session is not None:
            return
        known = {path.resolve() for path in read}
        others = [
            path.relative_to(self.root).as_posix()
            for path in self.walk.files
            if _is_other(path) and path.resolve() not in known
        ]
        if others:
            log.info("file-skipped", "", f"not read: {listing(others)}", path=self.root)


def find_annotations(source: Path) -> Source:
    """The annotation files that a path stands for.

    Args:
        source: A file, taken as it is, or a folder, searched with all below it; settings, the
            records and the truth of a session are passed over, and folders as `walk_folder` does.

    Raises:
        AnnotationFormatError: There is no such path, or a folder holds no annotation file.
    """
    session = _session_of(source)
    if source.is_file():
        return Source(source.parent, [source], FolderWalk((), ()), session)
    if not source.is_dir():
        raise AnnotationFormatError(source, "", "expected a file or a folder, found neither")
    if kind := kind_of_output(source):
        raise AnnotationFormatError(source, "", f"expected annotation files, found {kind}")
    walk = walk_folder(source, less=source / _TRUTH if is_session(source) else None)
    files = [path for path in walk.files if path.suffix.casefold() == ".json"]
    is_none = is_settings if session is None else is_session_file
    files = [path for path in files if not is_none(path)]
    if not files:
        fix = f"not looked into: {listing(walk.skipped)}" if walk.skipped else None
        raise AnnotationFormatError(source, "", _none_in(walk), fix)
    return Source(source, files, walk, session)


def _none_in(walk: FolderWalk) -> str:
    wanted = "expected annotation files (*.json of X-AnyLabeling, labelme or COCO)"
    others = [path for path in walk.files if path.suffix.casefold() == ".xml"]
    found = f"XML alone, such as {others[0].name}" if others else "none"
    return f"{wanted}, found {found}"


def _session_of(source: Path) -> Path | None:
    """The session that a path is or lies in."""
    if is_session(source):
        return source
    try:
        path = source.resolve()
    except (OSError, RuntimeError):
        return None
    return next((folder for folder in (path, *path.parents) if is_session(folder)), None)


def _is_other(path: Path) -> bool:
    ending = path.suffix.casefold()
    return is_settings(path) if ending == ".json" else ending not in PICTURE_SUFFIXES
