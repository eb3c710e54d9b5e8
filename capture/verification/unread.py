"""What lies in a session and is not read, and what is not there any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from capture.verification.report import SessionWarning
from mira.errors import MiraError
from mira.schema.session import JournalEntry
from mira.store.folder_commit import PARTIAL
from mira.store.names import require_name
from mira.store.session import Session

# A lock is none: it ends with its process, its file goes with the next write, and to remove one
# that is held would let two in.
_LEFT_BY_WRITERS = (
    ".*.partial-*",
    "scenes/*/.*.partial-*",
    f"scenes/*/views/{PARTIAL}*",
)


def warn_of_leftovers(root: Path) -> Iterator[SessionWarning]:
    """Warnings of what stopped processes left, and of folders whose names nobody reads."""
    for pattern in _LEFT_BY_WRITERS:
        for path in sorted(root.glob(pattern)):
            message = "was left by a process that was stopped, or is being written"
            yield SessionWarning(file=_inside(path, root), code="leftover", message=message)
    for pattern in ("scenes/*", "scenes/*/views/*"):
        for path in sorted(root.glob(pattern)):
            if path.is_dir() and not path.name.startswith(".") and not is_safe_name(path.name):
                message = "has a name that no scene or view can have: it is not read"
                yield SessionWarning(file=_inside(path, root), code="name-unread", message=message)


def warn_of_views_gone(
    session: Session, entries: Sequence[JournalEntry]
) -> Iterator[SessionWarning]:
    """Warnings of views that were committed by the journal and have no folder."""
    last = {(entry.scene_id, entry.view_id): entry.event for entry in entries}
    for (scene_id, view_id), event in sorted(last.items()):
        if event != "committed" or not (is_safe_name(scene_id) and is_safe_name(view_id)):
            continue
        folder = session.view_folder(scene_id, view_id)
        if not folder.is_dir():
            yield SessionWarning(
                scene_id=scene_id,
                view_id=view_id,
                file=_inside(folder, session.root),
                code="view-gone",
                message="was committed by the journal and is not there",
            )


def _inside(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def is_safe_name(name: str) -> bool:
    """Whether a name is one that scenes and views have."""
    try:
        return bool(require_name(name))
    except MiraError:
        return False
