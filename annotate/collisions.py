"""Pictures of one name, and pictures that two files annotate: neither can be told by its id."""

from __future__ import annotations

import filecmp
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from annotate.contents import documents_in
from annotate.findings import FindingLog, Refused, UnusableFileError
from annotate.folders import listing
from annotate.names import id_of, is_file, relative_path
from annotate.reading.document import PictureDocument, read_bytes
from annotate.scenes.scene_reader import SceneReader

_ONE_BY_ONE = "two annotators? import each folder with its own --annotator"


class Part(NamedTuple):
    """One picture's part of an annotation file."""

    file: Path
    place: int
    """Position among the pictures of the file, from 0 on."""


def find_collisions(
    files: Iterable[Path], scenes: SceneReader, *, one_file_a_picture: bool
) -> dict[Part, Refused]:
    """The parts of annotation files that cannot stand together, and why.

    Args:
        files: Annotation files of one run.
        scenes: Finds their pictures.
        one_file_a_picture: Whether two files may not annotate one picture either.

    Returns:
        For each part at fault, the refusal; files that cannot be read are passed over.
    """
    by_id: dict[str, dict[Path, list[Part]]] = {}
    for path in files:
        for place, document in enumerate(_documents(path)):
            number, picture = _picture_of(document, scenes)
            by_id.setdefault(number, {}).setdefault(picture, []).append(Part(path, place))
    refusals: dict[Part, Refused] = {}
    for pictures in by_id.values():
        parts = [part for drawn in pictures.values() for part in drawn]
        files_drawn = [part.file for part in parts]
        if len(pictures) > 1:
            message = _of_several(pictures, files_drawn)
            refusals |= {part: Refused("stem-collision", "imagePath", message) for part in parts}
        elif one_file_a_picture and len(parts) > 1:
            found = f"found {len(parts)}: {_names(files_drawn)}"
            message = f"expected one annotation of a picture, {found}"
            if _are_of_annotators(files_drawn):
                message += f" ({_ONE_BY_ONE})"
            code = "picture-annotated-twice"
            refusals |= {part: Refused(code, "imagePath", message) for part in parts}
    return refusals


def _of_several(pictures: Mapping[Path, list[Part]], drawn: list[Path]) -> str:
    """The message about files whose pictures have one name; it names no picture that is not."""
    found = sorted(filter(is_file, pictures))
    message = f"expected pictures whose names give different ids, found {_names(drawn)}"
    if found:
        message += f" with the pictures {_names(found)}"
    if _are_of_annotators(drawn) and all(_are_equal(found[0], other) for other in found[1:]):
        return f"{message} ({_ONE_BY_ONE})"
    return f"{message} (give one a new name)"


def _are_of_annotators(drawn: list[Path]) -> bool:
    """Whether files have one name in different folders."""
    return len({path.stem.casefold() for path in drawn}) == 1 and len(drawn) == len(
        {path.parent for path in drawn}
    )


def _are_equal(path: Path, other: Path) -> bool:
    try:
        return filecmp.cmp(path, other, shallow=False)
    except OSError:
        return False


def _names(paths: Iterable[Path]) -> str:
    return listing(path.as_posix() for path in dict.fromkeys(paths))


def _documents(path: Path) -> list[PictureDocument]:
    try:
        return documents_in(read_bytes(path), path, FindingLog(path))
    except UnusableFileError:
        return []


def _picture_of(read: PictureDocument, scenes: SceneReader) -> tuple[str, Path]:
    """The id of a document's picture, case aside, and where the picture is or would be."""
    path, image_path = read.path, read.document.data.get("imagePath")
    try:
        found = scenes.find(path, image_path)
    except Refused:
        found = None
    if found is None:
        named = relative_path(image_path) if isinstance(image_path, str) else None
        picture = path.parent / (named or f"{path.stem}.png")
        return id_of(scenes.name_of(path, image_path)).casefold(), _plain(picture)
    return id_of(found.name).casefold(), _plain(found.path)


def _plain(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path
