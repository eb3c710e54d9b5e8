"""Episodes of other simulators, as they write them: where the hand went, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator

from mira.schema.episode import Episode, EpisodeAgent, ReachDetails
from mira.schema.record import Record, describe_fault
from mira.schema.step import MirrorStep, ReachAction, WorldPoint

_UNMOVED_M = 1e-4
"""Simulators hold positions as 32-bit floats."""
Ending = Literal["success", "max_steps", "aborted"]


class TrajectoryStep(Record):
    """One turn."""

    action: ReachAction | None
    """The move; absent where the reply could not be read as one."""
    hand_world_m: WorldPoint
    """The hand after it."""
    mark_world_m: WorldPoint | None = None
    """The mark after it; by default where it was at the start."""
    legal: bool | None = None
    """Whether the move was made; by default whether the hand has moved."""
    raw_reply: str | None = None
    """The reply as it came."""

    @field_validator("action", mode="before")
    @classmethod
    def _without_move(cls, action: Any) -> Any:
        """`move forward (away from the camera)`, as MirrorBench writes it, is `forward`."""
        if not isinstance(action, str):
            return action
        words = action.strip().casefold().removeprefix("move ").split("(")[0].strip()
        return words or None


class Trajectory(Record):
    """One episode."""

    episode_id: str | None = None
    """Stable id; by default made of player, scene and level."""
    player: str
    """Model, script or `human`."""
    is_model: bool = True
    """Whether it is a model under test."""
    body: str
    """Name of the body."""
    hand: str
    """Name of the hand's look."""
    mark: str
    """Name of the mark's look."""
    setting: Literal["human", "robot"]
    """Track that the body belongs to."""
    level: int = Field(ge=0, le=3)
    """What the prompt tells."""
    task: str = "MirrorBench/IsaacSim"
    """Name of the simulator's task."""
    prompt: str = ""
    """Instruction given."""
    seed: int | None = None
    """Seed of the world."""
    step_m: float = Field(default=0.1, gt=0)
    """Length of a move."""
    threshold_m: float = Field(default=0.10001, gt=0)
    """Manhattan distance that counts as reached, inclusive."""
    max_steps: int | None = Field(default=None, gt=0)
    """Budget of steps."""
    ended: Ending | None = None
    """How it ended; by default by success where the last move reaches the mark, else by budget."""
    hand_start_m: WorldPoint
    """The hand at the start."""
    mark_world_m: WorldPoint
    """The mark at the start."""
    steps: tuple[TrajectoryStep, ...]
    """Turns, in their order."""

    @property
    def name(self) -> str:
        """Id of the episode."""
        parts = (self.player, self.body, self.hand, self.mark, f"level-{self.level}")
        return self.episode_id or "-".join(_plain(part) for part in parts).lstrip("-._")

    @model_validator(mode="after")
    def _happened(self) -> Self:
        try:
            self._require_ending()
            self.episode()
        except ValidationError as error:
            raise ValueError(describe_fault(error)) from None
        return self

    def _require_ending(self) -> None:
        reached = [step for step in self.mirror_steps() if step.terminated]
        if self.ended != "aborted" and not self.steps:
            raise ValueError("steps: expected at least one, found none")
        if reached and reached[0].step < len(self.steps):
            raise ValueError(
                f"steps: expected none after the mark is reached in step {reached[0].step}, "
                f"found {len(self.steps)}"
            )
        if self.ended is not None and bool(reached) != (self.ended == "success"):
            found = "reaches" if reached else "does not reach"
            raise ValueError(f"ended: found {self.ended}, but the last move {found} the mark")

    def episode(self) -> Episode:
        """The record of the episode."""
        last = next(reversed(list(self.mirror_steps())), None)
        ended: Ending = self.ended or ("success" if last and last.terminated else "max_steps")
        return Episode(
            episode_id=self.name,
            task=self.task,
            seed=self.seed,
            agents=(EpisodeAgent(role="agent", name=self.player),),
            model=self.player if self.is_model else None,
            num_steps=len(self.steps),
            max_steps=self.max_steps,
            success=None if ended == "aborted" else ended == "success",
            termination=ended,
            details=ReachDetails(
                level=self.level,
                body=self.body,
                hand=self.hand,
                mark=self.mark,
                setting=self.setting,
                threshold_m=self.threshold_m,
                step_m=self.step_m,
                d0_m=_manhattan_m(self.hand_start_m, self.mark_world_m),
                prompt=self.prompt,
            ),
        )

    def mirror_steps(self) -> Iterator[MirrorStep]:
        """Its steps as records."""
        before = self.hand_start_m
        for number, step in enumerate(self.steps, start=1):
            mark = step.mark_world_m or self.mark_world_m
            legal = None
            if step.action is not None:
                moved = _manhattan_m(before, step.hand_world_m) > _UNMOVED_M
                legal = moved if step.legal is None else step.legal
            distance = _manhattan_m(step.hand_world_m, mark)
            reached = bool(legal) and distance <= self.threshold_m
            spent = number == len(self.steps) and self.ended != "aborted" and not reached
            yield MirrorStep(
                episode_id=self.name,
                step=number,
                action=step.action,
                raw_reply=step.raw_reply,
                legal=legal,
                hand_world_m=step.hand_world_m,
                mark_world_m=mark,
                manhattan_m=distance,
                terminated=reached,
                truncated=spent,
            )
            before = step.hand_world_m


def _manhattan_m(one: WorldPoint, other: WorldPoint) -> float:
    return round(sum(abs(a - b) for a, b in zip(one, other, strict=True)), 9)


def _plain(text: str) -> str:
    """Text as part of a name."""
    return "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in text)
