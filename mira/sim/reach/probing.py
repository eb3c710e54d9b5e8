"""What a player of the mirror test is asked between its moves about what it believes.

Two questions, and to each a control whose right answer is the other option, so that who always
says the same is seen. What is right is so in every scene: the figure ahead is the reflection of
the body in front of the camera, whose back is seen, and the mark is on that body's front.
"""

from __future__ import annotations

from typing import Any

from mira.schema.episode import EpisodeMoment, TomItem
from mira.schema.probe import Probe
from mira.sim.probing.asking import Asked, ProbePolicy, make_item

_ASKED = (
    Asked("reflection", right="image"),
    Asked("near_figure", right="own", kind="control", condition="reality"),
    Asked("own_mark", right="body"),
    Asked("frame", right="else", kind="control", condition="reality"),
)


class ReachProbePolicy(ProbePolicy):
    """When players of the mirror test are asked what they believe, and in which words."""

    steps: tuple[int, ...] = (0, 5, 10)
    """Moves after which they are asked; 0 for the start."""


def most_questions(policy: ReachProbePolicy | None) -> int:
    """How many questions an episode is asked at most."""
    return 0 if policy is None else len(_ASKED) * len(policy.steps)


class ReachProbes:
    """The questions of one episode, and what was replied to them.

    Attributes:
        policy: When they are asked; None for never.
        heard: What was asked so far.
    """

    def __init__(
        self,
        policy: ReachProbePolicy | None,
        *,
        episode_id: str,
        scene_id: str,
        mark: str,
        source: str,
        seed: int,
    ) -> None:
        """Ask nothing yet.

        Args:
            policy: When to ask; None for never.
            episode_id: The episode.
            scene_id: Its scene, which intervals resample.
            mark: What the mark is called.
            source: Name of the task.
            seed: Seed of the run.
        """
        self.policy = policy
        self.heard: list[Probe] = []
        self._episode_id = episode_id
        self._common: dict[str, Any] = {
            "names": {"mark": mark},
            "unit": scene_id,
            "source": source,
            "seed": seed,
        }

    def due(self, step: int) -> TomItem | None:
        """What is to be asked before the next move; None once all was.

        Args:
            step: Moves made.
        """
        if self.policy is None or step not in self.policy.steps:
            return None
        moment = EpisodeMoment(episode_id=self._episode_id, step=step, role="agent")
        number = sum(probe.item.moment == moment for probe in self.heard)
        if number == len(_ASKED):
            return None
        return make_item(_ASKED[number], moment, policy=self.policy, **self._common)

    def hear(self, item: TomItem, reply: str | None) -> None:
        """Keep the reply to a question; None where none could be had."""
        self.heard.append(Probe(item=item, raw_reply=reply))
