"""Calls of models that play: heard once, and heard again by whoever goes on."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import IO

from mira.evals.inspect_runner.options import ModelOptions
from mira.evals.inspect_runner.replying import Ending
from mira.evals.inspect_runner.spending import Spending, usage_of_tokens
from mira.plays import Request
from mira.schema.evaluation import Usage
from mira.schema.record import Record
from mira.store.heard_lines import add_line


class Call(Record):
    """One request to a model, and what came of it: a line of the journal."""

    episode_id: str
    """The episode that is played."""
    number: int
    """Which request of the episode, from 1."""
    request_sha8: str
    """Digest of all that was asked; a reply to something else is not heard again."""
    reply: str | None = None
    """The reply as it came; absent where the call failed."""
    ending: Ending = "whole"
    """How it ended."""
    input_tokens: int = 0
    """Tokens that went in."""
    output_tokens: int = 0
    """Tokens that came out."""
    wall_s: float = 0
    """From the call to the reply, calls that were made once more among it."""
    error: str | None = None
    """Why the model was not heard; absent where it was."""


class CallBook:
    """Keeps calls as they are made, and knows those that earlier processes made.

    Args:
        stream: The journal.
        before: What is in it.
        options: What may be spent.
    """

    def __init__(self, stream: IO[bytes], before: Sequence[Call], options: ModelOptions) -> None:
        self._stream = stream
        self._calls = {(one.episode_id, one.number): one for one in before}
        # All of them: a call that was made once more was paid for twice.
        self._spending = Spending(options, _usage_of(before))

    @property
    def spent(self) -> bool:
        """Whether no further call may be made."""
        return self._spending.spent

    @property
    def usage(self) -> Usage:
        """What all calls took."""
        return self._spending.usage

    def known(self, episode_id: str, number: int, request: Request) -> str | None:
        """The reply to a request that was heard before; None where there is none."""
        one = self._calls.get((episode_id, number))
        same = one is not None and one.request_sha8 == sha8_of(request)
        return one.reply if one is not None and same else None

    def add(self, call: Call) -> None:
        """Keep a call."""
        add_line(self._stream, call)
        self._calls[call.episode_id, call.number] = call
        self._spending.add(call.input_tokens, call.output_tokens)

    def errors(self) -> dict[str, int]:
        """Why calls failed that were not heard since, with how many, the most frequent first."""
        found = Counter(one.error for one in self._calls.values() if one.error)
        return dict(found.most_common())

    def endings(self) -> dict[Ending, int]:
        """How replies ended, with how many."""
        return dict(Counter(one.ending for one in self._calls.values() if one.reply is not None))


def sha8_of(request: Request) -> str:
    """A digest of all that a player is told."""
    digest = hashlib.sha256()
    for part in (request.role.encode(), request.text.encode(), *request.pictures):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:8]


def _usage_of(calls: Sequence[Call]) -> Usage:
    return usage_of_tokens(
        sum(one.input_tokens for one in calls), sum(one.output_tokens for one in calls), None
    )
