"""What must hold before a release is written: its place, its names, its pictures."""

from __future__ import annotations

import re
from pathlib import Path

from export.croissant import FILE_NAME as CROISSANT
from export.templates import DATASHEET_NAME
from mira.errors import ExportError, MiraError
from mira.release.columns import CONFIGS
from mira.release.loadable import require_loadable_path
from mira.release.reader import INFO_PATH, read_info
from mira.render.header import may_be_turned, read_header

_SPLIT = re.compile(r"\w+")
OWN_ENTRIES = frozenset({"README.md", DATASHEET_NAME, CROISSANT, INFO_PATH.parts[0], *CONFIGS})
"""All that stands at the top of a release."""


def require_target(out: Path) -> None:
    """A place where a release can stand, and where nothing but a release would be replaced.

    Raises:
        ExportError: The folder holds something else.
        ReleaseError: `datasets` could not load from its path.
    """
    require_loadable_path(out)
    # A path such as `nothing/..` leads to a folder that is there, where it seems that none is.
    out = out.resolve()
    if not out.exists():
        return
    if not out.is_dir():
        raise ExportError(out, "expected a folder, found a file")
    entries = {entry.name for entry in out.iterdir()}
    if not entries:
        return
    try:
        read_info(out)
    except MiraError:
        raise ExportError(
            out, "holds something that is no release", "choose a new folder"
        ) from None
    if foreign := sorted(entries - OWN_ENTRIES):
        raise ExportError(
            out,
            f"holds more than a release, which would be lost: {', '.join(foreign)}",
            "choose a new folder, or move them out",
        )


def require_split(split: str) -> None:
    """A split name that `datasets` takes.

    Raises:
        ExportError: It is no word, or the one that stands for all splits.
    """
    if not _SPLIT.fullmatch(split) or split == "all":
        raise ExportError(
            "split", f"expected a word of letters, digits and '_' but not 'all', found {split!r}"
        )


def require_title(name: str) -> None:
    """A name of a data set that can stand in a heading and in an example of code.

    Raises:
        ExportError: It is empty, or holds a quote, a line break or another sign that cannot.
    """
    printable = name.isprintable() and not set(name) & set("\"'`\\<>|")
    if not name.strip() or not printable or not _encodes(name):
        raise ExportError(
            "name", f"expected a line without quotes, <, > and |, found {name!r}", "give --name"
        )


def require_upright(data: bytes, image_id: str) -> None:
    """A picture that viewers and `datasets` do not turn by its EXIF orientation.

    Outlines are on the pixels as stored; a reader that turns the picture, in a data set of
    mirrors of all things, would put left for right.

    Raises:
        ExportError: It has an orientation other than upright.
        SceneSourceError: It is no picture.
    """
    if not may_be_turned(data):
        return
    orientation = read_header(data, where=image_id).orientation
    if orientation != 1:
        raise ExportError(
            image_id,
            f"has EXIF orientation {orientation}, by which `datasets` would turn it",
            "remove the tag from the file and import it again",
        )


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
