"""A question and its options as one text."""

from __future__ import annotations

from collections.abc import Sequence

from mira.schema.qa import Option


def format_prompt(question: str, options: Sequence[Option], texts: Sequence[str]) -> str:
    """What a model reads of a question; how to reply is for whoever asks to add.

    Args:
        question: The sentence in one referring protocol.
        options: Answers to choose from, in their order; none where an answer is not chosen.
        texts: Text of each option. An option that is called what it says is written once.
    """
    lines = [
        text if option.label.casefold() == text.casefold() else f"{option.label}. {text}"
        for option, text in zip(options, texts, strict=True)
    ]
    return "\n".join((question, *lines))
