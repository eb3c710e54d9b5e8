"""Questions of others as a folder of JSON lines and pictures, read as the tables of a release.

They are asked, scored and compared as a release is; nothing is exported from them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import orjson
from pydantic import Field, ValidationError, model_validator

from mira.errors import ReleaseError
from mira.release.reader import INFO_PATH, Row
from mira.render.source import decode_color
from mira.schema.record import Record, describe_fault

QUESTIONS_NAME = "questions.jsonl"
CONTROL = "control"
"""Sub-task, and level, of all such questions."""
SPLIT = "test"
_LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_Format = Literal["single_choice", "yes_no", "count"]


class FileQuestion(Record):
    """One line: a question about a picture, with its right answer."""

    question_id: str = Field(min_length=1, max_length=200)
    """Names it; no other has it."""
    question: str = Field(min_length=1)
    """What is asked, as it is put to a model; how to reply is added."""
    image: str
    """The colour picture: a path in the folder."""
    depth: str | None = None
    """A 16-bit PNG of depth on the same grid; absent where there is none."""
    depth_unit_m: float = Field(default=0.001, gt=0)
    """Metres a step of it."""
    depth_kind: Literal["metric", "normalised"] = "metric"
    """Whether steps are metres, or merely nearer and farther."""
    format: _Format = "single_choice"
    """Kind of answer."""
    options: tuple[str, ...] = Field(default=(), max_length=len(_LABELS))
    """What can be answered, in the order shown: they get letters, but for yes and no."""
    answer: str
    """The right one: an option, word for word, or a whole number."""
    scene: str | None = None
    """What is right or wrong together, the unit that intervals draw; its picture by default."""
    kind: str | None = None
    """Kind of question, a row of its own in tables; all are one by default."""

    @model_validator(mode="after")
    def _can_be_answered(self) -> FileQuestion:
        if self.format == "count":
            if self.options or not self.answer.isdecimal():
                raise ValueError("answer: expected a whole number and no options")
            return self
        if self.format == "yes_no" and not {*self.options} <= {"yes", "no", "not sure"}:
            raise ValueError("options: expected yes, no and not sure")
        if len(set(self.options)) < max(2, len(self.options)):
            raise ValueError("options: expected at least two, all different")
        if self.answer not in self.options:
            raise ValueError(f"answer: expected one of the options, found {self.answer!r}")
        return self


def is_question_folder(folder: Path) -> bool:
    """Whether a folder holds questions as files, and is no release."""
    return (folder / QUESTIONS_NAME).is_file() and not (folder / INFO_PATH).is_file()


def question_rows(folder: Path) -> Iterator[Row]:
    """Rows as the `qa` table of a release has them.

    Raises:
        ReleaseError: A line cannot be read, or an id is there twice.
    """
    for one in _read(folder):
        labels = one.options if one.format == "yes_no" else tuple(_LABELS)
        options = [
            {"label": label, "value": text, "text": text}
            for label, text in zip(labels, one.options, strict=False)
        ]
        answer = one.answer
        if one.format == "single_choice":
            answer = next(option["label"] for option in options if option["text"] == one.answer)
        yield {
            "split": SPLIT,
            "question_id": one.question_id,
            "question_sha8": _sha8([one.question, one.options, one.answer]),
            "item_id": one.question_id,
            "scene_id": one.scene or one.image,
            "image_id": _image_id(one),
            "level": CONTROL,
            "subtask": f"{CONTROL}:{one.kind}" if one.kind else CONTROL,
            "template_id": CONTROL,
            "protocol": None,
            "format": one.format,
            "question": one.question,
            "options": options,
            "answer": answer,
            "joint_group": None,
            "count_max": None,
            "marks": [],
            "answer_source": None,
        }


def picture_rows(folder: Path, *, with_pixels: bool) -> Iterator[Row]:
    """Rows as the `scenes` table of a release has them, a picture each; nothing is marked on it.

    Args:
        folder: The folder.
        with_pixels: Whether rows hold the pictures. They are decoded all the same: one that is
            damaged is told of before anything is asked.

    Raises:
        ReleaseError: A line or a picture cannot be read.
        SceneSourceError: A picture is none.
    """
    seen: set[str] = set()
    for one in _read(folder):
        if (image_id := _image_id(one)) in seen:
            continue
        seen.add(image_id)
        color = _bytes(folder, one.image)
        depth = None if one.depth is None else _bytes(folder, one.depth)
        height, width = decode_color(color, where=folder / one.image).shape[:2]
        yield {
            "split": SPLIT,
            "image_id": image_id,
            "scene_id": one.scene or one.image,
            "image": {"bytes": color, "path": one.image} if with_pixels else None,
            "depth": {"bytes": depth, "path": one.depth} if depth and with_pixels else None,
            "width_px": width,
            "height_px": height,
            "depth_unit_m": one.depth_unit_m if depth else None,
            "depth_kind": one.depth_kind if depth else None,
            "image_sha256": hashlib.sha256(color).hexdigest(),
            "depth_sha256": hashlib.sha256(depth).hexdigest() if depth else None,
            **dict.fromkeys(("environment", "lighting", "place", "source")),
            **{name: [] for name in ("surfaces", "instances", "links")},
        }


def question_folder_digest(folder: Path) -> str:
    """SHA-256 of all that is asked and shown, whatever else lies in the folder.

    Raises:
        ReleaseError: A line or a picture cannot be read.
    """
    digest = hashlib.sha256()
    pictures: dict[str, str] = {}
    for one in _read(folder):
        for path in filter(None, (one.image, one.depth)):
            if path not in pictures:
                pictures[path] = hashlib.sha256(_bytes(folder, path)).hexdigest()
        shown = [pictures[path] for path in filter(None, (one.image, one.depth))]
        digest.update(orjson.dumps([one.model_dump(mode="json"), shown]))
    return digest.hexdigest()


def _read(folder: Path) -> Iterator[FileQuestion]:
    path = folder / QUESTIONS_NAME
    seen: set[str] = set()
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise ReleaseError(path, f"cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        one = _parse(line, where)
        if one.question_id in seen:
            raise ReleaseError(where, f"question_id: found {one.question_id!r} before already")
        seen.add(one.question_id)
        yield one
    if not seen:
        raise ReleaseError(path, "expected one question a line, found none")


def _parse(line: bytes, where: str) -> FileQuestion:
    try:
        fields: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ReleaseError(where, f"expected one JSON object, found a fault: {error}") from None
    if not isinstance(fields, Mapping):
        raise ReleaseError(where, f"expected one JSON object, found {type(fields).__name__}")
    try:
        return FileQuestion.model_validate(fields)
    except ValidationError as error:
        raise ReleaseError(where, describe_fault(error)) from None


def _bytes(folder: Path, relative: str) -> bytes:
    parts = PurePosixPath(relative).parts
    if not parts or ".." in parts or PurePosixPath(relative).is_absolute():
        raise ReleaseError(folder / QUESTIONS_NAME, f"expected a path in it, found {relative!r}")
    try:
        return (folder / relative).read_bytes()
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or error
        raise ReleaseError(folder / relative, f"cannot be read: {told}") from None


def _image_id(one: FileQuestion) -> str:
    return one.image if one.depth is None else f"{one.image}+{one.depth}"


def _sha8(content: list[object]) -> str:
    return hashlib.sha256(orjson.dumps(content)).hexdigest()[:8]
