"""One annotation file as a document: which program wrote it, and its values."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NamedTuple

from annotate.findings import FindingLog, UnusableFileError, brief
from annotate.reading.json_text import parse_json

Format = Literal["x-anylabeling", "labelme", "coco"]
Json = dict[str, Any]

_X_ANYLABELING_KEYS = frozenset({"checked", "text", "tags"})
_X_ANYLABELING_SHAPE_KEYS = frozenset(
    {"kie_linking", "attributes", "difficult", "score", "text", "direction"}
)
_WANTED = (
    "expected an annotation by X-AnyLabeling or labelme (key 'shapes') "
    "or COCO (keys 'images', 'annotations', 'categories')"
)


class Document(NamedTuple):
    """All that an annotation file says of one picture, in the form of X-AnyLabeling and labelme."""

    format: Format
    version: str | None
    """As the writing program gave it."""
    data: Json
    """The top level; `shapes` is a list."""


class PictureDocument(NamedTuple):
    """One picture's part of an annotation file."""

    document: Document
    path: Path
    """Where a file of this picture alone would lie: its name tells the picture's."""
    log: FindingLog
    """Takes what is found in this part; the file's own where the file is of one picture."""


def parse_document(raw: bytes, log: FindingLog) -> Document:
    """The document in the bytes of a file that X-AnyLabeling or labelme wrote.

    Args:
        raw: The whole file.
        log: Takes what is odd but readable; its path names the file in errors.

    Raises:
        UnusableFileError: The bytes are no text, the text is no JSON, or the JSON is no
            X-AnyLabeling or labelme annotation.
    """
    return document_of(parse_json(raw, log), log.path)


def document_of(data: Any, path: str) -> Document:
    """The document in the JSON value of a file that X-AnyLabeling or labelme wrote.

    Args:
        data: The value.
        path: Names the file in errors.

    Raises:
        UnusableFileError: The value is no such annotation.
    """
    if not isinstance(data, dict) or "shapes" not in data:
        found = f"the keys {brief(list(data)[:4])}" if isinstance(data, dict) else brief(data)
        raise UnusableFileError(path, "", f"{_WANTED}, found {found}", code="format-unknown")
    if not isinstance(data["shapes"], list):
        problem = f"expected a list of shapes, found {brief(data['shapes'])}"
        raise UnusableFileError(path, "shapes", problem, code="shapes-invalid")
    version = data.get("version")
    return Document(
        format=_format_of(data),
        version=None if version is None else str(version),
        data=data,
    )


def _format_of(data: Json) -> Format:
    """Which program wrote an annotation: version numbers overlap, so keys decide."""
    shapes = [shape for shape in data["shapes"] if isinstance(shape, dict)]
    marked = _X_ANYLABELING_KEYS & data.keys() or any(
        _X_ANYLABELING_SHAPE_KEYS & shape.keys() for shape in shapes
    )
    if marked:
        return "x-anylabeling"
    major = str(data.get("version", "")).partition(".")[0]
    return "x-anylabeling" if major in {"0", "1", "2"} else "labelme"


def read_bytes(path: Path) -> bytes:
    """The bytes of an annotation file.

    Raises:
        UnusableFileError: It cannot be opened.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise UnusableFileError(path, "", problem, code="file-unreadable") from None
