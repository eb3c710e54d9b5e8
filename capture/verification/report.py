"""What verification has to say."""

from __future__ import annotations

from typing import Literal

from mira.schema.record import Record

FaultCode = Literal[
    "sums-damaged",
    "file-missing",
    "file-changed",
    "file-unlisted",
    "record-missing",
    "record-damaged",
    "picture-damaged",
    "picture-kind",
    "picture-size",
    "depth-meaning",
    "depth-alignment",
    "surface-number",
    "frames-apart",
    "frame-repeated",
    "recording-damaged",
    "recording-frames",
    "journal-damaged",
]
WarningCode = Literal["not-committed", "leftover", "view-gone", "name-unread"]


class Observation(Record):
    """Something about a file of a session."""

    scene_id: str | None = None
    """Its scene; absent for files of the session itself."""
    view_id: str | None = None
    """Its view; absent for files of a scene or the session."""
    file: str
    """The file or folder, as a POSIX path from the session's folder."""
    message: str
    """What was expected and what was found."""


class Fault(Observation):
    """Something that is not as it has to be."""

    code: FaultCode
    """Kind of fault; scripts can rely on it."""


class SessionWarning(Observation):
    """Something that a person may want to look at, and no fault."""

    code: WarningCode
    """Kind of warning; scripts can rely on it."""


class VerificationReport(Record):
    """What became of a verification."""

    session: str
    """Folder of the session."""
    views: int
    """Committed views, whole or not."""
    faulty_views: int
    """Those with faults."""
    faults: tuple[Fault, ...] = ()
    """All faults, by scene and view, those of the session itself last."""
    warnings: tuple[SessionWarning, ...] = ()
    """All warnings, in the same order."""
