"""Asks a question, once more where no answer came, and keeps what was heard."""

from __future__ import annotations

import time
from collections.abc import Mapping

from inspect_ai.model import ChatMessageUser, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.outputs import in_a_line, reply_of, tokens_of
from mira.evals.inspect_runner.questionnaire import Askable
from mira.evals.inspect_runner.recording import Recorder
from mira.evals.inspect_runner.replying import (
    Reply,
    failed_prediction,
    needs_repair,
    prediction_of,
)
from mira.schema.evaluation import Prediction


class _Calls:
    """The calls about one question, and what they took."""

    def __init__(self) -> None:
        self._start_s = time.monotonic()
        self._tokens_in = self._tokens_out = 0

    def reply(self, output: ModelOutput) -> Reply:
        """The reply of a call, its tokens counted.

        Raises:
            RuntimeError: The provider gave no reply and no exception.
        """
        tokens_in, tokens_out = tokens_of(output)
        self._tokens_in += tokens_in
        self._tokens_out += tokens_out
        return reply_of(output)

    def heard(self, one: Askable, prediction: Prediction, *, error: str | None = None) -> Heard:
        """What became of the question."""
        return Heard(
            key=one.key,
            prediction=prediction,
            input_tokens=self._tokens_in,
            output_tokens=self._tokens_out,
            wall_s=round(time.monotonic() - self._start_s, 3),
            error=error,
        )


def ask_and_keep(asked: Mapping[str, Askable], recorder: Recorder) -> Solver:
    """Asks the question of a sample.

    Args:
        asked: Questions by the ids of samples.
        recorder: Keeps what is heard; says when no more may be asked.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        one, calls = asked[str(state.sample_id)], _Calls()
        if recorder.spent:
            state.completed = True
            return state
        try:
            state, prediction = await _ask(one, calls, state, generate)
        except Exception as fault:
            recorder.add(calls.heard(one, failed_prediction(one.question), error=in_a_line(fault)))
            raise
        recorder.add(calls.heard(one, prediction))
        return state

    # Made without arguments: inspect_ai writes those of a solver into its log, here every question.
    def make() -> Solver:
        return solve

    asker: Solver = solver(name="mira_ask")(make)()
    return asker


async def _ask(
    one: Askable, calls: _Calls, state: TaskState, generate: Generate
) -> tuple[TaskState, Prediction]:
    state = await generate(state)
    reply, again = calls.reply(state.output), None
    if needs_repair(one.question, reply):
        state.messages.append(ChatMessageUser(content=one.repair_text()))
        state = await generate(state)
        again = calls.reply(state.output)
    return state, prediction_of(one.question, reply, again)
