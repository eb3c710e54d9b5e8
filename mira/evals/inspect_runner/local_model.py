"""Weights on this machine as a provider of inspect_ai, whose own takes no pictures."""

from __future__ import annotations

import base64
from threading import Event, Lock
from typing import Any

from anyio import to_thread
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from mira.evals.inspect_runner.vision_model import Generated, Turn, VisionModel
from mira.evals.inspect_runner.weights import weights_settings

PROVIDER = "mira-weights"


@modelapi(name=PROVIDER)
class LocalModel(ModelAPI):  # type: ignore[misc]
    """Says one reply at a time, so that none depends on what else is asked.

    Args:
        model_name: A folder, or a name on the Hugging Face Hub.
        base_url: None.
        api_key: None.
        config: How replies are sampled.
        model_args: Fields of `WeightsSettings`.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, config=config or GenerateConfig())
        self._model = VisionModel(model_name, weights_settings(model_args))
        self._turn = Lock()

    @property
    def facts(self) -> dict[str, str]:
        """What decides replies beside settings: digest of the weights, device, kind of numbers."""
        return self._model.facts

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # noqa: ARG002
        tool_choice: Any,  # noqa: ARG002
        config: GenerateConfig,
    ) -> ModelOutput:
        """The reply to messages; an interrupt is heard at its next token."""
        halt = Event()

        def reply() -> Generated:
            with self._turn:
                return self._model.reply(
                    [_turn(message) for message in input],
                    temperature=config.temperature,
                    max_tokens=config.max_tokens or 2048,
                    halt=halt,
                )

        try:
            found = await to_thread.run_sync(reply, abandon_on_cancel=True)
        finally:
            halt.set()
        output = ModelOutput.from_content(self.model_name, found.text, stop_reason=found.ending)
        output.usage = ModelUsage(
            input_tokens=found.tokens_in,
            output_tokens=found.tokens_out,
            total_tokens=found.tokens_in + found.tokens_out,
        )
        return output


def _turn(message: ChatMessage) -> Turn:
    said = message.content
    parts = [ContentText(text=said)] if isinstance(said, str) else said
    return {"role": message.role, "content": [made for part in parts for made in _parts(part)]}


def _parts(part: Any) -> list[dict[str, Any]]:
    if isinstance(part, ContentImage):
        # inspect_ai reads the file when the question's turn comes: a header, a comma, base64.
        data = base64.b64decode(part.image.partition(",")[2], validate=True)
        return [{"type": "image", "image": data}]
    # A model is not shown what it thought on its way to a reply.
    return [{"type": "text", "text": part.text}] if isinstance(part, ContentText) else []
