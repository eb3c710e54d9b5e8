"""Calls of models that play, counted whatever became of them."""

from __future__ import annotations

import asyncio
import io

import pytest

from mira.evals.inspect_runner.calls import Call, CallBook
from mira.evals.inspect_runner.options import ModelOptions
from mira.plays import Request

OPTIONS = ModelOptions("mockllm/model", token_limit=30)


def test_a_call_that_was_made_once_more_counts_each_time_for_whoever_goes_on():
    failed = Call(episode_id="e", number=1, request_sha8="0" * 8, input_tokens=20, error="broken")
    heard = failed.model_copy(update={"reply": "up", "output_tokens": 5, "error": None})
    book = CallBook(io.BytesIO(), [failed, heard], OPTIONS)
    assert (book.usage.input_tokens, book.usage.output_tokens) == (40, 5)
    assert book.spent
    assert not book.errors()


def test_tokens_of_a_call_that_gave_no_reply_count():
    model = pytest.importorskip("inspect_ai.model")
    player = pytest.importorskip("mira.evals.inspect_runner.player")

    class Silent:
        async def generate(self, _):
            usage = model.ModelUsage(input_tokens=7, output_tokens=2, total_tokens=9)
            return model.ModelOutput(model="m", usage=usage, error="gone")

    book = CallBook(io.BytesIO(), [], OPTIONS)
    one = player.Player(None, {"agent": Silent()}, book=book, store=None, told=lambda: None)
    with pytest.raises(player.CallFailedError, match="gone"):
        asyncio.run(one._ask("e", 1, Request("agent", "move", "Go", ()), None))
    assert (book.usage.input_tokens, book.usage.output_tokens) == (7, 2)
