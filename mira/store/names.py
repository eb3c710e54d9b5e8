"""Names that are safe as one part of a path on every system."""

from __future__ import annotations

import os
import re

from mira.errors import MiraError, WorkspaceError

_NAME = re.compile(r"[^\W_][\w.\-]*")
_NAME_BYTES = 200
"""Leaves room for an ending and for the mark of a partial file within a name's usual 255."""
_DEVICES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{k}" for port in ("com", "lpt") for k in range(10)),
}


def require_name(name: str, *, error: type[MiraError] = WorkspaceError) -> str:
    """A name that is safe as one part of a path.

    Args:
        name: The name.
        error: What is raised, by the kind of folder that the name is for.

    Raises:
        MiraError: It is empty, too long, or holds a separator or another odd character.
    """
    if not _NAME.fullmatch(name) or name.endswith("."):
        raise error(
            name,
            "expected letters, digits, '_', '-' and '.', starting with a letter or digit and not "
            "ending with '.'",
        )
    if len(os.fsencode(name)) > _NAME_BYTES or name.split(".")[0].lower() in _DEVICES:
        raise error(name, "is too long, or a name that some systems keep for a device")
    return name
