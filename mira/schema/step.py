"""Records of the steps of episodes: rows of one table a family, joined to episodes by id.

A pair stands for box 0 and box 1, the dark brown and the light brown one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mira.schema.episode import Cell, Episode
from mira.schema.record import FileRef, Record

Unit = Annotated[float, Field(ge=0, le=1)]
"""A number from 0 to 1."""
Signed = Annotated[float, Field(ge=-1, le=1)]
"""A number from -1 to 1: how negative or positive."""
WorldPoint = tuple[float, float, float]
"""x towards the mirror, y left, z up, in metres."""
ReachAction = Literal["up", "down", "left", "right", "forward", "backward"]
"""Moves of the hand by one step."""
REACH_DIRECTIONS: dict[ReachAction, tuple[int, int, int]] = {
    "up": (0, 0, 1),
    "down": (0, 0, -1),
    "left": (0, 1, 0),
    "right": (0, -1, 0),
    "forward": (1, 0, 0),
    "backward": (-1, 0, 0),
}
"""Where each goes, in steps along x, y and z."""
MosaicMove = Literal[
    "forward",
    "backward",
    "left",
    "right",
    "left_forward",
    "right_forward",
    "left_backward",
    "right_backward",
    "rotate_other",
    "rotate_box_0",
    "rotate_box_1",
    "stay_idle",
]
"""Steps in the mover's own frame, turns towards the other agent or a box, or neither."""

SPEECH_ROUNDS = (3, 6, 9)
"""Rounds of MOSAIC after whose moves the agents speak."""

_ROUNDING_M = 1e-4
"""Simulators hold positions as 32-bit floats."""


class MirrorStep(Record):
    """One move of the mirror test; positions are those after it."""

    episode_id: str
    """The episode."""
    step: int = Field(ge=1, lt=2**31)
    """1 for the first move."""
    image: FileRef | None = None
    """Picture that the move was chosen on; absent where pictures were not kept."""
    action: ReachAction | None
    """The move; absent when the reply could not be read as one."""
    raw_reply: str | None = None
    """The reply as it came; absent for agents that do not reply in words."""
    legal: bool | None
    """Whether the move was made, not refused for a collision; absent with `action`."""
    hand_world_m: WorldPoint
    """The hand."""
    mark_world_m: WorldPoint
    """The mark."""
    manhattan_m: float = Field(ge=0)
    """Manhattan distance from hand to mark."""
    terminated: bool
    """Whether the mark is reached."""
    truncated: bool
    """Whether the budget is spent."""

    @model_validator(mode="after")
    def _happened(self) -> Self:
        if (self.legal is None) != (self.action is None):
            raise ValueError(
                f"legal: expected none exactly if there is no action, found {self.legal}"
            )
        if self.terminated and not self.legal:
            raise ValueError("terminated: expected after a legal move only, found after another")
        pairs = zip(self.hand_world_m, self.mark_world_m, strict=True)
        distance = sum(abs(hand - mark) for hand, mark in pairs)
        if not abs(distance - self.manhattan_m) <= _ROUNDING_M:
            raise ValueError(
                f"manhattan_m: expected {distance:g} by the positions, found {self.manhattan_m:g}"
            )
        return self


class MosaicStep(Record):
    """One agent's turn in one round of MOSAIC; positions are those after its move."""

    episode_id: str
    """The episode."""
    round: int = Field(ge=1, le=10)
    """1 for the first; the state before it is no step."""
    role: Literal["subject", "participant"]
    """Whose turn it is; the subject's comes first."""
    position_cells: Cell
    """Where the agent stands."""
    orientation_cells: Cell | None = None
    """Cell that it faces; absent in logs that do not tell."""
    preference_other: Signed | None = None
    """Its preference towards the other agent; absent in logs that do not tell."""
    preference_boxes: tuple[Signed, Signed] | None = None
    """Its preference towards each box; absent in logs that do not tell."""
    gaze_certainty: tuple[Unit, Unit] | None = None
    """How surely it looks at each box; absent in logs that do not tell."""
    facial_valence: Signed | None = None
    """Positive less negative expression of the face; absent in logs that do not tell."""
    physiological_valence: Signed | None = None
    """The same of the body's arousal."""
    felt_valence: Signed | None = None
    """The same of what the agent feels, which nobody sees."""
    move: MosaicMove | None = None
    """What it did; absent when the reply could not be read (it then stays) or was not logged."""
    utterance: str | None = None
    """What it said, in rounds 3, 6 and 9."""
    inner_speech: str | None = None
    """What it thought before it spoke, in rounds 3, 6 and 9."""
    raw_replies: tuple[str, ...] = ()
    """Its replies as they came: action, speech, preferences; empty for scripted agents."""
    image: FileRef | None = None
    """Picture that it acted on; absent where there is none."""

    @model_validator(mode="after")
    def _speaks_in_turn(self) -> Self:
        for name in ("utterance", "inner_speech"):
            if getattr(self, name) is not None and self.round not in SPEECH_ROUNDS:
                raise ValueError(
                    f"{name}: expected in rounds 3, 6 and 9 only, found in round {self.round}"
                )
        return self


Step = MirrorStep | MosaicStep
"""A row of the table of a family."""


def step_faults(episode: Episode, steps: Sequence[Step]) -> Iterator[str]:
    """Where the steps of an episode are not those that it tells of.

    Args:
        episode: The episode.
        steps: All of its steps, in their order.
    """
    kinds = {"mirror_reach": MirrorStep, "mosaic": MosaicStep}
    kind = kinds.get(episode.family)
    for step in steps:
        if kind is None or not isinstance(step, kind):
            yield f"expected no {type(step).__name__} in an episode of {episode.family}"
            return
        if step.episode_id != episode.episode_id:
            yield f"expected steps of {episode.episode_id}, found one of {step.episode_id}"
            return
    if kind is MirrorStep:
        expected: list[object] = list(range(1, episode.num_steps + 1))
        found: list[object] = [step.step for step in steps if isinstance(step, MirrorStep)]
    elif kind is MosaicStep:
        roles = ("subject", "participant")
        expected = [(k, role) for k in range(1, episode.num_steps + 1) for role in roles]
        found = [(step.round, step.role) for step in steps if isinstance(step, MosaicStep)]
        # An aborted trial may end between the turns of a round.
        if episode.termination == "aborted" and len(found) == len(expected) - 1:
            expected.pop()
    else:
        return
    if found != expected:
        odd = next(
            (k for k, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]),
            min(len(found), len(expected)),
        )
        yield (
            f"expected {len(expected)} steps by num_steps = {episode.num_steps}, in order, "
            f"found {len(found)}, other than expected from number {odd + 1} on"
        )
