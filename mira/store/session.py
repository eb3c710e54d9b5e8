"""A capture session: scenes and their views as a camera, real or simulated, gave them.

capture.json                                    CaptureSession
journal.jsonl                                   JournalEntry, one a line
scenes/<scene>/scene.json                       Scene
scenes/<scene>/views/<view>/color.png           the picture; depth.png is the depth sensor's grid,
                                                depth_aligned.png that of the picture
scenes/<scene>/views/<view>/frame.json          ViewFrame; calib.json, device.json, settings.json
scenes/<scene>/views/<view>/surfaces.png        where known: 0, or k + 1 where the scene's
                                                surface k is seen
scenes/<scene>/views/<view>/raw.db3             where asked for: a burst as the SDK records it;
                                                *_emitter_off.*: the same without the projector
scenes/<scene>/views/<view>/SHA256SUMS          digests of these files, written last
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from mira.errors import MiraError, SessionError
from mira.schema.capture import Calibration, Scene, ViewFrame
from mira.schema.session import CaptureSession, JournalEntry
from mira.store.atomic import exclusive, os_faults, write_file
from mira.store.checksums import SUMS_NAME, FileFault, check_files_exist, check_sums
from mira.store.folder_commit import PARTIAL, commit_folder
from mira.store.journal import Journal
from mira.store.names import require_name

SESSION_NAME = "capture.json"
JOURNAL_NAME = "journal.jsonl"
SCENE_NAME = "scene.json"
COLOR_NAME = "color.png"
DEPTH_NAME = "depth.png"
DEPTH_ALIGNED_NAME = "depth_aligned.png"
FRAME_NAME = "frame.json"
CALIBRATION_NAME = "calib.json"
DEVICE_NAME = "device.json"
SETTINGS_NAME = "settings.json"
SURFACES_NAME = "surfaces.png"
RAW_NAME = "raw.db3"
EMITTER_OFF_COLOR_NAME = "color_emitter_off.png"
EMITTER_OFF_DEPTH_NAME = "depth_emitter_off.png"
EMITTER_OFF_FRAME_NAME = "frame_emitter_off.json"
_LOCK_NAME = ".capture.lock"
VIEW_NAMES = frozenset(
    {
        COLOR_NAME,
        DEPTH_NAME,
        DEPTH_ALIGNED_NAME,
        FRAME_NAME,
        CALIBRATION_NAME,
        DEVICE_NAME,
        SETTINGS_NAME,
        SURFACES_NAME,
        RAW_NAME,
        EMITTER_OFF_COLOR_NAME,
        EMITTER_OFF_DEPTH_NAME,
        EMITTER_OFF_FRAME_NAME,
        SUMS_NAME,
    }
)
"""Files of a view that a session knows; others are kept as they are."""


class Session:
    """Reads and writes one session folder; several processes may write different views at once."""

    def __init__(self, root: Path, *, durable: bool = True) -> None:
        """Name a session that is there; see `create` and `open`."""
        self.root = root
        self._durable = durable
        self._journal = Journal(root / JOURNAL_NAME, durable=durable)

    @classmethod
    def create(cls, root: Path, session: CaptureSession, *, durable: bool = True) -> Self:
        """A session in a folder that is new, empty or this session's already.

        Args:
            root: The folder.
            session: What is captured; a session that is there keeps what its file says.
            durable: Whether what is written is to survive a power cut; without it only a crash.

        Raises:
            SessionError: The folder holds another session, or other files.
        """
        mark = root / SESSION_NAME
        if mark.exists():
            found = cls.open(root, durable=durable)
            if (held := found.read_session().session_id) != session.session_id:
                problem = f"session_id: expected {session.session_id!r}, found {held!r}"
                raise SessionError(mark, problem, "write to another folder")
            return found
        if root.exists() and not root.is_dir():
            raise SessionError(root, "expected a new or empty folder, found a file")
        with os_faults(root):
            if root.exists() and any(map(_is_other, root.iterdir())):
                raise SessionError(root, "expected a new or empty folder, found other files in it")
        write_file(mark, session.to_json(), durable=durable)
        return cls(root, durable=durable)

    @classmethod
    def open(cls, root: Path, *, durable: bool = True) -> Self:
        """An existing session; `durable` as for `create`.

        Raises:
            SessionError: The folder is none.
            RecordError: Its `capture.json` is damaged, or was written by a newer program.
        """
        if not (root / SESSION_NAME).is_file():
            problem = f"is no capture session: expected {SESSION_NAME} in it, found none"
            raise SessionError(root, problem)
        session = cls(root, durable=durable)
        session.read_session()
        return session

    def read_session(self) -> CaptureSession:
        """What `capture.json` says."""
        path = self.root / SESSION_NAME
        return CaptureSession.from_json(_bytes_of(path), where=path)

    def lock(self) -> AbstractContextManager[None]:
        """Hold the session for recording or importing; a second one gets one line and ends.

        Processes that share a session on purpose, each its own views, do without.
        """
        return exclusive(self.root / _LOCK_NAME, self.root)

    # Scenes

    def write_scene(self, scene: Scene) -> None:
        """Write a scene's record; its views stay."""
        path = self._scene_folder(scene.scene_id) / SCENE_NAME
        write_file(path, scene.to_json(), durable=self._durable)

    def scenes(self) -> tuple[str, ...]:
        """Ids of the scenes that have a record, in order."""
        paths = (self.root / "scenes").glob(f"*/{SCENE_NAME}")
        return tuple(sorted(path.parent.name for path in paths if _is_safe(path.parent.name)))

    def read_scene(self, scene_id: str) -> Scene:
        """The record of a scene.

        Raises:
            SessionError: There is none, or it is that of another scene.
            RecordError: It is damaged.
        """
        path = self._scene_folder(scene_id) / SCENE_NAME
        scene = Scene.from_json(_bytes_of(path), where=path)
        if scene.scene_id != scene_id:
            raise SessionError(
                path, f"scene_id: expected {scene_id!r} as its folder, found {scene.scene_id!r}"
            )
        return scene

    # Views

    def commit_view(
        self,
        scene_id: str,
        view_id: str,
        files: Mapping[str, bytes | Path],
        *,
        replace: bool = False,
    ) -> None:
        """Write a view in one step: it is there whole, or not at all.

        Args:
            scene_id: A scene that is written already.
            view_id: Name of the view's folder.
            files: Content by name, with the picture among them; or a file that is linked or
                copied, and stays where it is.
            replace: Whether to take the place of a committed view. What is in its folder and was
                not committed with it, such as an annotation, stays.

        Raises:
            SessionError: A name is unsafe, the scene or the picture is missing, or the view is
                committed.
            MiraError: The disk is full, or the folder cannot be written.
        """
        target = self.view_folder(scene_id, view_id)
        self._require_complete(scene_id, target, files)
        with os_faults(target):
            target.parent.mkdir(exist_ok=True)
        commit_folder(target, files, known=VIEW_NAMES, replace=replace, durable=self._durable)
        self.note("committed", scene_id, view_id)

    def views(self, scene_id: str) -> tuple[str, ...]:
        """Ids of a scene's view folders, whether or not they are committed, in order."""
        folder = self._scene_folder(scene_id) / "views"
        paths = folder.iterdir() if folder.is_dir() else ()
        return tuple(sorted(path.name for path in paths if path.is_dir() and _is_safe(path.name)))

    def committed(self, scene_id: str) -> tuple[str, ...]:
        """Ids of a scene's views that have all their files, in order.

        What is in the files is not looked at: after a power cut, `verify_view` does.
        """
        ids = self.views(scene_id)
        return tuple(k for k in ids if not check_files_exist(self.view_folder(scene_id, k)))

    def view_folder(self, scene_id: str, view_id: str) -> Path:
        """Where the files of a view are, or would be."""
        return self._scene_folder(scene_id) / "views" / require_name(view_id, error=SessionError)

    def verify_view(self, scene_id: str, view_id: str) -> tuple[FileFault, ...]:
        """Files of a view that are missing or no longer what was committed.

        A view with a fault does not exist; files that came later are none.
        """
        return check_sums(self.view_folder(scene_id, view_id))

    def read_frame(self, scene_id: str, view_id: str) -> ViewFrame:
        """A view's `frame.json`.

        Raises:
            SessionError: There is none.
            RecordError: It is damaged.
        """
        path = self.view_folder(scene_id, view_id) / FRAME_NAME
        return ViewFrame.from_json(_bytes_of(path), where=path)

    def read_calibration(self, scene_id: str, view_id: str) -> Calibration:
        """A view's `calib.json`; raises as `read_frame` does."""
        path = self.view_folder(scene_id, view_id) / CALIBRATION_NAME
        return Calibration.from_json(_bytes_of(path), where=path)

    # Journal and leftovers

    def note(
        self,
        event: Literal["planned", "started", "committed", "failed"],
        scene_id: str,
        view_id: str,
        *,
        reason: str | None = None,
    ) -> None:
        """Add a line to the journal.

        Args:
            event: What became of the view; `committed` is noted by `commit_view`.
            scene_id: Its scene.
            view_id: The view.
            reason: Why it failed; for a view that failed and no other.
        """
        require_name(scene_id, error=SessionError)
        require_name(view_id, error=SessionError)
        entry = JournalEntry(
            at=datetime.now(UTC), event=event, scene_id=scene_id, view_id=view_id, reason=reason
        )
        self._journal.append(entry)

    def journal(self) -> tuple[JournalEntry, ...]:
        """All lines of the journal; what is on disk is decided by the folders, not by it."""
        return self._journal.entries()

    def clean(self) -> tuple[Path, ...]:
        """Remove what killed processes left; no process may be writing.

        Returns:
            What was removed.
        """
        left = tuple(self._leftovers())
        with os_faults(self.root):
            for path in left:
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
        return left

    def _leftovers(self) -> Iterator[Path]:
        yield from sorted((self.root / "scenes").glob(f"*/views/{PARTIAL}*"))
        patterns = (
            f".{SESSION_NAME}.partial-*",
            f"scenes/*/.{SCENE_NAME}.partial-*",
        )
        for pattern in patterns:
            yield from sorted(self.root.glob(pattern))

    def _scene_folder(self, scene_id: str) -> Path:
        return self.root / "scenes" / require_name(scene_id, error=SessionError)

    def _require_complete(
        self, scene_id: str, target: Path, files: Mapping[str, bytes | Path]
    ) -> None:
        for name in files:
            if require_name(name, error=SessionError) == SUMS_NAME:
                raise SessionError(target / name, "expected the files alone, found their sums")
        if COLOR_NAME not in files:
            found = ", ".join(sorted(files)) or "nothing"
            raise SessionError(target, f"expected {COLOR_NAME} among its files, found {found}")
        scene = self._scene_folder(scene_id) / SCENE_NAME
        if not scene.is_file():
            raise SessionError(scene, "expected the scene before its views, found none")


def is_session(folder: Path) -> bool:
    """Whether a folder is a capture session with scenes in it."""
    try:
        return (folder / SESSION_NAME).is_file() and (folder / "scenes").is_dir()
    except (OSError, ValueError):
        return False


def image_id_of(scene_id: str, view_id: str) -> str:
    """The name under which annotation and questions know a view: its scene's and its own."""
    return view_id if view_id.startswith(scene_id) else f"{scene_id}_{view_id}"


def _is_other(path: Path) -> bool:
    """Whether a file is none that a process left which died while it made a session."""
    return not path.name.startswith(f".{SESSION_NAME}.")


def _is_safe(name: str) -> bool:
    try:
        return bool(require_name(name))
    except MiraError:
        return False


def _bytes_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise SessionError(path, "expected a record, found no regular file")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SessionError(path, "expected a record, found no file") from None
    except OSError as error:
        raise SessionError(path, f"cannot be read: {error.strerror}") from None
