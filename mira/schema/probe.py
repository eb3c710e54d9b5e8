"""Records of what a player said that it believes, asked between the steps of an episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from mira.schema.episode import Episode, TomItem
from mira.schema.record import Record

ProbeQuestion = Literal[
    "reflection", "near_figure", "own_mark", "frame", "reward", "other", "other_of_self"
]
"""What is asked, as `category` of an item names it. Of the mirror test: whether what is seen ahead
is a reflection, the same of the body in front of the camera, whether the mark is on one's own body,
the same of the mirror's frame. Of MOSAIC: where the reward is, where the other believes it to be,
where the other believes that one believes it to be."""
BOX_WORDS = ("dark brown box", "light brown box")
"""Values of options that are boxes, by their number."""


class Probe(Record):
    """A question about a moment of an episode, and the reply of who played it."""

    item: TomItem
    """The question, with what is right by the simulator's knowledge."""
    raw_reply: str | None
    """The reply as it came; absent where the player could not be heard."""


def probe_faults(episode: Episode, probes: Sequence[Probe]) -> Iterator[str]:
    """Where probes are not about the episode that they lie with."""
    roles = {agent.role for agent in episode.agents}
    ids = set()
    for probe in probes:
        item = probe.item
        if item.moment is None or item.moment.episode_id != episode.episode_id:
            yield f"{item.item_id}: expected a moment of {episode.episode_id}, found another"
            continue
        if item.moment.role not in roles:
            yield f"{item.item_id}: expected a role of the episode, found {item.moment.role}"
        if item.moment.step > episode.num_steps:
            yield (
                f"{item.item_id}: expected a step up to num_steps = {episode.num_steps}, "
                f"found {item.moment.step}"
            )
        if item.item_id in ids:
            yield f"{item.item_id}: expected each id once, found it twice"
        ids.add(item.item_id)
