"""The session that an import fills, and what it holds already."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from capture.importers.names import PlannedView
from capture.view_files import ViewContent, encode_view
from mira.errors import MiraError, SessionError
from mira.schema.capture import Scene
from mira.store.session import Session

ViewState = Literal["absent", "same", "other"]
"""Of a view in a session: not committed; committed of the same files; of others."""


class SessionViews:
    """Writes to a session, or, in a dry run, to none."""

    def __init__(self, session: Session | None, *, source: Path) -> None:
        """Name the session.

        Args:
            session: The session; None to write nothing.
            source: The folder that views are made of.
        """
        self._session = session
        self._source = source

    def open_scene(self, scene_id: str) -> ScenePlace:
        """The place of a scene, new or held already."""
        return ScenePlace(self._session, scene_id, source=self._source)

    def note_failed(self, scene_id: str, view_id: str, reason: str) -> None:
        """Tell the journal of a view that is left out."""
        if self._session is not None:
            self._session.note("failed", scene_id, view_id, reason=reason)


class ScenePlace:
    """One scene of a session.

    Attributes:
        is_stale: Whether its views number the surfaces otherwise than now, as masks have changed.
    """

    def __init__(self, session: Session | None, scene_id: str, *, source: Path) -> None:
        """Look at what is there.

        Args:
            session: The session; None to write nothing.
            scene_id: The scene.
            source: The folder that views are made of.
        """
        self.is_stale = False
        self._session = session
        self._scene_id = scene_id
        self._source = source
        self._held: Scene | None = None
        self._record: Scene | None = None
        self._committed: frozenset[str] = frozenset()
        if session is not None:
            try:
                self._held = session.read_scene(scene_id)
            except SessionError:
                return
            self._committed = frozenset(session.committed(scene_id))

    def state_of(self, view: PlannedView) -> ViewState:
        """Whether a view is committed, and made of the files that it has now, by their sizes."""
        if self._session is None or view.view_id not in self._committed:
            return "absent"
        try:
            frame = self._session.read_frame(self._scene_id, view.view_id)
        except MiraError:
            return "absent"
        files = (view.source.color, view.source.depth, view.source.mask)
        if [ref.path for ref in frame.inputs] != [path for path in files if path is not None]:
            return "other"
        try:
            sizes = [(self._source / ref.path).stat().st_size for ref in frame.inputs]
        except OSError:
            return "other"
        return "same" if sizes == [ref.size_bytes for ref in frame.inputs] else "other"

    def begin(self, record: Scene) -> None:
        """Say what is to be known of the scene; what people added to its record stays.

        Args:
            record: The scene with the surfaces that its masks show now.
        """
        if self._held is None:
            self._record = record
        elif record.surfaces and len(record.surfaces) != len(self._held.surfaces):
            self._record = self._held.model_copy(update={"surfaces": record.surfaces})
            self.is_stale = bool(self._committed)

    def put(self, view: PlannedView, content: ViewContent) -> None:
        """Commit a view.

        Raises:
            MiraError: The session cannot be written.
        """
        if self._session is None:
            return
        if not self.is_stale:
            self._write_record()
        files = encode_view(content)
        replace = self.is_stale and self.state_of(view) != "absent"
        self._session.commit_view(self._scene_id, view.view_id, files, replace=replace)

    def finish(self) -> None:
        """Write the record of a scene whose views were replaced.

        It comes after them, so that a run that is cut off begins with them again.
        """
        if self.is_stale:
            self._write_record()

    def _write_record(self) -> None:
        if self._session is not None and self._record is not None:
            self._session.write_scene(self._record)
            self._record = None
