"""The bytes of one annotation file as a document: encoding, JSON, and which program wrote it."""

from __future__ import annotations

import codecs
import json
import math
import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from annotate.findings import FindingLog, UnusableFileError, brief

Format = Literal["x-anylabeling", "labelme"]
Json = dict[str, Any]

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_X_ANYLABELING_KEYS = frozenset({"checked", "text", "tags"})
_X_ANYLABELING_SHAPE_KEYS = frozenset(
    {"kie_linking", "attributes", "difficult", "score", "text", "direction"}
)
_OF_POINTS = re.compile(r"shapes\[\d+\]\.points\[")
MAX_DEPTH = 64
"""Levels of nesting that the records can be written with."""


class Document(NamedTuple):
    """A decoded annotation file."""

    format: Format
    version: str | None
    """As the writing program gave it."""
    data: Json
    """The top level; `shapes` is a list."""


def parse_document(raw: bytes, log: FindingLog) -> Document:
    """The document in the bytes of an annotation file.

    Args:
        raw: The whole file.
        log: Takes what is odd but readable; its path names the file in errors.

    Raises:
        UnusableFileError: The bytes are no text, the text is no JSON, or the JSON is no
            X-AnyLabeling or labelme annotation.
    """
    data = _parse_json(raw, log)
    _require_annotation(data, log.path)
    version = data.get("version")
    return Document(
        format=_format_of(data),
        version=None if version is None else str(version),
        data=data,
    )


def _parse_json(raw: bytes, log: FindingLog) -> Any:
    if not raw.strip():
        raise UnusableFileError(log.path, "", "expected JSON, found no text", code="file-empty")
    try:
        data = orjson.loads(raw)
    except orjson.JSONDecodeError:
        data = _parse_text(_decode(raw, log), log)
    return data


def _decode(raw: bytes, log: FindingLog) -> str:
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), None)
    if encoding is None and raw[:2].count(0) == 1:
        encoding = "utf-16-be" if raw[0] == 0 else "utf-16-le"
    for name in (encoding,) if encoding else ("utf-8", "gb18030"):
        try:
            text = codecs.getincrementaldecoder(name)().decode(raw)
        except UnicodeDecodeError:
            continue
        if name == "gb18030":
            log.warning(
                "encoding-gb18030",
                "",
                "expected UTF-8, read as GB18030: check the labels and save as UTF-8",
            )
        return text
    raise UnusableFileError(
        log.path,
        "",
        "expected UTF-8, UTF-16 or GB18030 text, found bytes that are none of them",
        code="encoding-unknown",
        fix="save the file as UTF-8",
    )


def _parse_text(text: str, log: FindingLog) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as fault:
        strict_fault = fault
    except UnicodeEncodeError:
        raise UnusableFileError(
            log.path, "", "expected text, found half a character", code="encoding-unknown"
        ) from None
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError):
        raise _json_fault(strict_fault, text, log.path) from None
    return _without_nonfinite(data, strict_fault, text, log)


def _json_fault(fault: orjson.JSONDecodeError, text: str, path: str) -> UnusableFileError:
    where = f"line {fault.lineno}, column {fault.colno}"
    ended = fault.pos >= len(text.rstrip())
    if ended:
        problem = "expected the rest of the JSON document, found the end of the file"
    else:
        problem = f"expected JSON, found a fault: {fault.msg}"
    return UnusableFileError(
        path, where, problem, code="json-truncated" if ended else "json-invalid"
    )


def _without_nonfinite(data: Any, fault: orjson.JSONDecodeError, text: str, log: FindingLog) -> Any:
    """The data that only a lenient parser reads, with NaN and infinity taken out.

    Those in `points` stay: they are the fault of their shape, which the reader of shapes names.
    """
    if nested_deeper_than(data, MAX_DEPTH):
        raise UnusableFileError(
            log.path, "", f"expected at most {MAX_DEPTH} nested levels", code="json-too-deep"
        )
    fields: list[str] = []
    cleaned = _replace_nonfinite(data, "", fields)
    if not fields or _holds_half_characters(data):
        raise _json_fault(fault, text, log.path)
    for field in fields:
        if not _OF_POINTS.match(field):
            log.warning("number-not-finite", field, "expected a finite number, read as null")
    return cleaned


def _replace_nonfinite(value: Any, field: str, fields: list[str]) -> Any:
    if isinstance(value, dict):
        return {
            key: _replace_nonfinite(inner, f"{field}.{key}" if field else key, fields)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [
            _replace_nonfinite(inner, f"{field}[{place}]", fields)
            for place, inner in enumerate(value)
        ]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        value = float(value) if abs(value) < 10**300 else math.inf
    if isinstance(value, float) and not math.isfinite(value):
        fields.append(field)
        return value if _OF_POINTS.match(field) else None
    return value


def _holds_half_characters(data: Any) -> bool:
    return any("\ud800" <= letter <= "\udfff" for letter in json.dumps(data, ensure_ascii=False))


def nested_deeper_than(value: Any, levels: int) -> bool:
    """Whether lists and objects are nested in each other by more than some levels."""
    if not isinstance(value, dict | list):
        return False
    if levels == 0:
        return True
    inner = value.values() if isinstance(value, dict) else value
    return any(nested_deeper_than(item, levels - 1) for item in inner)


def _require_annotation(data: Any, path: str) -> None:
    if isinstance(data, dict) and isinstance(data.get("shapes"), list):
        return
    if isinstance(data, dict) and "shapes" in data:
        found = brief(data["shapes"])
        raise UnusableFileError(
            path, "shapes", f"expected a list of shapes, found {found}", code="shapes-invalid"
        )
    if isinstance(data, dict) and {"images", "annotations"} <= data.keys():
        raise UnusableFileError(
            path,
            "",
            "expected one picture's annotation by X-AnyLabeling or labelme, found COCO",
            code="coco-not-read",
            fix="convert it to X-AnyLabeling files",
        )
    found = f"the keys {brief(list(data)[:4])}" if isinstance(data, dict) else brief(data)
    raise UnusableFileError(
        path,
        "",
        f"expected an annotation by X-AnyLabeling or labelme (key 'shapes'), found {found}",
        code="format-unknown",
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
