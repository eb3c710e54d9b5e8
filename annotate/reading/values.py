"""Values of ids, links and choices in the forms that programs and people give them."""

from __future__ import annotations

import re
from typing import Any

from annotate.findings import Refused, brief

MAX_ID = 2**31 - 1
"""Largest id that is taken for one."""
_ID_LIST = re.compile(r"""\[?\s*(['"]?\d{1,20}['"]?(?:\s*,\s*['"]?\d{1,20}['"]?)*)\s*\]?""")
_UNSET_WORDS = frozenset({"", "[]", "unset", "null", "none"})


def is_unset(value: Any) -> bool:
    """Whether a value is one of the forms that mean that nobody answered."""
    if isinstance(value, str):
        return value.strip().casefold() in _UNSET_WORDS
    return value is None or (isinstance(value, list) and all(is_unset(item) for item in value))


def parse_id(value: Any) -> int | None:
    """An id of at least 1 given as a whole number or its digits; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        digits = value.strip()
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    return value if isinstance(value, int) and 1 <= value <= MAX_ID else None


def parse_group_id(value: Any, where: str) -> int | None:
    """A shape's `group_id`; None where it is unset.

    Raises:
        Refused: It is set and no id.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = parse_id(value)
    if number is None:
        raise Refused(
            "group-id-invalid", where, f"expected a whole number from 1 on, found {brief(value)}"
        )
    return number


def parse_link(value: Any, where: str) -> int | None:
    """The one id that a link attribute names; None where it is unset.

    Raises:
        Refused: It names several ids, or none in a form that is not `unset`.
    """
    if is_unset(value):
        return None
    ids = {parse_id(item) for item in _link_items(value)}
    if len(ids) > 1:
        raise Refused("link-invalid", where, f"expected one id, found {brief(value)}")
    number = ids.pop() if ids else None
    if number is None:
        raise Refused("link-invalid", where, f"expected an id, found {brief(value)}")
    return number


def _link_items(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [item for item in value if not is_unset(item)]
    if isinstance(value, str) and (match := _ID_LIST.fullmatch(value.strip())):
        return [item.strip(" '\"") for item in match[1].split(",")]
    return [value]


def parse_choice(value: Any, choices: frozenset[str], where: str) -> str | None:
    """The answer of a choice; None where it is unset.

    Raises:
        Refused: It is none of the choices.
    """
    if is_unset(value):
        return None
    if isinstance(value, str):
        answer = "_".join(value.casefold().replace("-", " ").replace("_", " ").split())
        if answer in choices:
            return answer
    wanted = ", ".join(sorted(choices))
    raise Refused(
        "choice-unknown", where, f"expected unset or one of {wanted}, found {brief(value)}"
    )


def parse_pairs(value: Any, where: str) -> tuple[tuple[int, int], ...]:
    """The pairs of `kie_linking`; none where it is unset.

    Raises:
        Refused: It is no list of pairs of ids.
    """
    if is_unset(value):
        return ()
    if not isinstance(value, list):
        raise Refused("link-invalid", where, f"expected a list of pairs, found {brief(value)}")
    pairs = []
    for place, pair in enumerate(value):
        ids = tuple(map(parse_id, pair)) if isinstance(pair, list) and len(pair) == 2 else ()
        if len(ids) != 2 or ids[0] is None or ids[1] is None:
            raise Refused(
                "link-invalid", f"{where}[{place}]", f"expected two ids, found {brief(pair)}"
            )
        pairs.append((ids[0], ids[1]))
    return tuple(pairs)
