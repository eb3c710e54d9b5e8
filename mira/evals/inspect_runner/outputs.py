"""What inspect_ai gives back for a call, in our words."""

from __future__ import annotations

from inspect_ai.model import ModelOutput
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
    # Half of a pair of code units is no text, and no file could hold it.
    text = output.completion.encode("utf-8", "replace").decode("utf-8")
    return Reply(text, _ENDINGS.get(output.stop_reason, "whole"))


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
    return f"{type(fault).__name__}: {text}"[:300]
