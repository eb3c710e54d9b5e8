"""Keeps what is heard as it comes, counts it, and says when enough is spent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.options import ModelOptions, Price, Progress
from mira.evals.inspect_runner.spending import Spending, usage_of_tokens
from mira.schema.evaluation import Usage
from mira.store.heard_lines import add_line


class Recorder:
    """Adds to the journal of a folder of runs.

    Args:
        stream: The journal.
        before: What was heard by earlier processes.
        total: Questions in all.
        options: What may be spent.
        progress: Called with questions that are heard and in all.
    """

    def __init__(
        self,
        stream: IO[bytes],
        before: dict[str, Heard],
        *,
        total: int,
        options: ModelOptions,
        progress: Progress | None,
    ) -> None:
        self._stream = stream
        self._total = total
        self._progress = progress
        self._done = sum(not one.failed for one in before.values())
        self._spending = Spending(options, usage_of(before.values(), None))
        self.added: dict[str, Heard] = {}

    @property
    def spent(self) -> bool:
        """Whether no further question may be begun."""
        return self._spending.spent

    def add(self, heard: Heard) -> None:
        """Keep what became of a question."""
        add_line(self._stream, heard)
        self.added[heard.key] = heard
        self._done += 1
        self._spending.add(heard.input_tokens, heard.output_tokens)
        if self._progress is not None:
            self._progress("asking", self._done, self._total)


def usage_of(heard: Iterable[Heard], price: Price | None) -> Usage:
    """What replies took.

    Args:
        heard: What became of questions.
        price: What the provider charges; None where nobody knows.
    """
    every = list(heard)
    tokens_in = sum(one.input_tokens for one in every)
    tokens_out = sum(one.output_tokens for one in every)
    return usage_of_tokens(tokens_in, tokens_out, price)
