"""Files by patterns with stars, and what the stars stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from mira.errors import CaptureError

_PARTS = re.compile(r"\*\*/|\*|\?|\[[^\]/]+\]|.", re.DOTALL)


def match_files(
    pattern: str, paths: Iterable[str], *, flag: str
) -> list[tuple[tuple[str, ...], str]]:
    """The files that a pattern means, each with what its stars stand for.

    `*` stands for any part of a name, `**/` for any folders, `?` for one letter, `[ab]` for one of
    some.

    Args:
        pattern: Of the whole path below the source.
        paths: All files.
        flag: Named in the error.

    Raises:
        CaptureError: It has no star, or means no file.
    """
    if "*" not in pattern:
        raise CaptureError(flag, f"expected a pattern with a star, found {pattern!r}")
    expression = _expression(pattern)
    found = [(match.groups(), path) for path in paths if (match := expression.fullmatch(path))]
    if not found:
        raise CaptureError(flag, f"expected a pattern of files, found none for {pattern!r}")
    return [(tuple(text or "" for text in groups), path) for groups, path in found]


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    known = {"**/": "((?:[^/]+/)*)", "*": "([^/]*)", "?": "[^/]"}
    pieces = []
    for part in _PARTS.findall(pattern.removeprefix("./")):
        if len(part) > 2 and part[0] == "[":
            inner = part[1:-1]
            negated = inner[0] in "!^" and len(inner) > 1
            letters = re.escape(inner[negated:]).replace(r"\-", "-")
            pieces.append(f"[{'^/' if negated else ''}{letters}]")
        else:
            pieces.append(known.get(part) or re.escape(part))
    try:
        return re.compile("".join(pieces))
    except re.error:
        return re.compile(re.escape(pattern))
