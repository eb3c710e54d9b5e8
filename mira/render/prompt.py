"""A question and its options as one text."""

from __future__ import annotations

from collections.abc import Iterable


def format_prompt(question: str, options: Iterable[tuple[str, str]]) -> str:
    """What a model reads of a question; how to reply is for whoever asks to add.

    Args:
        question: The sentence in one referring protocol.
        options: Label and text of each answer to choose from, in their order; none where an answer
            is not chosen. An option that is called what it says is written once.
    """
    return "\n".join((question, *(option_line(label, text) for label, text in options)))


def option_line(label: str, text: str) -> str:
    """An option as it is read."""
    return text if label.casefold() == text.casefold() else f"{label}. {text}"
