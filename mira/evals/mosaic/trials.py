"""A trial as evaluations take it: what was played and each agent's turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mira.errors import EpisodeError
from mira.evals.mosaic.conditions import Condition, condition_of
from mira.schema.episode import Episode, MosaicDetails
from mira.schema.step import MosaicStep, Step, step_faults


class Trial(NamedTuple):
    """One game that was played to its end, or broke off."""

    episode: Episode
    """What was played, by whom, how it ended."""
    details: MosaicDetails
    """Its part that only MOSAIC has."""
    subject: tuple[MosaicStep, ...]
    """Turns of the agent that knows the box, round by round."""
    participant: tuple[MosaicStep, ...]
    """Turns of the agent that looks for it."""
    n_unread: int = 0
    """Turns in which something was said and no move could be read."""

    @property
    def trial_id(self) -> str:
        """Id of the episode."""
        return self.episode.episode_id

    @property
    def condition(self) -> Condition:
        """The condition it was played in."""
        return condition_of(self.details)

    @property
    def aborted(self) -> bool:
        """Whether it broke off; it then counts in no score."""
        return self.details.choice is None


def trial_of(episode: Episode, steps: Iterable[Step]) -> Trial | None:
    """The trial that an episode is; None for an episode of another family.

    Raises:
        EpisodeError: The steps are not those of the episode.
    """
    if not isinstance(episode.details, MosaicDetails):
        return None
    found = tuple(steps)
    for fault in step_faults(episode, found):
        raise EpisodeError(episode.episode_id, fault)
    turns = [step for step in found if isinstance(step, MosaicStep)]
    return Trial(
        episode=episode,
        details=episode.details,
        subject=tuple(step for step in turns if step.role == "subject"),
        participant=tuple(step for step in turns if step.role == "participant"),
    )
