"""What inspect_ai gives back for a call, in our words."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import ModelOutput
from pydantic_core import PydanticSerializationError
from tenacity import RetryError

from mira.evals.inspect_runner.replying import Ending, Reply

_ENDINGS: dict[str, Ending] = {
    "max_tokens": "cut",
    "model_length": "cut",
    "content_filter": "withheld",
}


def reply_of(output: ModelOutput) -> Reply:
    """The reply of a call.

    Raises:
        RuntimeError: The provider gave no reply and no exception.
    """
    if output.error or not output.choices:
        raise RuntimeError(output.error or "the provider gave no reply")
    return Reply(output.completion, _ENDINGS.get(output.stop_reason, "whole"))


def writable(said: ModelOutput | Exception) -> ModelOutput | Exception:
    """What a provider said, with `?` for halves of letters: JSON may hold them, UTF-8 not."""
    if isinstance(said, Exception):
        return said
    try:
        said.model_dump_json()
    except PydanticSerializationError:
        return ModelOutput.model_validate(_writable(said.model_dump()))
    return said


def tokens_of(output: ModelOutput) -> tuple[int, int]:
    """Tokens in, those of caches among them, and out; 0 where the provider does not tell."""
    if (usage := output.usage) is None:
        return 0, 0
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens


def in_a_line(fault: BaseException) -> str:
    """Why a call failed, on one line."""
    if isinstance(fault, RetryError):
        fault = fault.last_attempt.exception() or fault
    text = " ".join(str(fault).split())
    # A server may say what a terminal would obey.
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
    return f"{type(fault).__name__}: {shown}"[:300]


def _writable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_writable(one) for one in value]
    if isinstance(value, dict):
        return {name: _writable(one) for name, one in value.items()}
    return value
