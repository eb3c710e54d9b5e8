"""Probes as items: which question is asked when, in which order of options, and what is right."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import NamedTuple, Self

import numpy as np
from pydantic import Field, model_validator

from mira.schema.episode import EpisodeMoment, TomItem, TomKind
from mira.schema.probe import ProbeQuestion
from mira.schema.qa import Option
from mira.schema.record import Record
from mira.sim.probing.wording import ProbeWording, packaged_wording

_LABELS = "AB"


class ProbePolicy(Record):
    """When players are asked what they believe, and in which words."""

    steps: tuple[int, ...]
    """Steps or rounds after which they are asked; 0 for the start."""
    wording: ProbeWording = Field(default_factory=packaged_wording)
    """In which words."""

    def parameters(self) -> dict[str, object]:
        """What of it decides replies, as a run keeps it: the words by their digest."""
        # As JSON gives them back, so that a run that goes on finds them equal.
        settings = self.model_dump(mode="json", exclude={"wording"})
        return {**settings, "prompts": self.wording.digest}

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.steps or list(self.steps) != sorted({*self.steps}) or self.steps[0] < 0:
            found = ", ".join(map(str, self.steps)) or "none"
            raise ValueError(f"steps: expected rising numbers from 0, found {found}")
        return self


class Asked(NamedTuple):
    """A question whose answer the simulator knows.

    Attributes:
        name: Which.
        right: What is right, by the key of its option.
        kind: What it asks.
        order: Order of the belief, 0 for what is so.
        condition: What the world makes of it, as in `TomItem`.
    """

    name: ProbeQuestion
    right: str
    kind: TomKind = "belief"
    order: int = 0
    condition: str | None = None


def make_item(
    asked: Asked,
    moment: EpisodeMoment,
    *,
    policy: ProbePolicy,
    names: Mapping[str, str],
    unit: str,
    source: str,
    seed: int,
) -> TomItem:
    """The item of a question about a moment, its two options in an order that is drawn.

    Args:
        asked: The question.
        moment: When it is asked, and whom.
        policy: In which words.
        names: What is filled in, by name.
        unit: What intervals resample: the scene or trial.
        source: Name of the task.
        seed: Seed of the run; the order hangs on it and on what is asked alone.
    """
    words = policy.wording.questions[asked.name]
    episode, name = (zlib.crc32(text.encode()) for text in (moment.episode_id, asked.name))
    role = zlib.crc32(moment.role.encode())
    order = np.random.default_rng([seed, episode, moment.step, role, name]).permutation(2)
    meanings = [list(words.options)[place] for place in order]
    return TomItem(
        item_id=f"{moment.episode_id}-{moment.step:03d}-{moment.role}-{asked.name}",
        moment=moment,
        question=policy.wording.question(asked.name, names),
        options=tuple(
            Option(label=label, value=words.options[meaning])
            for label, meaning in zip(_LABELS, meanings, strict=True)
        ),
        answer=_LABELS[meanings.index(asked.right)],
        order=asked.order,
        kind=asked.kind,
        condition=asked.condition,
        category=asked.name,
        story_id=unit,
        source=source,
    )


def tell_item(item: TomItem, wording: ProbeWording) -> str:
    """What a player is told of a question, below all that it is told for its next move."""
    lines = [wording.option.format(label=o.label, value=o.value) for o in item.options]
    return wording.asking.format(
        question=item.question,
        options="\n".join(lines),
        labels=", ".join(option.label for option in item.options),
    )
