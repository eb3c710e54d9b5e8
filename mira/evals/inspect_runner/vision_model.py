"""A vision-language model of transformers in this process: pictures and text in, a reply out."""

from __future__ import annotations

import io
from collections.abc import Sequence
from threading import Event
from typing import Any, Literal, NamedTuple

import torch
from PIL import Image

from mira.errors import MiraError
from mira.evals.inspect_runner.loading import load_weights, memory_faults
from mira.evals.inspect_runner.weights import WeightsSettings

Turn = dict[str, Any]
"""Who speaks (`role`), and parts in their order (`content`): texts, and bytes of picture files."""


class Generated(NamedTuple):
    """A reply.

    Attributes:
        text: What the model said, without the tokens that frame it.
        ending: `stop`, `max_tokens` where that limit cut it, `model_length` where the model takes
            no more.
        tokens_in: Tokens of the question, those of pictures among them.
        tokens_out: Tokens of the reply.
    """

    text: str
    ending: Literal["stop", "max_tokens", "model_length"]
    tokens_in: int
    tokens_out: int


class VisionModel:
    """A model and its processor, loaded.

    Args:
        name: A folder, or a name on the Hugging Face Hub.
        settings: How it is loaded and run.

    Raises:
        MiraError: There are no such weights, they take no pictures or have no chat template, or
            memory does not hold them.
        Exception: Of transformers, where it cannot read them.
    """

    def __init__(self, name: str, settings: WeightsSettings) -> None:
        self._name, self._settings = name, settings
        self._model, self._processor, self.facts = load_weights(name, settings)
        self._require_shown_pictures()
        ends = self._model.generation_config.eos_token_id
        self._ends = set(ends if isinstance(ends, list) else [ends])
        # A reply alone is never padded; transformers says at every one what it would pad it with.
        self._pad = {"pad_token_id": self._model.generation_config.pad_token_id or max(self._ends)}

    def inputs(self, chat: Sequence[Turn]) -> Any:
        """What the model is given for a chat: token ids (1, n), pixels, and so on, on its device.

        Pictures are turned to RGB; their size is the processor's affair.
        """
        opened = [{**turn, "content": [_opened(part) for part in turn["content"]]} for turn in chat]
        made = self._render(opened, tokenize=True, return_dict=True, return_tensors="pt")
        return made.to(self._model.device, dtype=self._model.dtype)

    def reply(
        self, chat: Sequence[Turn], *, temperature: float | None, max_tokens: int, halt: Event
    ) -> Generated:
        """The reply to a chat.

        Args:
            chat: What was said so far.
            temperature: 0 takes the likeliest token; None samples as the model's files say.
            max_tokens: Longest reply.
            halt: Ends it with the next token, once set.

        Raises:
            MiraError: The chat is longer than the model takes, or memory does not hold it.
        """
        inputs = self.inputs(chat)
        tokens_in = inputs["input_ids"].shape[1]
        room = self._room(tokens_in, max_tokens)
        torch.manual_seed(self._settings.seed)
        with memory_faults(self._name, f"{tokens_in:,} tokens"), torch.inference_mode():
            made = self._model.generate(
                **inputs,
                **_sampling(temperature),
                **self._pad,
                max_new_tokens=room,
                stopping_criteria=[
                    lambda ids, _: torch.full((len(ids),), halt.is_set(), device=ids.device)
                ],
            )
        new = made[0, tokens_in:]
        text = self._processor.decode(new, skip_special_tokens=True)
        if int(new[-1]) in self._ends:
            return Generated(text, "stop", tokens_in, len(new))
        cut: Literal["max_tokens", "model_length"] = (
            "max_tokens" if room == max_tokens else "model_length"
        )
        return Generated(text, cut, tokens_in, len(new))

    def _render(self, chat: Sequence[Turn], **how: Any) -> Any:
        return self._processor.apply_chat_template(
            list(chat),
            add_generation_prompt=True,
            processor_kwargs=self._settings.processor if how.get("tokenize") else None,
            **self._settings.template,
            **how,
        )

    def _room(self, tokens_in: int, max_tokens: int) -> int:
        text_config = self._model.config.get_text_config()
        length: int | None = getattr(text_config, "max_position_embeddings", None)
        if length is None:
            return max_tokens
        if tokens_in >= length:
            problem = f"expected a question below its {length:,} tokens, found {tokens_in:,}"
            raise MiraError(self._name, problem)
        return min(max_tokens, length - tokens_in)

    def _require_shown_pictures(self) -> None:
        """Raise where the template leaves pictures out: the model would answer blindly."""
        text = {"type": "text", "text": "?"}
        with_picture, without = (
            self._render([{"role": "user", "content": content}], tokenize=False)
            for content in ([{"type": "image"}, text], [text])
        )
        # A template made for strings prints the parts themselves.
        if with_picture == without or "'type': 'image'" in with_picture:
            raise MiraError(self._name, "expected a place for pictures in its chat template")


def _sampling(temperature: float | None) -> dict[str, Any]:
    if temperature is None:
        return {}
    if temperature == 0:
        # Ones stand for nothing; what the model's files say would be warned about.
        return {"do_sample": False, "temperature": 1.0, "top_p": 1.0, "top_k": 50}
    return {"do_sample": True, "temperature": temperature}


def _opened(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] != "image":
        return part
    with Image.open(io.BytesIO(part["image"])) as picture:
        return {"type": "image", "image": picture.convert("RGB")}
