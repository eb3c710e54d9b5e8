"""Ids from file names, and which names belong to a picture."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import Any

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg"})
DEPTH_ENDING = "_depth"
CAMERA_ENDING = "_intrinsics"
CAMERA_NAME = "intrinsics.json"
SCENE_NAME = "scene.json"
SETTINGS_NAMES = frozenset({SCENE_NAME, CAMERA_NAME, "attributes.json"})
"""JSON files that stand beside annotations and are none."""
SESSION_NAMES = frozenset(
    {
        "capture.json",
        SCENE_NAME,
        "frame.json",
        "frame_emitter_off.json",
        "calib.json",
        "device.json",
        "settings.json",
    }
)
"""JSON files of a capture session that are no annotations."""
_LONGEST_BYTES = 150
_ODD = re.compile(r"[^\w.\-]+")


def id_of(stem: str) -> str:
    """The id that a name gives: its letters, digits, `_`, `-` and `.`; the rest becomes `-`.

    Args:
        stem: A file's name without its ending, or a folder's.

    Returns:
        A name that is safe as one part of a path; empty where nothing of it can be used.
    """
    text = _ODD.sub("-", unicodedata.normalize("NFC", stem)).lstrip("_-.")
    return text.encode()[:_LONGEST_BYTES].decode(errors="ignore").rstrip("-.")


def is_file(path: Path) -> bool:
    """Whether a path is a file's, be the path ever so odd."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_picture(path: Path) -> bool:
    """Whether a name is that of a colour picture."""
    ending = path.suffix.casefold() in PICTURE_SUFFIXES
    return ending and not path.stem.casefold().endswith(DEPTH_ENDING)


def is_settings(path: Path) -> bool:
    """Whether a JSON file's name says that it is no annotation."""
    name = path.name.casefold()
    return name in SETTINGS_NAMES or path.stem.casefold().endswith(CAMERA_ENDING)


def is_session_file(path: Path) -> bool:
    """Whether a JSON file's name in a capture session says that it is no annotation."""
    return path.name.casefold() in SESSION_NAMES or is_settings(path)


def relative_path(text: str) -> PurePosixPath | None:
    """A path as any system writes it, for use here; None where it is empty.

    An absolute path is that of another machine: its last part alone remains.
    """
    path = PurePosixPath(text.replace("\\", "/"))
    if not path.name or path.name == "..":
        return None
    absolute = path.is_absolute() or re.match(r"[A-Za-z]:", text) is not None
    return PurePosixPath(path.name) if absolute else path


def image_name(annotation: Path, image_path: Any) -> str:
    """The stem of an annotation's picture, whether or not there is one."""
    named = relative_path(image_path) if isinstance(image_path, str) else None
    return Path(named.name).stem if named else annotation.stem
