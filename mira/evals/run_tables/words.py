"""Words for what tables hold apart."""

from __future__ import annotations

from mira.evals.run_tables.records import Axis
from mira.taxonomy.catalogue import taxonomy

AXIS_WORDS: dict[Axis, str] = {
    "modality": "Modalities",
    "protocol": "Referring protocols",
    "style": "Styles of markers",
}
SUBSET_WORDS = {
    "all": "all questions",
    "control": "control",
    "single-region": "single region",
    "single-surface": "single surface",
}


def variant_words(axis: str, value: str) -> str:
    """The value of a setting for people."""
    named = {
        "modality": taxonomy().modalities,
        "protocol": taxonomy().protocols,
    }.get(axis, ())
    return next((one.name for one in named if one.id == value), value)  # type: ignore[attr-defined]
