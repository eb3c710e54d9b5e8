"""A session, scene by scene and view by view."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from capture.verification.place import Place
from capture.verification.policy import VerificationPolicy
from capture.verification.report import Fault, SessionWarning, VerificationReport
from capture.verification.unread import is_safe_name, warn_of_leftovers, warn_of_views_gone
from capture.verification.view import ViewCheck
from mira.errors import MiraError
from mira.schema.capture import Scene
from mira.schema.session import JournalEntry
from mira.store.checksums import SUMS_NAME
from mira.store.session import JOURNAL_NAME, SCENE_NAME, Session


def verify_session(
    root: Path,
    *,
    policy: VerificationPolicy | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> VerificationReport:
    """Everything that is wrong in a session; nothing in it is written.

    Args:
        root: Folder of the session.
        policy: Thresholds; the defaults where it is None.
        progress: Called with how many views are checked and how many there are.

    Raises:
        SessionError: The folder is no session.
        RecordError: Its `capture.json` is damaged.
    """
    session = Session.open(root)
    check = ViewCheck(session.read_session(), policy or VerificationPolicy())
    faults: list[Fault] = []
    warnings: list[SessionWarning] = []
    scene_ids = _scene_ids(root)
    views = {scene_id: session.views(scene_id) for scene_id in scene_ids}
    done, total = 0, sum(map(len, views.values()))
    committed = faulty = 0
    for scene_id in scene_ids:
        scene = _read_scene(session, scene_id, has_views=bool(views[scene_id]), faults=faults)
        for view_id in views[scene_id]:
            place = Place(root, session.view_folder(scene_id, view_id), scene_id, view_id)
            if (place.folder / SUMS_NAME).exists():
                check.check(place, scene)
                committed += 1
                faulty += bool(place.faults)
                faults += place.faults
            else:
                warnings.append(_not_committed(place))
            done += 1
            progress(done, total)
    entries = _read_journal(session, faults)
    warnings += warn_of_views_gone(session, entries)
    warnings += warn_of_leftovers(root)
    return VerificationReport(
        session=str(root),
        views=committed,
        faulty_views=faulty,
        faults=tuple(faults),
        warnings=tuple(warnings),
    )


def _scene_ids(root: Path) -> list[str]:
    """Names of the scenes' folders, whether or not they have a record."""
    folder = root / "scenes"
    paths = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name for path in paths if path.is_dir() and is_safe_name(path.name))


def _read_scene(
    session: Session, scene_id: str, *, has_views: bool, faults: list[Fault]
) -> Scene | None:
    place = Place(session.root, session.root / "scenes" / scene_id, scene_id, faults=faults)
    if not (place.folder / SCENE_NAME).exists():
        if has_views:
            place.note(SCENE_NAME, "record-missing", "expected it beside the views, found none")
        return None
    try:
        return session.read_scene(scene_id)
    except MiraError as error:
        place.note_error(SCENE_NAME, "record-damaged", error)
        return None


def _read_journal(session: Session, faults: list[Fault]) -> tuple[JournalEntry, ...]:
    try:
        return session.journal()
    except MiraError as error:
        line = error.where.removeprefix(str(session.root / JOURNAL_NAME)).removeprefix(":")
        message = f"line {line}: {error.problem}" if line else error.problem
        place = Place(session.root, session.root, faults=faults)
        place.note(JOURNAL_NAME, "journal-damaged", message)
        return ()


def _not_committed(place: Place) -> SessionWarning:
    return SessionWarning(
        scene_id=place.scene_id,
        view_id=place.view_id,
        file=place.folder.relative_to(place.root).as_posix(),
        code="not-committed",
        message=f"has no {SUMS_NAME}: it does not count, and the next capture takes its place",
    )
