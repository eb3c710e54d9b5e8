"""Code names of people, which go into what is kept of them."""

from __future__ import annotations

import re

from mira.errors import DeskError

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def require_code_name(name: str) -> str:
    """A code name that is safe wherever names go.

    Raises:
        DeskError: It is none.
    """
    if not _NAME.fullmatch(name):
        problem = f"expected up to 32 of a-z, 0-9, '-' and '_', found {name[:40]!r}"
        raise DeskError("name", problem, code="bad-name")
    return name
