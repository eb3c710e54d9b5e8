"""The bytes of an annotation file as JSON values: encodings, faults, numbers that are none."""

from __future__ import annotations

import codecs
import json
import math
import re
from typing import Any

import orjson

from annotate.findings import FindingLog, UnusableFileError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OF_POINTS = re.compile(r"shapes\[\d+\]\.points\[")
_OF_SEGMENTATION = re.compile(r"annotations\[\d+\]\.(segmentation|bbox)\b")
_XML = re.compile(r"\ufeff?\s*(?:<[?!][^>]*>\s*)*<([A-Za-z_][\w.:-]*)")
MAX_DEPTH = 64
"""Levels of nesting that the records can be written with."""


def parse_json(raw: bytes, log: FindingLog) -> Any:
    """The one JSON value in the bytes of an annotation file.

    Args:
        raw: The whole file.
        log: Takes what is odd but readable; its path names the file in errors.

    Raises:
        UnusableFileError: The bytes are no text, or the text is no JSON.
    """
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
        if root := _XML.match(text):
            raise _xml_fault(root[1], log.path) from None
    except UnicodeEncodeError:
        raise UnusableFileError(
            log.path, "", "expected text, found half a character", code="encoding-unknown"
        ) from None
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError):
        raise _json_fault(strict_fault, text, log.path) from None
    return _without_nonfinite(data, strict_fault, text, log)


def _xml_fault(root: str, path: str) -> UnusableFileError:
    return UnusableFileError(
        path,
        "",
        f"expected JSON of X-AnyLabeling, labelme or COCO, found XML with the root <{root}>, "
        "as CVAT and Pascal VOC have it",
        code="xml-not-read",
        fix="export it as COCO",
    )


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

    Those in the outline of a shape stay: they are its fault, which the reader of shapes names.
    """
    if nested_deeper_than(data, MAX_DEPTH):
        raise UnusableFileError(
            log.path, "", f"expected at most {MAX_DEPTH} nested levels", code="json-too-deep"
        )
    fields: list[str] = []
    of_shape = _OF_POINTS if isinstance(data, dict) and "shapes" in data else _OF_SEGMENTATION
    cleaned = _replace_nonfinite(data, "", of_shape, fields)
    if not fields or _holds_half_characters(data):
        raise _json_fault(fault, text, log.path)
    for field in fields:
        if not of_shape.match(field):
            log.warning("number-not-finite", field, "expected a finite number, read as null")
    return cleaned


def _replace_nonfinite(value: Any, field: str, of_shape: re.Pattern[str], fields: list[str]) -> Any:
    if isinstance(value, dict):
        return {
            key: _replace_nonfinite(inner, f"{field}.{key}" if field else key, of_shape, fields)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [
            _replace_nonfinite(inner, f"{field}[{place}]", of_shape, fields)
            for place, inner in enumerate(value)
        ]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        value = float(value) if abs(value) < 10**300 else math.inf
    if isinstance(value, float) and not math.isfinite(value):
        fields.append(field)
        return value if of_shape.match(field) else None
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
