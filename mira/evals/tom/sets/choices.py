"""What can be chosen where a set gives its questions in more than one way."""

from __future__ import annotations

from typing import Literal

from mira.schema.record import Record

ContextName = Literal["short", "full"]
LanguageName = Literal["en", "zh"]
PromptingName = Literal["both", "vp", "cotp"]


class ImportChoices(Record):
    """Ways in which a set is taken; what a set does not have is not looked at."""

    context: ContextName = "short"
    """FANToM: the part of the conversation that a question is about, or all of it."""
    language: LanguageName = "en"
    """ToMBench: English or Chinese."""
    prompting: PromptingName = "both"
    """Hi-ToM: both copies of its questions, which contradict each other here and there, or the one
    of a way of prompting."""
