"""A folder of a session that is being looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from capture.verification.report import Fault, FaultCode
from mira.errors import MiraError
from mira.schema.record import RootRecord

AnyRecord = TypeVar("AnyRecord", bound=RootRecord)


@dataclass(frozen=True)
class Place:
    """A folder, whose it is, and what was found wrong in it so far.

    Attributes:
        root: Folder of the session.
        folder: The folder.
        scene_id: Scene it belongs to; None for the session's own.
        view_id: View it belongs to; None for a scene's.
        faults: What is wrong in it; grows.
    """

    root: Path
    folder: Path
    scene_id: str | None = None
    view_id: str | None = None
    faults: list[Fault] = field(default_factory=list)

    def note(self, name: str, code: FaultCode, message: str) -> None:
        """Add a fault of a file."""
        self.faults.append(
            Fault(
                scene_id=self.scene_id,
                view_id=self.view_id,
                file=(self.folder / name).relative_to(self.root).as_posix(),
                code=code,
                message=message,
            )
        )

    def note_error(self, name: str, code: FaultCode, error: MiraError | OSError) -> None:
        """Add a fault of a file that an exception tells."""
        if isinstance(error, OSError):
            self.note(name, code, f"cannot be read: {error.strerror or error}")
        else:
            self.note(name, code, " ".join(error.problem.split()))

    def has(self, name: str) -> bool:
        """Whether a file is there to be read."""
        return (self.folder / name).is_file()

    def read_record(self, name: str, kind: type[AnyRecord]) -> AnyRecord | None:
        """A record; None where there is none, or where it is damaged, which is noted."""
        if not self.has(name):
            return None
        path = self.folder / name
        try:
            return kind.from_json(path.read_bytes(), where=path)
        except (MiraError, OSError) as error:
            self.note_error(name, "record-damaged", error)
            return None
