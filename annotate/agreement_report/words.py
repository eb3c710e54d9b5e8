"""Numbers and reasons as the report writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from annotate.agreement_report.disputes import Dispute, Reason
from mira.schema.evaluation import Interval

_ROUNDING = 1e-9
REASON_WORDS: Mapping[Reason, str] = {
    "alone": "drawn by one alone",
    "near-miss": "little in common",
    "label": "another label",
    "link": "another link",
    "open": "link left open",
    "loose": "loose outline",
}
"""Reasons of disputes, for filters."""
NOTHING = "–"
"""What stands where there is no number."""


def format_iou(value: float | None) -> str:
    """An IoU with three digits, never rounded up to a bound that it misses."""
    return NOTHING if value is None else f"{math.floor((value + _ROUNDING) * 1e3) / 1e3:.3f}"


def format_interval(interval: Interval | None) -> str:
    """Both ends of an interval; empty where there is none."""
    return f"{interval.low:.3f} to {interval.high:.3f}" if interval else ""


def format_share(n: int, n_agreed: int) -> str:
    """A share as per cent, never rounded up to all; a dash of nothing."""
    return f"{math.floor(1000 * n_agreed / n) / 10:.1f} %" if n else NOTHING


def format_percent_interval(interval: Interval | None) -> str:
    """Both ends of an interval of a share, in per cent; empty where there is none."""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %" if interval else ""


def format_label(label: str | None) -> str:
    """A label as people write it."""
    return NOTHING if label is None else label.replace("_", " ")


def words_of(dispute: Dispute, *, annotator: str, auditor: str) -> tuple[str, ...]:
    """Each reason of a dispute, with who says what."""
    pair, links = dispute.pair, dispute.links
    labels = f"{annotator}: {format_label(pair.first_label)}, "
    labels += f"{auditor}: {format_label(pair.second_label)}"
    shows = f"{annotator}: {links.first}, {auditor}: {links.second}" if links else ""
    found: dict[Reason, str] = {
        "alone": f"only {annotator if pair.second_id is None else auditor} drew it",
        "near-miss": "little in common",
        "label": labels,
        "link": shows,
        "open": shows,
        "loose": "loose outline",
    }
    return tuple(found[reason] for reason in dispute.reasons)
