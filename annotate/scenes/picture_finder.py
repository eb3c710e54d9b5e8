"""Finds pictures by name in a folder, or beside their annotations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotate.findings import Refused
from annotate.folders import walk_folder
from annotate.names import PICTURE_SUFFIXES, is_file, is_picture, relative_path
from mira.errors import SceneSourceError

_FORMS = tuple(form for ending in sorted(PICTURE_SUFFIXES) for form in (ending, ending.upper()))


class PictureFinder:
    """Finds the pictures of annotations."""

    def __init__(self, scenes: Path | None) -> None:
        """Index a folder of pictures.

        Args:
            scenes: The folder, or a file's folder; None where pictures lie beside annotations.

        Raises:
            SceneSourceError: There is no such folder.
        """
        self._by_name: dict[str, list[Path]] = {}
        self._by_stem: dict[str, list[Path]] = {}
        self._listed: dict[Path, frozenset[str]] = {}
        self._scenes = scenes
        if scenes is None:
            return
        if not scenes.is_dir():
            raise SceneSourceError(scenes, "expected a folder of pictures, found none")
        for path in filter(is_picture, walk_folder(scenes, follow_links=True).files):
            self._by_name.setdefault(path.name.casefold(), []).append(path)
            self._by_stem.setdefault(path.stem.casefold(), []).append(path)

    @property
    def looks_beside_alone(self) -> bool:
        """Whether no folder of pictures was given."""
        return self._scenes is None

    def find(self, annotation: Path, image_path: Any) -> Path | None:
        """The picture of an annotation; see `SceneReader.find`."""
        named = relative_path(image_path) if isinstance(image_path, str) else None
        literal = annotation.parent / named if named else None
        if literal is not None and is_file(literal) and self._is_of_scenes(literal):
            return literal
        stems = [Path(named.name).stem] if named else []
        name = named.name if named else ""
        found = self._in_scenes(name, [*stems, annotation.stem])
        if found is None and literal is not None and is_file(literal):
            return literal
        return found or self._beside(annotation, name, [*stems, annotation.stem])

    def _is_of_scenes(self, path: Path) -> bool:
        return self._scenes is None or path.resolve().is_relative_to(self._scenes.resolve())

    def _in_scenes(self, name: str, stems: list[str]) -> Path | None:
        choices = [self._by_name.get(name.casefold(), [])]
        choices += [self._by_stem.get(stem.casefold(), []) for stem in stems]
        for paths in choices:
            if len(paths) > 1:
                listed = ", ".join(path.as_posix() for path in paths[:4])
                message = f"expected one picture of the name {name or stems[0]!r}, found {listed}"
                raise Refused("stem-collision", "imagePath", message)
            if paths:
                return paths[0]
        return None

    def _beside(self, annotation: Path, name: str, stems: list[str]) -> Path | None:
        """A picture in the annotation's folder: of the given name, or else of one of the stems."""
        folder = annotation.parent
        there = self._names_in(folder)
        names = [name, *(f"{stem}{form}" for stem in stems for form in _FORMS)]
        near = (folder / name for name in names if name and name.casefold() in there)
        return next(filter(is_file, near), None)

    def _names_in(self, folder: Path) -> frozenset[str]:
        """Names of a folder's entries, case aside, as they were at first sight."""
        if folder not in self._listed:
            try:
                names = frozenset(path.name.casefold() for path in folder.iterdir())
            except OSError:
                names = frozenset()
            self._listed[folder] = names
        return self._listed[folder]
