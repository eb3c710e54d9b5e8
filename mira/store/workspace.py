"""A workspace: scenes, annotations and questions of one data set in one folder.

workspace.json                                  its version
mira.toml                                       settings for people to edit
scenes/<scene>/scene.json                       Scene
scenes/<scene>/<image>/view.json                View, beside its color.*, depth.png (aligned) and
                                                depth_raw.png
annotations/<image>/<annotator>/r0001.json      ImageAnnotation, one a revision
qa/items.jsonl  drops.jsonl  summary.json       what the generator made
splits.json                                     SceneSplits
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

import orjson

from mira.errors import WorkspaceError
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View
from mira.schema.export import SceneSplits
from mira.schema.qa import Drop, QAItem, QASummary
from mira.schema.record import FileRef, RootRecord
from mira.store.atomic import exclusive, os_faults, replace_folder, sync_file, write_file
from mira.store.item_heads import ItemHead, read_heads
from mira.store.names import require_name
from mira.store.settings import SETTINGS_TEXT, Settings, read_settings
from mira.store.stamps import file_stamp

_REVISION = re.compile(r"r[0-9]{4,}\.json")


class WorkspaceInfo(RootRecord):
    """The mark of a workspace; its version is that of the layout."""


class Workspace:
    """Reads and writes one workspace folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def create(cls, root: Path) -> Self:
        """A workspace in a folder that is new, empty or one already."""
        if (root / "workspace.json").exists():
            return cls.open(root)
        if root.exists() and (not root.is_dir() or any(root.iterdir())):
            raise WorkspaceError(root, "expected a new or empty folder, found other files in it")
        # The mark comes first: what is left after a crash is a workspace with default settings.
        write_file(root / "workspace.json", WorkspaceInfo().to_json())
        write_file(root / "mira.toml", SETTINGS_TEXT.encode())
        return cls(root)

    @classmethod
    def open(cls, root: Path) -> Self:
        """An existing workspace.

        Raises:
            WorkspaceError: The folder is none.
            RecordError: It was written by a newer program.
        """
        mark = root / "workspace.json"
        if not mark.is_file():
            raise WorkspaceError(root, "is no workspace", f"make one: mira init {root}")
        WorkspaceInfo.from_json(mark.read_bytes(), where=mark)
        return cls(root)

    def settings(self) -> Settings:
        """What `mira.toml` says."""
        return read_settings(self.root / "mira.toml")

    def lock(self) -> AbstractContextManager[None]:
        """Hold the workspace for writing; a second writer gets one line and ends."""
        return exclusive(self.root / ".lock", self.root)

    # Scenes and views

    def put_scene(self, scene: Scene) -> None:
        """Write a scene record; its views stay."""
        write_file(self.scene_path(scene.scene_id), scene.to_json())

    def put_view(self, view: View, pictures: dict[str, Path]) -> None:
        """Write a view and copies of its pictures in one step.

        Args:
            view: Its `color` and `depth_aligned` name the copies.
            pictures: For each name, the file to copy.
        """
        folder = self.view_folder(view)
        with replace_folder(folder) as partial:
            for name, source in pictures.items():
                shutil.copyfile(source, partial / require_name(name))
            (partial / "view.json").write_bytes(view.to_json())

    def scene(self, scene_id: str) -> Scene:
        """The scene of an id."""
        path = self.scene_path(scene_id)
        if not path.is_file():
            raise WorkspaceError(self.root, f"holds no scene {scene_id!r}")
        return Scene.from_json(path.read_bytes(), where=path)

    def scenes(self) -> Iterator[Scene]:
        """All scenes, by id."""
        for path in sorted((self.root / "scenes").glob("*/scene.json")):
            yield Scene.from_json(path.read_bytes(), where=path)

    def views(self) -> Iterator[View]:
        """All views, by scene and id."""
        for path in sorted((self.root / "scenes").glob("*/*/view.json")):
            if not path.parent.name.startswith("."):
                yield View.from_json(path.read_bytes(), where=path)

    def view(self, scene_id: str, image_id: str) -> View:
        """The view of a picture.

        Raises:
            WorkspaceError: There is none.
        """
        path = self.view_path(scene_id, image_id)
        if not path.is_file():
            raise WorkspaceError(self.root, f"holds no picture {image_id!r} in scene {scene_id!r}")
        return View.from_json(path.read_bytes(), where=path)

    def scene_path(self, scene_id: str) -> Path:
        """Where the record of a scene is."""
        return self._scene_folder(scene_id) / "scene.json"

    def view_path(self, scene_id: str, image_id: str) -> Path:
        """Where the record of a view is."""
        return self._scene_folder(scene_id) / require_name(image_id) / "view.json"

    def view_folder(self, view: View) -> Path:
        """Where the pictures of a view are."""
        return self._scene_folder(view.scene_id) / require_name(view.image_id)

    def read_picture(self, view: View, ref: FileRef) -> bytes:
        """Bytes of a picture of a view, as they came.

        Args:
            view: The view.
            ref: Its `color` or `depth_aligned`.

        Raises:
            WorkspaceError: The file is gone or is no longer what was put in.
        """
        path = self.view_folder(view) / ref.path
        try:
            data = path.read_bytes()
        except OSError as error:
            raise WorkspaceError(path, f"cannot be read: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != ref.sha256:
            raise WorkspaceError(path, "is no longer the file that was imported", "import it again")
        return data

    def _scene_folder(self, scene_id: str) -> Path:
        return self.root / "scenes" / require_name(scene_id)

    def splits(self) -> SceneSplits | None:
        """Which split each scene is in; None where nobody said yet."""
        path = self.splits_path
        return SceneSplits.from_json(path.read_bytes(), where=path) if path.is_file() else None

    def put_splits(self, splits: SceneSplits) -> None:
        """Write which split each scene is in."""
        write_file(self.splits_path, splits.to_json())

    @property
    def splits_path(self) -> Path:
        """Where the splits of scenes are."""
        return self.root / "splits.json"

    # Annotations

    def put_annotation(self, annotation: ImageAnnotation) -> ImageAnnotation:
        """Add an annotation as the next revision, unless the newest says the same.

        Returns:
            What the workspace now holds, with its revision number.
        """
        newest = self.annotation(annotation.image_id, annotation.annotator)
        revision = newest.revision + 1 if newest else 1
        annotation = annotation.model_copy(update={"revision": revision})
        if newest and annotation_digest(newest) == annotation_digest(annotation):
            return newest
        folder = self._annotation_folder(annotation.image_id, annotation.annotator)
        write_file(folder / f"r{revision:04d}.json", annotation.to_json(indent=False))
        return annotation

    def annotators(self, image_id: str) -> tuple[str, ...]:
        """Who annotated a picture, by name."""
        folder = self.root / "annotations" / require_name(image_id)
        return tuple(sorted(path.parent.name for path in folder.glob("*/r0001.json")))

    def annotation(self, image_id: str, annotator: str) -> ImageAnnotation | None:
        """The newest revision of a picture's annotation by one annotator."""
        path = _newest(self._annotation_folder(image_id, annotator))
        return None if path is None else ImageAnnotation.from_json(path.read_bytes(), where=path)

    def annotation_stamp(self, image_id: str, annotator: str) -> Hashable:
        """Another value once somebody's newest revision of a picture is another; reads no file."""
        path = _newest(self._annotation_folder(image_id, annotator))
        return None if path is None else (path, file_stamp(path))

    def annotation_files(self, annotator: str) -> dict[str, Path]:
        """The newest revisions by one annotator, by picture."""
        own = require_name(annotator)
        folders = sorted((self.root / "annotations").glob("*"))
        newest = ((folder.name, _newest(folder / own)) for folder in folders)
        return {image_id: path for image_id, path in newest if path is not None}

    def _annotation_folder(self, image_id: str, annotator: str) -> Path:
        return self.root / "annotations" / require_name(image_id) / require_name(annotator)

    # Questions

    def put_questions(
        self, records: Iterable[QAItem | Drop], *, summary: Callable[[], QASummary]
    ) -> None:
        """Replace all questions in one step.

        Args:
            records: Items and drops, written as they come and never held all at once.
            summary: Called when they are through.
        """
        with replace_folder(self.root / "qa") as partial:
            with (
                (partial / "items.jsonl").open("wb") as items,
                (partial / "drops.jsonl").open("wb") as drops,
            ):
                for record in records:
                    stream = items if isinstance(record, QAItem) else drops
                    stream.write(record.model_dump_json().encode() + b"\n")
            (partial / "summary.json").write_bytes(summary().to_json())

    def items(self, *, first_byte: int = 0, end_byte: int | None = None) -> Iterator[QAItem]:
        """Questions, in the order they were written; all by default.

        Args:
            first_byte: Where the first line starts, as an `ItemHead` tells.
            end_byte: Where to stop; the end of the file by default.
        """
        path, at = self.items_path(), first_byte
        with path.open("rb") as stream:
            stream.seek(first_byte)
            for number, line in enumerate(stream, start=1):
                if end_byte is not None and at >= end_byte:
                    return
                where = f"{path}:{number}" if first_byte == 0 else f"{path}: byte {at}"
                yield QAItem.from_json(line, where=where)
                at += len(line)

    def replace_items(self, items: Iterable[QAItem]) -> None:
        """Write all questions anew in one step; what else the generator told stays.

        Args:
            items: Written as they come; they may be made from `items()`.
        """
        path = self.items_path()
        partial = path.with_name(f".{path.name}.partial")
        with os_faults(path):
            try:
                with partial.open("wb") as stream:
                    for item in items:
                        stream.write(item.model_dump_json().encode() + b"\n")
                sync_file(partial)
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)

    def item_heads(self) -> Iterator[ItemHead]:
        """What is needed of every question before one is read, in the order they were written."""
        return read_heads(self.items_path())

    def items_path(self) -> Path:
        """The file of the questions.

        Raises:
            WorkspaceError: There is none.
        """
        path = self.root / "qa" / "items.jsonl"
        if not path.is_file():
            raise WorkspaceError(self.root, "holds no questions", "run: mira qa generate")
        return path

    def qa_summary(self) -> QASummary | None:
        """What the last run of the generator made."""
        path = self.root / "qa" / "summary.json"
        return QASummary.from_json(path.read_bytes(), where=path) if path.is_file() else None


def _newest(folder: Path) -> Path | None:
    """The newest revision in an annotator's folder; None without any."""
    try:
        names = [path.name for path in folder.iterdir() if _REVISION.fullmatch(path.name)]
    except (FileNotFoundError, NotADirectoryError):
        return None
    return folder / max(names, key=lambda name: (len(name), name)) if names else None


def annotation_digest(annotation: ImageAnnotation) -> str:
    """SHA-256 of what an annotation says, whatever its revision number.

    Fields at their default are left out, so that a field that a later version adds changes nothing.
    """
    content = annotation.model_dump(
        mode="json", exclude={"revision", "schema_version"}, exclude_defaults=True
    )
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()
