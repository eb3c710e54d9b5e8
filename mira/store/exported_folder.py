"""The folder that an export may take: what people changed in it is never lost."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from mira.errors import MiraError
from mira.store.atomic import os_faults
from mira.store.checksums import format_sums

SUMS_NAME = "export.sha256"
"""Digests of all files of an export, in the form that `sha256sum -c` reads."""
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_FIX = "write to another folder, or import what was drawn and remove this one"


def write_sums(folder: Path, digests: Mapping[str, str]) -> None:
    """Note what an export wrote, by path from its folder on."""
    (folder / SUMS_NAME).write_bytes(format_sums(digests))


def require_unchanged(out: Path) -> None:
    """Raise unless a folder is missing, empty, or an export that nobody has changed since.

    Raises:
        MiraError: It holds something else, which is named.
    """
    out = out.resolve()
    if out.exists() and not out.is_dir():
        raise MiraError(out, "expected a folder, found a file")
    with os_faults(out):
        found = sorted(path for path in out.rglob("*") if not path.is_dir())
        if not found:
            return
        digests = _digests(out / SUMS_NAME)
        if digests is None:
            problem = f"expected a new or empty folder, found {found[0].relative_to(out)}"
            raise MiraError(out, problem, "write to another folder")
        for path in found:
            name = path.relative_to(out).as_posix()
            if name == SUMS_NAME:
                continue
            if name not in digests:
                raise MiraError(path, "came after the export", _FIX)
            if hashlib.sha256(path.read_bytes()).hexdigest() != digests[name]:
                raise MiraError(path, "was changed after the export", _FIX)


def _digests(path: Path) -> dict[str, str] | None:
    """The digests by path that an export noted; None where it is none."""
    if not path.is_file():
        return None
    lines = path.read_text("utf-8", errors="replace").splitlines()
    matches = [_LINE.fullmatch(line) for line in lines]
    return {match[2]: match[1] for match in matches if match is not None}
