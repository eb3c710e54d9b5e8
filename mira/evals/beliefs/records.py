"""Records of what players say that they believe, and whether they act on it."""

from __future__ import annotations

from mira.evals.beliefs.policy import BeliefPolicy
from mira.schema.episode import Family, Role
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord


class BeliefGap(Record):
    """How much better a player states what is so than it acts on what it states.

    All shares are of the same probes: those whose reply states a belief, and after which the player
    did something that tells.
    """

    n: int
    """Probes with a stated belief and behaviour that decides."""
    n_undecided: int
    """Probes with a stated belief after which nothing was done that decides."""
    right_agrees: int
    """Right, and acted on."""
    right_differs: int
    """Right, and acted against."""
    wrong_agrees: int
    """Wrong, and acted on."""
    wrong_differs: int
    """Wrong, and acted against."""
    accuracy: float | None
    """Share that is right; absent without probes."""
    agreement: float | None
    """Share that is acted on; absent without probes."""
    gap: float | None
    """`accuracy` minus `agreement`."""
    interval: Interval | None
    """Of the gap, both shares on the same resampled scenes or trials; absent of fewer than two."""


class BeliefRow(Record):
    """One question to one player."""

    run: str
    """Name of the run."""
    player: str
    """Model that was asked."""
    family: Family
    """The test."""
    role: Role
    """What it plays."""
    question: str
    """What is asked, as `category` of the item names it."""
    order: int | None
    """Order of the belief."""
    is_control: bool
    """Whether it is a check with another right answer, after which nothing follows."""
    cell: str | None
    """`level 0` to `level 3`, or the condition of MOSAIC; `true_belief` or `false_belief`, where
    both occur; absent for all probes."""
    n_asked: int
    """Probes."""
    n_unheard: int
    """Those whose reply could not be had; they count neither way."""
    n_unparsable: int
    """Those whose reply states nothing that could be read; they count as wrong."""
    accuracy: float | None
    """Share of those heard that is right; absent where none was."""
    interval: Interval | None
    """Of the accuracy; absent where fewer than two scenes or trials were asked."""
    first_share: float | None
    """Share of the stated beliefs that are the first option; options stand in a drawn order."""
    gap: BeliefGap | None
    """Behaviour against it; absent where nothing the player does follows from the belief."""


class BeliefScores(RootRecord):
    """Probes of runs, scored."""

    policy: BeliefPolicy
    """What decided it."""
    seed: int
    """Seed of the resamples."""
    rows: tuple[BeliefRow, ...]
    """By run, player, role and question; all probes, then each cell."""
