"""All files below a folder, and the folders that are not looked into."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from annotate.names import is_file
from mira.errors import AnnotationFormatError
from mira.store.session import is_session

_MARKS = (("workspace.json", "a workspace"), ("meta/info.json", "a release"))
"""Files that tell what a folder is, which holds pictures and JSON but none to import."""
_LISTED = 10


class FolderWalk(NamedTuple):
    """What is below a folder."""

    files: tuple[Path, ...]
    """In order of their paths, less the hidden."""
    skipped: tuple[str, ...]
    """Folders that were not looked into, each with the reason, by the path from the folder on."""


def walk_folder(
    folder: Path, *, follow_links: bool = False, less: Path | None = None
) -> FolderWalk:
    """All files below a folder but those in hidden folders, workspaces, releases and sessions.

    Args:
        folder: The folder, itself looked into whatever it is.
        follow_links: Whether to look into linked folders; a link back to one above never is.
        less: A folder below it to leave out without a word.

    Raises:
        AnnotationFormatError: A folder cannot be read.
    """
    files: list[Path] = []
    skipped: list[str] = []

    def visit(inner: Path, above: tuple[Path, ...]) -> None:
        above = (*above, inner.resolve())
        for path in _entries(inner):
            if not path.is_dir():
                if not path.name.startswith(".") and is_file(path):
                    files.append(path)
            elif path == less:
                continue
            elif (reason := _reason(path, follow_links, above)) is None:
                visit(path, above)
            else:
                skipped.append(f"{path.relative_to(folder).as_posix()} ({reason})")

    visit(folder, ())
    return FolderWalk(tuple(files), tuple(skipped))


def kind_of_output(folder: Path) -> str | None:
    """`a workspace` or `a release` where a folder is one."""
    return next((kind for mark, kind in _MARKS if is_file(folder / mark)), None)


def listing(names: Iterable[str]) -> str:
    """Some names for a message: not more than ten, and how many more there are."""
    names = list(names)
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise AnnotationFormatError(folder, "", f"cannot be read: {error.strerror}") from None


def _reason(folder: Path, follow_links: bool, above: tuple[Path, ...]) -> str | None:
    """Why a folder is not looked into; None where it is."""
    if folder.name.startswith("."):
        return "hidden"
    if folder.is_symlink() and (not follow_links or folder.resolve() in above):
        return "a link"
    return "a session" if is_session(folder) else kind_of_output(folder)
