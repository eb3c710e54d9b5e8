"""Which files are annotations, and which picture each belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from annotate.findings import FindingLog, Refused
from annotate.folders import FolderWalk, kind_of_output, listing, walk_folder
from annotate.names import PICTURE_SUFFIXES, is_file, is_picture, is_settings, relative_path
from mira.errors import AnnotationFormatError, SceneSourceError


class Source(NamedTuple):
    """The annotation files that a path stands for."""

    root: Path
    """The folder, or a file's."""
    files: list[Path]
    """In order of their names."""
    walk: FolderWalk
    """All that is in the folder; nothing for a file."""

    def note_skipped_folders(self, log: FindingLog) -> None:
        """Name the folders that were not looked into."""
        if self.walk.skipped:
            message = f"not looked into: {listing(self.walk.skipped)}"
            log.info("folder-skipped", "", message, path=self.root)

    def note_skipped_files(self, log: FindingLog, *, read: Iterable[Path]) -> None:
        """Name the files that are neither annotations nor pictures.

        Args:
            log: Takes the finding.
            read: Settings that were read.
        """
        known = {path.resolve() for path in read}
        others = [
            path.relative_to(self.root).as_posix()
            for path in self.walk.files
            if _is_other(path) and path.resolve() not in known
        ]
        if others:
            log.info("file-skipped", "", f"not read: {listing(others)}", path=self.root)


def find_annotations(source: Path) -> Source:
    """The annotation files that a path stands for.

    Args:
        source: A file, taken as it is, or a folder, searched with all below it; settings are
            passed over, and folders as `walk_folder` does.

    Raises:
        AnnotationFormatError: There is no such path, or a folder holds no annotation file.
    """
    if source.is_file():
        return Source(source.parent, [source], FolderWalk((), ()))
    if not source.is_dir():
        raise AnnotationFormatError(source, "", "expected a file or a folder, found neither")
    if kind := kind_of_output(source):
        raise AnnotationFormatError(source, "", f"expected annotation files, found {kind}")
    walk = walk_folder(source)
    files = [path for path in walk.files if path.suffix.casefold() == ".json"]
    files = [path for path in files if not is_settings(path)]
    if not files:
        problem = "expected annotation files (*.json), found none"
        fix = f"not looked into: {listing(walk.skipped)}" if walk.skipped else None
        raise AnnotationFormatError(source, "", problem, fix)
    return Source(source, files, walk)


def _is_other(path: Path) -> bool:
    ending = path.suffix.casefold()
    return is_settings(path) if ending == ".json" else ending not in PICTURE_SUFFIXES


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
        """The picture of an annotation; None where it cannot be found.

        Args:
            annotation: The annotation file.
            image_path: Its `imagePath` as read: a path from the file's folder, by any system's
                rules. Where it leads nowhere its last part counts, then the file's own name.

        Raises:
            Refused: Several pictures have that name.
        """
        named = relative_path(image_path) if isinstance(image_path, str) else None
        literal = annotation.parent / named if named else None
        if literal is not None and is_file(literal) and self._is_of_scenes(literal):
            return literal
        stems = [Path(named.name).stem] if named else []
        name = named.name if named else ""
        found = self._in_scenes(name, [*stems, annotation.stem])
        if found is None and literal is not None and is_file(literal):
            return literal
        return found or _beside(annotation, name, [*stems, annotation.stem])

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


def _beside(annotation: Path, name: str, stems: list[str]) -> Path | None:
    """A picture in the annotation's folder: of the given name, or else of one of the stems."""
    if name and is_file(annotation.parent / name):
        return annotation.parent / name
    for stem in stems:
        for ending in sorted(PICTURE_SUFFIXES):
            for form in (ending, ending.upper()):
                path = annotation.parent / f"{stem}{form}"
                if is_file(path):
                    return path
    return None


def image_name(annotation: Path, image_path: Any) -> str:
    """The stem of an annotation's picture, whether or not there is one."""
    named = relative_path(image_path) if isinstance(image_path, str) else None
    return Path(named.name).stem if named else annotation.stem
