"""The words of probes, and their version."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import get_args

import yaml
from pydantic import Field, field_validator

from mira.schema.probe import BOX_WORDS, ProbeQuestion
from mira.schema.record import Record

_DIGITS = 8


class QuestionWording(Record):
    """One question."""

    question: str
    """The sentence."""
    options: dict[str, str] = Field(
        default={"0": BOX_WORDS[0], "1": BOX_WORDS[1]}, min_length=2, max_length=2
    )
    """What may be answered, by what it means; the boxes by their numbers where not said."""


class ProbeWording(Record):
    """All words of probes. Names in braces are filled in."""

    version: int
    """Number of these words."""
    asking: str
    """Around each question."""
    option: str
    """A line of the options."""
    questions: dict[ProbeQuestion, QuestionWording]
    """The questions."""

    @field_validator("questions")
    @classmethod
    def _whole(
        cls, questions: dict[ProbeQuestion, QuestionWording]
    ) -> dict[ProbeQuestion, QuestionWording]:
        if missing := [name for name in get_args(ProbeQuestion) if name not in questions]:
            raise ValueError(f"expected words for {', '.join(missing)}, found none")
        return questions

    @property
    def digest(self) -> str:
        """The version, and digits of a digest of all words, so that none changes unseen."""
        digest = hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:_DIGITS]
        return f"{self.version}-{digest}"

    def question(self, name: ProbeQuestion, names: Mapping[str, str]) -> str:
        """A question with its names filled in."""
        return self.questions[name].question.format(**names)


@cache
def packaged_wording() -> ProbeWording:
    """The words that come with the package."""
    text = files(__package__).joinpath("english.yaml").read_text("utf-8")
    return ProbeWording.model_validate(yaml.safe_load(text))
