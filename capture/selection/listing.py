"""What a session holds, and what became of views that it does not: read, never decoded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from mira.errors import MiraError, SceneSourceError
from mira.render.header import read_header
from mira.schema.capture import ViewFrame, ViewQuality
from mira.schema.record import Record, UtcDatetime
from mira.schema.session import JournalEntry
from mira.store.atomic import os_faults
from mira.store.checksums import check_files_exist
from mira.store.session import (
    COLOR_NAME,
    EMITTER_OFF_COLOR_NAME,
    EMITTER_OFF_DEPTH_NAME,
    FRAME_NAME,
    RAW_NAME,
    SURFACES_NAME,
    Session,
)

ViewState = Literal["committed", "damaged", "not_whole", "gone", "failed", "started", "planned"]
"""`not_whole`: a folder that a crash left; `gone`: the journal knows of a folder that is not there;
the last three have none yet."""
Extra = Literal["raw", "emitter_pair", "surfaces", "annotation"]
"""A burst as the SDK records it, the same without the projector, a mask, an annotation file."""

_ANNOTATION_NAME = str(Path(COLOR_NAME).with_suffix(".json"))
_PNG_END = b"IEND\xaeB`\x82"
_EXTRAS: dict[Extra, tuple[str, ...]] = {
    "raw": (RAW_NAME,),
    "emitter_pair": (EMITTER_OFF_COLOR_NAME, EMITTER_OFF_DEPTH_NAME),
    "surfaces": (SURFACES_NAME,),
    "annotation": (_ANNOTATION_NAME,),
}


class ListedView(Record):
    """One view, as a list has it."""

    scene_id: str
    """Its scene."""
    view_id: str
    """The view."""
    state: ViewState
    """What became of it."""
    problem: str | None = None
    """What is wrong with it, or why it failed."""
    at: UtcDatetime | None = None
    """When that was noted in the journal; absent where it was not."""
    width_px: int | None = None
    """Picture width."""
    height_px: int | None = None
    """Picture height."""
    dt_ms: float | None = None
    """Time between colour and depth frame, where known."""
    quality: ViewQuality | None = None
    """Measures that were stored with it."""
    extras: tuple[Extra, ...] = ()
    """What it has beside the usual files."""


class ListedSession(Record):
    """All views of a session."""

    session_id: str
    """The session."""
    source: str
    """Where its frames come from."""
    views: tuple[ListedView, ...]
    """By scene and name."""
    faults: tuple[str, ...] = ()
    """What could not be read beside views."""


class _Content(NamedTuple):
    width_px: int
    height_px: int
    frame: ViewFrame


def list_session(session: Session) -> ListedSession:
    """What a session holds, by its folders and its journal.

    A damaged view, scene or journal is told of and stops nothing.

    Args:
        session: The session.

    Raises:
        MiraError: Its own record is damaged.
    """
    record = session.read_session()
    faults = []
    try:
        journal = session.journal()
    except MiraError as error:
        journal = ()
        faults.append(str(error))
    last = {(entry.scene_id, entry.view_id): entry for entry in journal}
    views: list[ListedView] = []
    for scene_id in session.scenes():
        try:
            session.read_scene(scene_id)
        except MiraError as error:
            faults.append(str(error))
        views += (_listed(session, scene_id, view_id, last) for view_id in session.views(scene_id))
    there = {(view.scene_id, view.view_id) for view in views}
    views += (_not_there(entry) for key, entry in last.items() if key not in there)
    return ListedSession(
        session_id=record.session_id,
        source=record.source,
        views=tuple(sorted(views, key=lambda view: (view.scene_id, view.view_id))),
        faults=tuple(faults),
    )


def _listed(
    session: Session, scene_id: str, view_id: str, last: dict[tuple[str, str], JournalEntry]
) -> ListedView:
    folder = session.view_folder(scene_id, view_id)
    entry = last.get((scene_id, view_id))
    at = entry.at if entry is not None else None
    if missing := check_files_exist(folder):
        problem = str(missing[0])
        if entry is not None and entry.reason is not None:
            problem = f"{entry.reason}; {problem}"
        return ListedView(
            scene_id=scene_id, view_id=view_id, state="not_whole", problem=problem, at=at
        )
    extras = tuple(_extras_of(folder))
    try:
        content = _content_of(folder)
    except MiraError as error:
        problem = f"{Path(error.where).name}: {error.problem}"
        return ListedView(
            scene_id=scene_id,
            view_id=view_id,
            state="damaged",
            problem=problem,
            at=at,
            extras=extras,
        )
    timing = content.frame.timing
    return ListedView(
        scene_id=scene_id,
        view_id=view_id,
        state="committed",
        at=at if entry is not None and entry.event == "committed" else None,
        width_px=content.width_px,
        height_px=content.height_px,
        dt_ms=timing.dt_ms if timing is not None else None,
        quality=content.frame.quality,
        extras=extras,
    )


def _content_of(folder: Path) -> _Content:
    color, frame = folder / COLOR_NAME, folder / FRAME_NAME
    with os_faults(color):
        picture = color.read_bytes()
    header = read_header(picture, where=color)
    if header.format == "png" and not picture.endswith(_PNG_END):
        raise SceneSourceError(color, "expected a whole PNG, found it cut off")
    with os_faults(frame):
        data = frame.read_bytes() if frame.is_file() else None
    said = ViewFrame() if data is None else ViewFrame.from_json(data, where=frame)
    return _Content(header.width_px, header.height_px, said)


def _extras_of(folder: Path) -> Iterator[Extra]:
    for extra, names in _EXTRAS.items():
        if any((folder / name).is_file() for name in names):
            yield extra


def _not_there(entry: JournalEntry) -> ListedView:
    state: ViewState = "gone" if entry.event == "committed" else entry.event
    problem = "was committed, and its folder is not there" if state == "gone" else entry.reason
    return ListedView(
        scene_id=entry.scene_id,
        view_id=entry.view_id,
        state=state,
        problem=problem,
        at=entry.at,
    )
