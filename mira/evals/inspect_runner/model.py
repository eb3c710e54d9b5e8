"""The model that is asked, as inspect_ai knows it."""

from __future__ import annotations

import os
import re
from json import JSONDecodeError
from typing import Any

from inspect_ai.model import (
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    get_model,
)
from tenacity import wait_exponential_jitter
from tenacity.wait import WaitBaseT

from mira.errors import MiraError, MissingExtraError
from mira.evals.inspect_runner.options import ModelOptions
from mira.evals.inspect_runner.outputs import writable

_SERVICE = "local"
"""Under this name inspect_ai looks for the key of a server: LOCAL_API_KEY."""
_NO_KEY = "none"
_LONGEST = 500
_MARKUP = re.compile(r"\[/?[a-z ]+\]")
_REPEATING_CLIENTS = ("openai", "openai-api")
"""Providers whose clients repeat failed calls of their own accord, on top of inspect_ai."""


def open_model(options: ModelOptions) -> Model:
    """The model, reached as options say; calls that fail are repeated in one layer alone.

    Raises:
        MiraError: inspect_ai does not know the provider, or misses its key or its package; or
            weights cannot be run here.
        MissingExtraError: Weights are to be run here without what runs them.
    """
    name, arguments = _name_and_arguments(options)
    decoding = options.decoding
    config = GenerateConfig(
        temperature=decoding.temperature,
        max_tokens=decoding.max_tokens,
        max_connections=options.max_connections,
        max_retries=options.retries,
        **decoding.parameters,
    )
    try:
        model = get_model(
            name, config=config, base_url=options.base_url, memoize=False, **arguments
        )
    except MiraError:
        raise
    except Exception as error:
        # Providers raise what they like: a missing package, a missing key, an unknown argument.
        problem = " ".join(_MARKUP.sub("", str(error)).split())
        raise MiraError(f"model {options.model}", problem[:_LONGEST]) from None
    first_s = options.retry_wait_s

    def retry_wait() -> WaitBaseT:
        return wait_exponential_jitter(multiplier=first_s, max=60 + first_s, jitter=first_s)

    judge = model.api.should_retry

    def should_retry(fault: Exception) -> bool | RetryDecision:
        # A reply that is no whole JSON: inspect_ai would take it for the last word.
        return True if isinstance(fault, JSONDecodeError) else judge(fault)

    say = model.api.generate

    async def generate(*told: Any, **how: Any) -> Any:
        said = await say(*told, **how)
        return (writable(said[0]), *said[1:]) if isinstance(said, tuple) else writable(said)

    # Before inspect_ai sees it, whose logs cannot hold halves of letters.
    model.api.generate = generate
    model.api.retry_wait = retry_wait
    model.api.should_retry = should_retry
    return model


def facts_of(model: Model, options: ModelOptions) -> dict[str, str]:
    """What decides a model's replies beside settings, as far as anybody here knows."""
    facts: dict[str, str] = model.api.facts if options.weights is not None else {}
    return facts


def _name_and_arguments(options: ModelOptions) -> tuple[str, dict[str, Any]]:
    """The name as inspect_ai has it, and what its provider is given."""
    name, arguments = options.model, dict(options.model_args)
    if options.weights is not None:
        return f"{_weights_provider()}/{options.weights}", arguments
    if options.base_url is not None and name.split("/")[0] not in ("openai", "openai-api"):
        name = f"openai-api/{_SERVICE}/{name}"
        arguments.setdefault("api_key", os.environ.get("LOCAL_API_KEY") or _NO_KEY)
    if name.split("/")[0] in _REPEATING_CLIENTS:
        arguments.setdefault("max_retries", 0)
    if name.split("/")[0] == "mockllm":
        arguments.setdefault("custom_outputs", _say_nothing)
    return name, arguments


def _weights_provider() -> str:
    """The name of what runs weights, known to inspect_ai when this returns."""
    try:
        import accelerate  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "transformers", "local") from None
    from mira.evals.inspect_runner.local_model import PROVIDER

    return PROVIDER


def _say_nothing(*_: object) -> ModelOutput:
    """A reply with its usage, without which the mock would fetch a tokenizer from afar."""
    output = ModelOutput.from_content("mockllm/model", "I am a mock.")
    output.usage = ModelUsage()
    return output
