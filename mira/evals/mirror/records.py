"""Records of scores of the mirror test."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mira.evals.mirror.policy import MirrorPolicy
from mira.schema.evaluation import Interval
from mira.schema.record import Record, RootRecord

Group = Literal["human", "robot", "overall"]
"""Bodies that are scored together; overall: every episode weighs the same."""
GROUPS: tuple[Group, ...] = ("human", "robot", "overall")


class MirrorValue(Record):
    """A number with its interval."""

    value: float | None
    """The number; absent where no episode was scored."""
    interval: Interval | None = None
    """Over scenes; absent where fewer than two were scored."""


class MirrorRow(Record):
    """A group of bodies at one level, or over levels."""

    group: Group
    """The bodies."""
    level: int | None
    """What the prompt tells; absent for the mean over the levels that were played."""
    tsr: MirrorValue
    """Task success rate: share of the episodes that reach the mark."""
    sir: MirrorValue
    """Step improvement rate: share of all steps that come closer."""
    sir_of_episodes: MirrorValue
    """The same as a mean over episodes."""
    fcr: MirrorValue
    """Final completion rate: how much of the way is done at the end."""
    pcr: MirrorValue
    """Peak completion rate: how much of it at the closest moment."""
    avg: MirrorValue
    """Mean of `tsr`, `sir`, `fcr` and `pcr`."""
    image_share: MirrorValue
    """Of the moves that go either to the mark or to its mirror image, the share to the image."""
    n: int
    """Episodes, aborted ones included."""
    n_aborted: int
    """Episodes that were aborted; they are scored in no number."""
    n_scenes: int
    """Scenes that were scored."""
    n_steps: int
    """Steps of the episodes that were scored."""
    n_unreadable: int
    """Those whose reply could not be read; they spend a turn."""
    n_refused: int
    """Those whose move was refused for a collision."""


class Stability(Record):
    """Cognitive Stability: how monotonously scores fall from level 0 to 3 (appendix A-A, eq. 1)."""

    metric: Literal["avg", "tsr", "fcr"]
    """Score of an episode that is compared."""
    value: MirrorValue
    """From -3, rising at every level, to 3, falling at every level."""
    n_scenes: int
    """Scenes that were scored at all four levels."""


SCENES = 66
"""Scenes of the test."""


class PlayerScores(Record):
    """One player's scores."""

    name: str
    """What tables call it."""
    player: str
    """Model, script or `human`."""
    is_model: bool
    """Whether it is a model under test."""
    source: str
    """Folder of the run."""
    tasks: tuple[str, ...]
    """Names of the simulators' tasks."""
    prompts: str | None
    """Version of the prompts' words; absent where the run does not tell."""
    settings: dict[str, str] = Field(default_factory=dict)
    """What else decided the run, such as `budget`, as far as it tells."""
    rows: tuple[MirrorRow, ...]
    """Groups by level, in order, then over levels."""
    stability: tuple[Stability, ...]
    """Of all bodies; empty where no scene was scored at all levels."""
    drives: dict[str, int]
    """Moves by what they go towards."""

    def row(self, group: Group, level: int | None = None) -> MirrorRow | None:
        """A row, where there is one."""
        return next((row for row in self.rows if (row.group, row.level) == (group, level)), None)

    @property
    def scenes_lacking(self) -> str:
        """Levels that were played and not scored on all scenes; empty where there are none.

        What ends first is over first: a run that was stopped holds more of what was quick.
        """
        levels = [row for row in self.rows if row.group == "overall" and row.level is not None]
        counts = {row.n_scenes for row in levels}
        if len(counts) == 1:
            return "" if counts == {SCENES} else f"{counts.pop()} of {SCENES} scenes scored"
        return "; ".join(
            f"level {row.level}: {row.n_scenes} of {SCENES} scenes"
            for row in levels
            if row.n_scenes < SCENES
        )


class MirrorScores(RootRecord):
    """Scores of runs of the mirror test."""

    policy: MirrorPolicy
    """Numbers that they depend on."""
    seed: int
    """Seed of the intervals."""
    players: tuple[PlayerScores, ...]
    """One for each run, or each player of it."""
