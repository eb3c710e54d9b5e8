"""Plays an episode: asks a model for each reply, and keeps what it says."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, Model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mira.evals.inspect_runner.calls import Call, CallBook, sha8_of
from mira.evals.inspect_runner.outputs import in_a_line, reply_of, tokens_of
from mira.plays import Play, Request
from mira.schema.episode import Role
from mira.store.episodes import EpisodeStore


class CallFailedError(Exception):
    """A model was not heard; the episode ends here."""


class Player:
    """Plays episodes to their end, several at a time.

    Args:
        open_play: An episode from its start, by id.
        models: Who answers, by role.
        book: Keeps the calls.
        store: Takes the episodes.
        told: Called when an episode is written.

    Attributes:
        book: The calls.
        fault: What went wrong other than calls; nothing further is played then.
    """

    def __init__(
        self,
        open_play: Callable[[str], Play],
        models: Mapping[Role, Model],
        *,
        book: CallBook,
        store: EpisodeStore,
        told: Callable[[], None],
    ) -> None:
        self._open_play = open_play
        self._models = models
        self.book = book
        self._store = store
        self._told = told
        self.fault: Exception | None = None

    def solver(self) -> Solver:
        """What plays the episode of a sample."""

        async def solve(state: TaskState, generate: Generate) -> TaskState:
            del generate  # Roles have models of their own.
            if self.fault is None:
                await self._play(str(state.sample_id), state)
            return state

        # Made without arguments: inspect_ai writes those of a solver into its log.
        def make() -> Solver:
            return solve

        playing: Solver = solver(name="mira_play")(make)()
        return playing

    async def _play(self, episode_id: str, state: TaskState) -> None:
        failure = None
        try:
            play = self._open_play(episode_id)
            try:
                is_over = await self._to_its_end(play, state)
            except CallFailedError as error:
                play.abort(str(error))
                is_over, failure = True, error
            if is_over:
                play.write(self._store)
                self._told()
        except Exception as error:
            # The world or the disk is at fault, not who plays: more of the same would not help.
            self.fault = self.fault or error
            raise
        if failure is not None:
            raise failure

    async def _to_its_end(self, play: Play, state: TaskState) -> bool:
        """Whether it came there; not where no more may be spent."""
        number = 0
        while (request := play.request()) is not None:
            number += 1
            reply = self.book.known(play.episode_id, number, request)
            if reply is None:
                if self.book.spent or self.fault is not None:
                    return False
                reply = await self._ask(play.episode_id, number, request, state)
            play.hear(reply)
        return True

    async def _ask(self, episode_id: str, number: int, request: Request, state: TaskState) -> str:
        start_s = time.monotonic()
        call = Call(episode_id=episode_id, number=number, request_sha8=sha8_of(request))
        try:
            try:
                output = await self._models[request.role].generate([_message(request)])
            finally:
                _let_go_of_pictures()
            tokens_in, tokens_out = tokens_of(output)
            call = call.model_copy(update={"input_tokens": tokens_in, "output_tokens": tokens_out})
            reply = reply_of(output)
        except Exception as fault:
            error = in_a_line(fault)
            self.book.add(call.model_copy(update={"error": error}))
            raise CallFailedError(error) from fault
        wall_s = round(time.monotonic() - start_s, 3)
        self.book.add(
            call.model_copy(update={"reply": reply.text, "ending": reply.ending, "wall_s": wall_s})
        )
        # For who looks at the log.
        state.messages += [ChatMessageUser(content=request.text), output.message]
        state.output = output
        return reply.text


def _message(request: Request) -> ChatMessageUser:
    shown = [
        ContentImage(image=f"data:image/png;base64,{base64.b64encode(one).decode()}", detail="high")
        for one in request.pictures
    ]
    return ChatMessageUser(content=[*shown, ContentText(text=request.text)])


def _let_go_of_pictures() -> None:
    """Drop pictures from what was noted of the calls so far: they would stay until the log ends."""
    for event in transcript().events[-3:]:
        if isinstance(event, ModelEvent):
            for message in event.input:
                if isinstance(message.content, list):
                    message.content = [
                        part for part in message.content if not isinstance(part, ContentImage)
                    ]
