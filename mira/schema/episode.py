"""Records of episodes: what happened in a run of an interactive task, whoever simulated it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from mira.schema.qa import Option
from mira.schema.record import Provenance, Record, RootRecord, UpgradeStep, unchanged

Family = Literal["mirror_reach", "mosaic", "tom"]
"""Kinds of interactive task."""
Role = Literal["agent", "subject", "participant"]
"""Who acts: `agent` alone; in MOSAIC `subject` knows the reward box, `participant` looks for it."""
BoxId = Literal[0, 1]
"""0 is dark brown, 1 is light brown."""
Cell = tuple[float, float]
"""x, y on the floor of the treasure room in grid steps; whole numbers where agents step."""


class EpisodeAgent(Record):
    """Who played a role."""

    role: Role
    """The role."""
    name: str
    """Model, scripted policy or `human`."""


class ReachDetails(Record):
    """The mirror test: a hand is to reach a mark that only the mirror shows."""

    family: Literal["mirror_reach"] = "mirror_reach"
    """Kind of task."""
    level: int = Field(ge=0, le=3)
    """What the prompt tells: 0 the mirror and how to reason, 3 not even whose body it is."""
    body: str
    """Name of the body."""
    hand: str
    """Name of the hand's look."""
    mark: str
    """Name of the mark's look."""
    setting: Literal["human", "robot"]
    """Track that the body belongs to."""
    threshold_m: float = Field(gt=0)
    """Manhattan distance that counts as reached, inclusive."""
    step_m: float = Field(gt=0)
    """Length of a move."""
    d0_m: float = Field(gt=0)
    """Manhattan distance at the start."""
    prompt: str
    """Instruction given, in full."""

    @model_validator(mode="after")
    def _has_a_way_to_go(self) -> Self:
        if self.d0_m <= self.threshold_m:
            raise ValueError(
                f"d0_m: expected more than threshold_m = {self.threshold_m:g}, found {self.d0_m:g}"
            )
        return self


class MosaicDetails(Record):
    """A MOSAIC trial: one agent knows the reward box, the other chooses by what it sees."""

    family: Literal["mosaic"] = "mosaic"
    """Kind of task."""
    mode: Literal["cooperative", "competitive"]
    """Whether the subject gains or loses by the participant's success."""
    tom_order: Literal[0, 1]
    """Order of theory of mind imposed on the subject."""
    boxes_cells: tuple[Cell, Cell]
    """Where the boxes stand."""
    reward_box: BoxId
    """The box with the reward."""
    choice: Literal[-1, 0, 1] | None
    """Box that the participant ends nearer to, -1 for neither; absent for an aborted trial."""
    participant_score: Literal[-1, 0, 1] | None
    """1 for the reward box, -1 for the other, 0 for neither (Eq. 1); absent with `choice`."""
    subject_score: Literal[-1, 0, 1] | None
    """The participant's score, inverted in competitive mode; absent with `choice`."""
    visual: Literal["rendered", "blank", "rendered_face"] | None = None
    """What the agents were shown; absent where they saw no pictures."""

    @model_validator(mode="after")
    def _scored_by_choice(self) -> Self:
        score = None
        if self.choice is not None:
            score = 0 if self.choice == -1 else 1 if self.choice == self.reward_box else -1
        inverted = score if score is None or self.mode == "cooperative" else -score
        for name, wanted in (("participant_score", score), ("subject_score", inverted)):
            if getattr(self, name) != wanted:
                raise ValueError(
                    f"{name}: expected {wanted} for choice {self.choice} with the reward in box "
                    f"{self.reward_box}, {self.mode}; found {getattr(self, name)}"
                )
        return self


class TomDetails(Record):
    """A story with its questions."""

    family: Literal["tom"] = "tom"
    """Kind of task."""
    source: str
    """Data set that the story is from."""
    story_id: str
    """The story, as its data set names it."""


class Episode(RootRecord):
    """One run of an interactive task."""

    episode_id: str
    """Stable id."""
    task: str
    """Name of the task with its version, as the simulator registers it."""
    seed: int | None = Field(ge=-(2**63), lt=2**63)
    """Seed of the world; absent where the simulator does not tell."""
    agents: tuple[EpisodeAgent, ...] = Field(min_length=1)
    """Who played, each role once."""
    model: str | None
    """Model under test; absent when all agents are scripted or human."""
    num_steps: int = Field(ge=0, lt=2**31)
    """Steps taken: moves, rounds or questions."""
    max_steps: int | None = Field(gt=0, lt=2**31)
    """Budget of steps; absent where there is none."""
    success: bool | None
    """Mark reached, reward box chosen, all answers right; absent for an aborted episode."""
    termination: Literal["success", "max_steps", "completed", "aborted"]
    """`success`, `max_steps`: how the mirror test ends; `completed`: the others, played to the
    end; `aborted`: by a fault, such as a call that failed."""
    details: Annotated[ReachDetails | MosaicDetails | TomDetails, Field(discriminator="family")]
    """What only this family has."""

    @property
    def family(self) -> Family:
        """Kind of task."""
        return self.details.family

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        role, count = Counter(agent.role for agent in self.agents).most_common(1)[0]
        if count > 1:
            raise ValueError(f"agents: expected each role once, found {role} {count} times")
        if self.max_steps is not None and self.num_steps > self.max_steps:
            raise ValueError(
                f"num_steps: expected at most max_steps = {self.max_steps}, found {self.num_steps}"
            )
        self._require_ending()
        return self

    def _require_ending(self) -> None:
        reach = self.family == "mirror_reach"
        endings = ("success", "max_steps", "aborted") if reach else ("completed", "aborted")
        if self.termination not in endings:
            raise ValueError(
                f"termination: expected {', '.join(endings)} of {self.family}, "
                f"found {self.termination}"
            )
        if isinstance(self.details, MosaicDetails):
            choice = self.details.choice
            if (choice is None) != (self.termination == "aborted"):
                raise ValueError(
                    f"details.choice: expected none exactly if aborted, found {choice}"
                )
        possible = self._possible_successes()
        if self.success not in possible:
            raise ValueError(
                f"success: expected {' or '.join(map(str, possible))} of an episode that ends by "
                f"{self.termination}, found {self.success}"
            )

    def _possible_successes(self) -> tuple[bool | None, ...]:
        if self.termination == "aborted":
            return (None,)
        if self.termination != "completed":
            return (self.termination == "success",)
        if isinstance(self.details, MosaicDetails):
            return (self.details.choice == self.details.reward_box,)
        return (True, False)


class EpisodeMoment(Record):
    """A moment of an episode, at which a belief is asked for."""

    episode_id: str
    """The episode."""
    step: int = Field(ge=0, lt=2**31)
    """Step or round after which the question is asked; 0 for the start."""
    role: Role
    """Who is asked."""


class EpisodeRun(RootRecord):
    """`run.json` of a folder of episodes: what its episodes have in common."""

    name: str
    """Name of the run, as tables give it."""
    licence: str | None = None
    """SPDX id or name of the licence of what is in it; absent where nobody said."""
    provenance: Provenance
    """What played it, and with which settings."""


TomKind = Literal["belief", "state", "action", "judgement", "control"]
"""What is asked: what somebody knows or believes, what they want or feel, what they will do,
whether what they do is sensible, or a check that the story was understood."""


class TomItem(RootRecord):
    """One question about what somebody knows, believes or will do."""

    CURRENT_VERSION: ClassVar[int] = 2
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: unchanged}

    item_id: str
    """Stable id."""
    story: str | None = None
    """Text that the question is about; absent for a question about an episode."""
    moment: EpisodeMoment | None = None
    """Episode that the question is about; absent for a question about a story."""
    question: str
    """The sentence asked, without options."""
    options: tuple[Option, ...] = ()
    """Answers to choose from, in the order shown; empty for an answer in one's own words."""
    answer: str
    """Label of the right option; the words themselves where there are no options."""
    order: int | None = Field(ge=0, le=9)
    """Order of the belief, 0 for a fact; absent where the data set does not say."""
    kind: TomKind
    """What is asked."""
    joint_group: str | None = None
    """Shared by questions that count only when all are right."""
    condition: str | None = None
    """What the story makes of it: `true_belief`, `false_belief`; of a control what it checks:
    `memory`, `reality`, `fact`, `random_event`; absent where the data set does not say."""
    category: str | None = None
    """Kind of question in the words of its data set; absent where it has none."""
    story_id: str | None = None
    """Story or scenario: questions about it stand and fall together, so it is what intervals
    resample; absent where each text is for itself."""
    rotation_of: str | None = None
    """The item that this one asks with its options in turned order, itself included: all of them
    count as one question; absent where options stand in one order alone."""
    source: str
    """Data set or task that the question is from."""
    licence: str | None = None
    """Licence of that data set; absent where it is that of the run."""

    @model_validator(mode="after")
    def _answerable(self) -> Self:
        if (self.story is None) == (self.moment is None):
            found = "neither" if self.story is None else "both"
            raise ValueError(f"story: expected a story or a moment of an episode, found {found}")
        labels = [option.label for option in self.options]
        if len(set(labels)) < len(labels):
            raise ValueError(f"options: expected each label once, found {', '.join(labels)}")
        if labels and self.answer not in labels:
            raise ValueError(f"answer: expected one of {', '.join(labels)}, found {self.answer!r}")
        return self
