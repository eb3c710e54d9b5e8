"""The bounds of a selection as rows for people."""

from __future__ import annotations

from typing import NamedTuple

from capture.selection.policy import Ceiling, Floor, SelectionPolicy


class PolicyRow(NamedTuple):
    """One setting.

    Attributes:
        field: Its name in a policy file, such as `surface.share_floor`.
        value: What it is set to, in words.
        meaning: What it is about.
    """

    field: str
    value: str
    meaning: str


def policy_rows(policy: SelectionPolicy) -> tuple[PolicyRow, ...]:
    """All settings of a policy, in the order of its fields."""
    rows = []
    for part in type(policy).model_fields:
        record = getattr(policy, part)
        for name, field in type(record).model_fields.items():
            value = getattr(record, name)
            meaning = " ".join((field.description or "").split())
            rows.append(PolicyRow(f"{part}.{name}", _in_words(value), meaning))
    return tuple(rows)


def _in_words(value: object) -> str:
    if isinstance(value, Floor):
        return f"look below {value.look_below:g}, drop below {value.drop_below:g}"
    if isinstance(value, Ceiling):
        return f"look above {value.look_above:g}, drop above {value.drop_above:g}"
    return f"{value:g}" if isinstance(value, float) else str(value)
