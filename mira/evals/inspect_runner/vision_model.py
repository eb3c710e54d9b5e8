"""A vision-language model of transformers in this process: pictures and text in, a reply out."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import Any, Literal, NamedTuple

import torch
import transformers
from PIL import Image

from mira.errors import MiraError
from mira.evals.inspect_runner.weights import WeightsSettings, weights_digest, weights_folder

Turn = dict[str, Any]
"""Who speaks (`role`), and parts in their order (`content`): texts, and bytes of picture files."""
_CPU_IS_FULL = "can't allocate memory"


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
        if not sys.stderr.isatty():
            transformers.logging.disable_progress_bar()
        folder = weights_folder(name)
        # A folder is all there is: nothing is looked up elsewhere.
        source: dict[str, Any] = {
            "pretrained_model_name_or_path": name if folder is None else str(folder),
            "local_files_only": folder is not None,
            "revision": settings.revision or "main",
            "trust_remote_code": settings.trust_remote_code,
        }
        # First, for it is the smallest file: what cannot be had is told of at once.
        kind = transformers.AutoConfig.from_pretrained(**source).model_type
        if folder is None:
            # What is pushed while files are on their way is another model.
            source["revision"] = _commit(name, settings)
        self._processor = _processor(name, source)
        self._require_shown_pictures()
        with _memory(name):
            self._model = _model(name, source, settings, kind)
        ends = self._model.generation_config.eos_token_id
        self._ends = set(ends if isinstance(ends, list) else [ends])
        # A reply alone is never padded; transformers says at every one what it would pad it with.
        self._pad = {"pad_token_id": self._model.generation_config.pad_token_id or max(self._ends)}
        self.facts = {
            "weights": f"{name}@{source['revision']}" if folder is None else weights_digest(folder),
            "device": str(self._model.device),
            "dtype": str(self._model.dtype).removeprefix("torch."),
        }

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
        with _memory(self._name, f"{tokens_in:,} tokens"), torch.inference_mode():
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
        if with_picture == without:
            raise MiraError(self._name, "expected a place for pictures in its chat template")


def _commit(name: str, settings: WeightsSettings) -> str:
    """The commit on the Hub that a branch or tag stands for, as the cache has it."""
    revision = settings.revision or "main"
    path = transformers.utils.cached_file(name, "config.json", revision=revision)
    found: str | None = transformers.utils.extract_commit_hash(path, None)
    return found or revision


def _processor(name: str, source: dict[str, Any]) -> Any:
    found = transformers.AutoProcessor.from_pretrained(**source)
    if not hasattr(found, "image_processor"):
        problem = f"expected a processor of pictures and text, found {type(found).__name__}"
        raise MiraError(name, problem, "choose weights that take pictures")
    if not found.chat_template:
        raise MiraError(name, "has no chat template", "put a chat_template.jinja into its folder")
    return found


def _model(name: str, source: dict[str, Any], settings: WeightsSettings, kind: str) -> Any:
    how = {"dtype": settings.dtype, "device_map": settings.device or _best_device()}
    auto_class = transformers.AutoModelForImageTextToText
    try:
        return auto_class.from_pretrained(**source, **how, **settings.load).eval()
    except ValueError as error:
        # Its text lists every model there is.
        if "Unrecognized configuration class" not in str(error):
            raise
        problem = f"expected a model that takes pictures and text, found one of kind {kind}"
        raise MiraError(name, problem) from None


def _best_device() -> str:
    if torch.cuda.is_available():
        return "cuda:0"
    return "mps" if torch.backends.mps.is_available() else "cpu"


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


@contextmanager
def _memory(name: str, what: str = "the weights") -> Iterator[None]:
    """Says in a line what memory does not hold, and makes room for what comes next."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        full = isinstance(error, MemoryError | torch.OutOfMemoryError)
        if not full and _CPU_IS_FULL not in str(error):
            raise
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        fix = "smaller numbers: --model-arg dtype=bfloat16; several cards: --model-arg device=auto"
        raise MiraError(name, f"memory does not hold {what}", fix) from None
