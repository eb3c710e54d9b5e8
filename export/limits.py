"""What users of a release should know before they draw conclusions, as far as counts tell."""

from __future__ import annotations

from collections.abc import Iterator

from export.building.statistics import NOT_GIVEN
from export.facts import NO_DEPTH, Facts

_MOST_SHARE = 0.5
"""A kind of place with more of the pictures than this is named."""
Statistics = dict[str, dict[str, int]]


def known_limits(facts: Facts, statistics: Statistics, *, audited: bool) -> tuple[str, ...]:
    """Sentences, each of which rests on a count.

    Args:
        facts: What is known of the release.
        statistics: Counts by table and row.
        audited: Whether an audit of the annotation is on record.
    """
    if not facts.pictures:
        return ("What agents do in these tasks may not be what they do in others.",)
    return (
        *_of_pictures(facts),
        *_of_labels(statistics, audited=audited),
        *_of_questions(statistics),
    )


def _of_pictures(facts: Facts) -> Iterator[str]:
    pictures = f"{facts.pictures:,} pictures"
    if missing := facts.depths.get(NO_DEPTH, 0):
        yield f"{missing:,} of {pictures} have no depth."
    ordinal = sum(n for name, n in facts.depths.items() if name.startswith("normalised"))
    if ordinal:
        yield f"{ordinal:,} of {pictures} have depth without metres: it tells near from far alone."
    if facts.without_camera:
        yield f"{facts.without_camera:,} of {pictures} come without the intrinsics of their camera."
    sums = {place: sum(counts.values()) for place, counts in facts.places.items()}
    if unknown := sums.pop(NOT_GIVEN, 0):
        yield f"Of {unknown:,} of {pictures} the kind of place is not on record."
    for place, count in sums.items():
        if count > _MOST_SHARE * facts.pictures:
            yield f"{count:,} of {pictures} show one kind of place: {place}."


def _of_labels(statistics: Statistics, *, audited: bool) -> Iterator[str]:
    counterparts = statistics.get("reflections by counterpart", {})
    total = sum(counterparts.values())
    if ambiguous := counterparts.get("ambiguous", 0):
        yield f"Of {ambiguous:,} of {total:,} reflections it cannot be told what they show."
    if undecided := counterparts.get(NOT_GIVEN, 0):
        yield f"Of {undecided:,} of {total:,} reflections nobody decided what they show."
    if not audited:
        yield "No audit of the annotation is on record, so that its agreement is not known."


def _of_questions(statistics: Statistics) -> Iterator[str]:
    review = statistics.get("questions by review state", {})
    total = sum(review.values())
    if open_ones := total - review.get("accepted", 0):
        yield f"{open_ones:,} of {total:,} questions were accepted by no reviewer."
    templates = len(statistics.get("questions by template", {}))
    yield f"All questions are English sentences from {templates} templates."
