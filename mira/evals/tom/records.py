"""Records of scores on theory-of-mind items."""

from __future__ import annotations

from typing import Literal

from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord

RowGroup = Literal[
    "overall",
    "kind",
    "order",
    "order_jointly",
    "condition",
    "category",
    "joint",
    "with_controls",
]
"""What the questions of a row have in common. `order_jointly`: of an order, right with all lower
ones of its story. `joint`: joint groups. `with_controls`: false beliefs of stories whose memory and
reality were right."""
ALL_SOURCES = "all"


class TomRow(Record):
    """Accuracy on questions of a source that have something in common."""

    source: str
    """The data set; `all` for all of a run that holds several."""
    group: RowGroup
    """What they have in common."""
    name: str
    """Which: a kind, an order, a condition, a category."""
    value: float | None
    """Share that is right; absent where nothing was scored."""
    chance: float | None
    """Expected share of uniform guessing; absent where answers are in one's own words."""
    n_units: int
    """What was scored: questions, all rotations of one as one, or groups of them."""
    n: int
    """Replies that were due to them."""
    n_unparsable: int
    """Replies without a readable answer, refusals among them; they count as wrong."""
    n_unscored: int
    """Missing replies and failed calls; what they belong to counts for nothing."""
    interval: Interval | None
    """Of the value; absent where fewer than two stories were scored."""


class TomGap(Record):
    """How much better a mind is told outright than applied, on the same stories."""

    source: str
    """The data set."""
    applied: Literal["action", "judgement"]
    """What the knowledge is applied to."""
    n_pairs: int
    """Stories with a reply to both."""
    explicit: float
    """Share of them whose questions on belief are right."""
    used: float
    """Share of them whose applied questions are right."""
    difference: float
    """`explicit` minus `used`."""
    interval: Interval | None
    """Of the difference, both on the same resampled stories."""
    explicit_alone: int
    """Pairs of which only the belief is right."""
    used_alone: int
    """Pairs of which only the application is right."""
    p_mcnemar: float
    """McNemar's exact two-sided test of these two."""


class TomScores(RootRecord):
    """Scores of one set of replies on the questions of one run."""

    run: str
    """Name of the run whose questions they answer."""
    items_digest: str
    """Digest of its questions."""
    complete: bool
    """Whether every question had a reply."""
    turns_options: bool
    """Whether questions are asked in rotations that count as one."""
    n: int
    """Questions, each rotation for itself."""
    n_unparsable: int
    """Replies without a readable answer."""
    n_unscored: int
    """Questions without a reply."""
    classes: dict[str, int]
    """Questions by what became of their reply."""
    rows: tuple[TomRow, ...]
    """By source, in the order of `group`."""
    gaps: tuple[TomGap, ...]
    """Where a source asks for both on one story."""
