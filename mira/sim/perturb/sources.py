"""Which files are annotations, and what is in them."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import NamedTuple

import orjson

from mira.errors import AnnotationFormatError, MiraError
from mira.sim.perturb.drawing import Json
from mira.store.session import VIEW_NAMES, is_session

_NO_ANNOTATIONS = frozenset(
    {"scene.json", "intrinsics.json", "attributes.json", "capture.json"} | VIEW_NAMES
)
"""JSON files that stand beside annotations and are none."""
_CAMERA_ENDING = "_intrinsics"
_OUTPUTS = ("workspace.json", "meta/info.json")
"""Files that tell a workspace and a release, which hold no annotation files."""
_TRUTH = "truth"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Source(NamedTuple):
    """The annotation files that a path stands for."""

    root: Path
    """The folder, or a file's."""
    names: tuple[str, ...]
    """Paths below it, with slashes, in order."""


def find_sources(source: Path) -> Source:
    """The annotation files of a file, a folder or a capture session.

    Hidden and linked folders, workspaces, releases and the truth of a session are not looked into.

    Raises:
        MiraError: There is no such path, it cannot be read, or it holds no annotation file.
    """
    if source.is_file():
        return Source(source.parent, (source.name,))
    if not source.is_dir():
        raise MiraError(source, "expected a file or a folder, found neither")
    names = sorted(
        (path.relative_to(source).as_posix() for path in _files(source)),
        key=lambda name: name.split("/"),
    )
    if not names:
        raise MiraError(source, "expected annotation files (*.json), found none")
    return Source(source, tuple(names))


def read_document(path: Path) -> Json:
    """The document in an annotation file.

    Raises:
        AnnotationFormatError: It cannot be read, is no JSON text, or no annotation.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise AnnotationFormatError(path, "", f"cannot be read: {error.strerror}") from None
    document = _parse(raw, path)
    shapes = document.get("shapes") if isinstance(document, dict) else None
    if isinstance(document, dict) and isinstance(shapes, list):
        return document
    if isinstance(document, dict) and "shapes" in document:
        raise AnnotationFormatError(path, "shapes", "expected a list, found something else")
    problem = "expected an annotation by X-AnyLabeling or labelme (key 'shapes'), found none"
    raise AnnotationFormatError(path, "", problem)


def _files(root: Path) -> list[Path]:
    found = []
    for folder, inner, names in os.walk(root, onerror=_refuse):
        here = Path(folder)
        inner[:] = [name for name in inner if _is_open(here / name, root)]
        found += [here / name for name in names if _may_be_annotation(here / name)]
    return found


def _refuse(error: OSError) -> None:
    raise MiraError(str(error.filename), f"cannot be read: {error.strerror}")


def _is_open(folder: Path, root: Path) -> bool:
    """Whether a folder is looked into."""
    if folder.name.startswith(".") or folder.is_symlink():
        return False
    if folder == root / _TRUTH and is_session(root):
        return False
    return not any((folder / mark).is_file() for mark in _OUTPUTS)


def _may_be_annotation(path: Path) -> bool:
    name = path.name.casefold()
    settings = name in _NO_ANNOTATIONS or path.stem.casefold().endswith(_CAMERA_ENDING)
    return name.endswith(".json") and not name.startswith(".") and not settings


def _parse(raw: bytes, path: Path) -> object:
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "utf-8")
    for name in (encoding, "gb18030"):
        try:
            parsed: object = orjson.loads(raw.decode(name))
        except UnicodeDecodeError:
            continue
        except orjson.JSONDecodeError as fault:
            return _parse_wide(raw.decode(name), path, fault)
        return parsed
    raise AnnotationFormatError(
        path, "", "expected UTF-8, UTF-16 or GB18030 text, found bytes that are none of them"
    )


def _parse_wide(text: str, path: Path, fault: orjson.JSONDecodeError) -> object:
    """What only a lenient parser reads: whole numbers of any length, but never NaN."""
    try:
        parsed: object = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(parsed, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        where = f"line {fault.lineno}, column {fault.colno}"
        problem = f"expected JSON, found a fault: {fault.msg}"
        raise AnnotationFormatError(path, where, problem) from None
    return parsed


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
