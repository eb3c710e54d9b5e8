"""Which pictures are of one scene, as the user lists it in a CSV file."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Self

from capture.importers.policy import ImportPolicy
from capture.importers.source_scene import SourceScene, SourceView
from capture.importers.source_tree import read_bytes
from mira.errors import CaptureError, MiraError
from mira.store.names import require_name

_NAME_COLUMNS = ("name", "sample_id")
_SCENE_COLUMNS = ("scene_id", "house_id")
"""The second ones are those of Mirror3D's lists."""


@dataclass(frozen=True)
class SceneTable:
    """Scene ids by names of pictures.

    Attributes:
        path: The file, named in errors.
        scenes: Scene id by name.
        rows: Line of each name in the file.
    """

    path: Path
    scenes: Mapping[str, str]
    rows: Mapping[str, int]

    @classmethod
    def read(cls, path: Path, *, policy: ImportPolicy) -> Self:
        """The table in a CSV file with columns `name` and `scene_id`; others are passed over.

        Raises:
            SceneSourceError: The file cannot be read.
            CaptureError: It is no CSV, lacks a column, or a row contradicts another.
        """
        raw = read_bytes(path, limit=policy.text_limit_bytes, where=path)
        scenes: dict[str, str] = {}
        rows: dict[str, int] = {}
        try:
            text = raw.decode("utf-8-sig")
            reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
            columns = reader.fieldnames or ()
            name_column = _column(columns, _NAME_COLUMNS, path)
            scene_column = _column(columns, _SCENE_COLUMNS, path)
            for row in reader:
                name, scene_id = (row[name_column] or "").strip(), (row[scene_column] or "").strip()
                where = f"{path}:{reader.line_num}"
                if not name:
                    raise CaptureError(where, f"{name_column}: expected a picture, found nothing")
                _require_scene_id(scene_id, where, scene_column)
                if scenes.setdefault(name, scene_id) != scene_id:
                    problem = f"{scene_column}: expected {scenes[name]!r} as in line {rows[name]}"
                    raise CaptureError(where, f"{problem}, found {scene_id!r}")
                rows.setdefault(name, reader.line_num)
        except (UnicodeDecodeError, csv.Error) as error:
            raise CaptureError(path, f"expected CSV in UTF-8, found a fault: {error}") from None
        return cls(path, scenes, rows)

    def group(self, scenes: Sequence[SourceScene]) -> tuple[list[SourceScene], list[str]]:
        """Scenes as the table has them; what it does not name stays as it is.

        A picture's name is its path below the source with or without its ending, its file's name
        likewise, or the name of its view.

        Returns:
            The scenes, and notes for the user.

        Raises:
            CaptureError: A name is that of several pictures.
        """
        by_name: defaultdict[str, dict[str, SourceView]] = defaultdict(dict)
        for scene in scenes:
            for view in scene.views:
                for name in _names_of(view):
                    by_name[name][view.color] = view
        placed: dict[str, str] = {}
        unknown = []
        for name, scene_id in self.scenes.items():
            found = sorted(by_name.get(name, ()))
            if not found:
                unknown.append(name)
            elif len(found) > 1:
                problem = (
                    f"expected a name of one picture, found {name!r} of {found[0]}, {found[1]}"
                )
                raise CaptureError(f"{self.path}:{self.rows[name]}", problem, "give its path")
            elif placed.setdefault(found[0], scene_id) != scene_id:
                problem = f"expected one scene of {found[0]}, found {scene_id!r} too"
                raise CaptureError(f"{self.path}:{self.rows[name]}", problem)
        return _regrouped(scenes, placed), list(self._notes(scenes, placed, unknown))

    def _notes(
        self, scenes: Sequence[SourceScene], placed: Mapping[str, str], unknown: Sequence[str]
    ) -> Iterator[str]:
        left = sum(view.color not in placed for scene in scenes for view in scene.views)
        if left:
            yield f"{self.path}: {left:,} pictures are not in it and stay as they were"
        if unknown:
            yield f"{self.path}: {len(unknown):,} names are of no picture, such as {unknown[0]!r}"


def _regrouped(scenes: Sequence[SourceScene], placed: Mapping[str, str]) -> list[SourceScene]:
    """The scenes with the views that have a place in scenes of their own."""
    grouped: defaultdict[str, list[SourceView]] = defaultdict(list)
    rest = []
    for scene in scenes:
        for view in scene.views:
            if view.color in placed:
                grouped[placed[view.color]].append(view)
        left = tuple(view for view in scene.views if view.color not in placed)
        if left:
            rest.append(replace(scene, views=left))
    return [SourceScene(name, tuple(grouped[name])) for name in sorted(grouped)] + rest


def _names_of(view: SourceView) -> Iterator[str]:
    path = PurePosixPath(view.color)
    yield from {view.name, view.color, str(path.with_suffix("")), path.name, path.stem}


def _column(columns: Sequence[str], names: Sequence[str], path: Path) -> str:
    found = next((name for name in names if name in columns), None)
    if found is None:
        problem = f"expected a column {names[0]!r}, found {', '.join(columns) or 'none'}"
        raise CaptureError(path, problem)
    return found


def _require_scene_id(scene_id: str, where: str, column: str) -> None:
    try:
        require_name(scene_id)
    except MiraError as error:
        raise CaptureError(where, f"{column}: {error.problem}, found {scene_id!r}") from None
