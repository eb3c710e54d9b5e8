"""Whatever can be asked: a release, or questions of others in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mira.release import reader
from mira.release.question_files import (
    SPLIT,
    is_question_folder,
    picture_rows,
    question_folder_digest,
    question_rows,
)
from mira.release.reader import Row, config_info, read_info


def set_digest(folder: Path) -> str:
    """SHA-256 of what is asked, whatever its name and file layout.

    Raises:
        ReleaseError: The folder is neither, or cannot be read.
    """
    if is_question_folder(folder):
        return question_folder_digest(folder)
    return reader.release_digest(folder)


def set_name(folder: Path) -> str:
    """What it is called: the name of a release, or of the folder."""
    return folder.resolve().name if is_question_folder(folder) else read_info(folder).name


def split_names(folder: Path) -> tuple[str, ...]:
    """Splits of the questions.

    Raises:
        ReleaseError: The folder is neither, or has no questions.
    """
    if is_question_folder(folder):
        return (SPLIT,)
    return tuple(part.split for part in config_info(read_info(folder), "qa", folder).splits)


def read_questions(
    folder: Path, *, columns: Sequence[str] | None = None, split: str | None = None
) -> Iterator[Row]:
    """Questions in their order; see `mira.release.reader.read_questions`."""
    if not is_question_folder(folder):
        yield from reader.read_questions(folder, columns=columns, split=split)
    elif split in (None, SPLIT):
        yield from question_rows(folder)


def read_scenes(
    folder: Path, *, columns: Sequence[str] | None = None, split: str | None = None
) -> Iterator[Row]:
    """Pictures; see `mira.release.reader.read_scenes`."""
    if not is_question_folder(folder):
        yield from reader.read_scenes(folder, columns=columns, split=split)
    elif split in (None, SPLIT):
        wanted = columns is None or "image" in columns
        yield from picture_rows(folder, with_pixels=wanted)
