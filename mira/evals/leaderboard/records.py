"""Records of a leaderboard."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.evals.mira_bench.bootstrap import BootstrapPolicy
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord

EntryKind = Literal["ranked", "apart", "people", "reference", "published"]
"""`apart`: a run that was asked otherwise, or not to the end. `reference`: needs no model."""


class LeaderboardPolicy(RootRecord):
    """How models are told apart."""

    bootstrap: BootstrapPolicy = BootstrapPolicy()
    """How intervals are computed."""
    alpha: float = Field(default=0.05, gt=0, lt=1)
    """A model stands behind another where chance alone explains it less often than this, corrected
    for the number of pairs."""


class BoardScore(Record):
    """Accuracy of one row of a score table."""

    name: str
    """Sub-task id, `level:<level>` or `overall`."""
    value: float | None
    """Accuracy; absent where nothing was scored."""
    interval: Interval | None = None
    """Of the accuracy; absent in print, and where fewer than two scenes were scored."""


class BoardEntry(Record):
    """One line."""

    key: str
    """What distinguishes it."""
    model: str
    """Name of the model; of people, how many."""
    kind: EntryKind
    """What sort of line it is."""
    rank: int | None = None
    """One more than the number of models that are better, as far as one can tell; only of
    `ranked`."""
    reasons: tuple[str, ...] = ()
    """Why it cannot be held against the others, in words."""
    scores: tuple[BoardScore, ...] = ()
    """Sub-tasks, levels, overall; none where its release is not at hand."""
    n_questions: int | None = None
    """Questions it was to answer."""
    n_unscored: int = 0
    """Questions without a reply."""
    n_people: int | None = None
    """Of people: how many they are."""
    n_replies: int | None = None
    """Of people: what they answered, all together."""

    def score(self, name: str) -> BoardScore | None:
        """Its score of a row, if it has one."""
        return next((one for one in self.scores if one.name == name), None)


class BoardPair(Record):
    """Two models of a board, overall."""

    first: str
    """Key of one."""
    second: str
    """Key of the other."""
    difference: float
    """How much more accurate the second is."""
    interval: Interval | None
    """Of the difference, over the same scenes for both."""
    p_holm: float
    """How probable so large a difference is by exchange of answers scene by scene, corrected for
    the number of pairs (Holm 1979)."""


class Leaderboard(RootRecord):
    """Models that were asked alike, in order, and all others beside them."""

    tool_version: str
    """Version of the program."""
    release_name: str
    """Name of the data set."""
    release_digest: str
    """Logical digest of the release."""
    settings: dict[str, str]
    """What was the same for all that are ranked."""
    policy: LeaderboardPolicy
    """How they are told apart."""
    seed: int
    """Seed of resamples and exchanges."""
    chance: tuple[BoardScore, ...]
    """What a uniform guess has."""
    entries: tuple[BoardEntry, ...]
    """Ranked ones by accuracy, those apart by accuracy, people, references, published ones."""
    pairs: tuple[BoardPair, ...]
    """All pairs of ranked ones."""
