"""Weights from a folder or the Hub into memory, with what is to be said of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
import transformers

from mira.errors import MiraError
from mira.evals.inspect_runner.weights import WeightsSettings, weights_digest, weights_folder

_CPU_IS_FULL = "can't allocate memory"


class Loaded(NamedTuple):
    """Weights in memory.

    Attributes:
        model: Of transformers; ready to be asked.
        processor: Makes of chats what it takes.
        facts: Which weights they are, on which device, in which kind of numbers.
    """

    model: Any
    processor: Any
    facts: dict[str, str]


def load_weights(name: str, settings: WeightsSettings) -> Loaded:
    """Weights that take pictures and chat.

    Args:
        name: A folder, of which nothing is looked up elsewhere, or a name on the Hub.
        settings: How they are loaded.

    Raises:
        MiraError: There are none, they are of another kind, or memory does not hold them.
        Exception: Of transformers, where it cannot read them.
    """
    if not sys.stderr.isatty():
        transformers.logging.disable_progress_bar()
    folder = weights_folder(name)
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
    processor = _processor(name, source)
    model = _model(name, source, settings, kind)
    facts = {
        "weights": f"{name}@{source['revision']}" if folder is None else weights_digest(folder),
        "device": str(model.device),
        "dtype": str(model.dtype).removeprefix("torch."),
    }
    return Loaded(model, processor, facts)


@contextmanager
def memory_faults(name: str, what: str = "the weights") -> Iterator[None]:
    """Says in a line what memory does not hold, and makes room for what comes next.

    Args:
        name: The weights.
        what: What is to be held.

    Raises:
        MiraError: Memory of the card or of the machine is full.
    """
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
        with memory_faults(name):
            found = auto_class.from_pretrained(**source, **how, **settings.load).eval()
    except ValueError as error:
        # Its text lists every model there is.
        if "Unrecognized configuration class" not in str(error):
            raise
        problem = f"expected a model that takes pictures and text, found one of kind {kind}"
        raise MiraError(name, problem) from None
    if found.config.is_encoder_decoder:
        raise MiraError(name, f"expected a model that chats, found one of kind {kind}")
    return found


def _best_device() -> str:
    if torch.cuda.is_available():
        return "cuda:0"
    return "mps" if torch.backends.mps.is_available() else "cpu"
