"""Pictures of one name, and pictures that two files annotate: neither can be told by its id."""

from __future__ import annotations

import filecmp
from collections.abc import Iterable, Mapping
from pathlib import Path

from annotate.findings import FindingLog, Refused, UnusableFileError
from annotate.folders import listing
from annotate.names import id_of, is_file, relative_path
from annotate.reading.document import parse_document, read_bytes
from annotate.scenes.scene_reader import SceneReader

_ONE_BY_ONE = "two annotators? import each folder with its own --annotator"


def find_collisions(
    files: Iterable[Path], scenes: SceneReader, *, one_file_a_picture: bool
) -> dict[Path, Refused]:
    """The annotation files that cannot stand together, and why.

    Args:
        files: Annotation files of one run.
        scenes: Finds their pictures.
        one_file_a_picture: Whether two files may not annotate one picture either.

    Returns:
        For each file at fault, the refusal; files that cannot be read are passed over.
    """
    by_id: dict[str, dict[Path, list[Path]]] = {}
    for path in files:
        named = _picture_of(path, scenes)
        if named is not None:
            number, picture = named
            by_id.setdefault(number, {}).setdefault(picture, []).append(path)
    refusals: dict[Path, Refused] = {}
    for pictures in by_id.values():
        drawn = [path for paths in pictures.values() for path in paths]
        if len(pictures) > 1:
            message = _of_several(pictures, drawn)
            refusals |= {path: Refused("stem-collision", "imagePath", message) for path in drawn}
        elif one_file_a_picture and len(drawn) > 1:
            message = f"expected one file for a picture, found {len(drawn)}: {_names(drawn)}"
            if _are_of_annotators(drawn):
                message += f" ({_ONE_BY_ONE})"
            code = "picture-annotated-twice"
            refusals |= {path: Refused(code, "imagePath", message) for path in drawn}
    return refusals


def _of_several(pictures: Mapping[Path, list[Path]], drawn: list[Path]) -> str:
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
    return listing(path.as_posix() for path in paths)


def _picture_of(path: Path, scenes: SceneReader) -> tuple[str, Path] | None:
    """The id of a file's picture, case aside, and where the picture is or would be."""
    try:
        data = parse_document(read_bytes(path), FindingLog(path)).data
    except UnusableFileError:
        return None
    image_path = data.get("imagePath")
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
