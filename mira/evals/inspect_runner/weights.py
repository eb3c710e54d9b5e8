"""Weights that are run on this machine: where they lie, which they are, how they are loaded."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from mira.errors import MiraError
from mira.evals.inspect_runner.options import ModelOptions
from mira.schema.record import Record
from mira.store.atomic import file_ref, os_faults
from mira.store.checksums import format_sums

_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_READ_SUFFIXES = {".bin", ".jinja", ".json", ".model", ".py", ".safetensors", ".txt"}
"""Files of a folder that loading may read; the state of a training is none of them."""


class WeightsSettings(Record):
    """How weights are loaded and run: what `--model-arg` gives."""

    device: str | None = None
    """`cuda:1`, `cpu`, or `auto` for all cards together; the first card by default, or the CPU."""
    dtype: str = "auto"
    """Type of the numbers, such as `bfloat16`; that of the files by default."""
    seed: int = 0
    """Of sampling; every reply begins with it, so that it depends on no other reply."""
    revision: str | None = None
    """Branch, tag or commit on the Hub."""
    trust_remote_code: bool = False
    """Whether programs that come with the weights are run."""
    load: dict[str, Any] = Field(default_factory=dict)
    """More for `from_pretrained` of the model, such as `attn_implementation`."""
    processor: dict[str, Any] = Field(default_factory=dict)
    """More for the processor at every question, such as `size`."""
    template: dict[str, Any] = Field(default_factory=dict)
    """More for the chat template, such as `enable_thinking`."""


def weights_settings(arguments: Mapping[str, Any]) -> WeightsSettings:
    """How weights are loaded and run.

    Raises:
        MiraError: A name is none of theirs, or has a value of another kind.
    """
    try:
        return WeightsSettings.model_validate(dict(arguments))
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            problem = f"expected one of {', '.join(WeightsSettings.model_fields)}, found {name}"
        else:
            problem = f"{name}: {first['msg']}, found {first['input']!r}"
        raise MiraError("--model-arg", problem) from None


def weights_folder(name: str) -> Path | None:
    """The folder that holds weights; None for a name on the Hugging Face Hub.

    Args:
        name: What stands behind `hf/`.

    Raises:
        MiraError: It can be neither, or the folder holds no model.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if _HUB_NAME.fullmatch(name):
            return None
        raise MiraError(folder, "expected a folder of weights, found none")
    if not (folder / "config.json").is_file():
        raise MiraError(folder, "expected weights as transformers saves them, found no config.json")
    return folder


def hub_note(options: ModelOptions) -> str | None:
    """What is to be said before weights come from elsewhere; None where they do not.

    Raises:
        MiraError: There are no such weights.
    """
    name = options.weights
    if name is None or weights_folder(name) is not None:
        return None
    return (
        f"{name} is no folder here, so it is taken from the Hugging Face Hub: what is not on this "
        "machine yet is downloaded"
    )


def weights_identity(options: ModelOptions) -> dict[str, str]:
    """The digest of a folder of weights as a setting; nothing where others know what they run."""
    folder = None if options.weights is None else weights_folder(options.weights)
    return {} if folder is None else {"weights": weights_digest(folder)}


def weights_digest(folder: Path) -> str:
    """One digest of all files of a folder that decide what a model says.

    That is the SHA-256 of what `sha256sum` prints for them in the order of their names.
    """
    with os_faults(folder):
        files = [path for path in folder.iterdir() if path.suffix in _READ_SUFFIXES]
        digests = {
            path.name: file_ref(path, relative_to=folder).sha256
            for path in files
            if path.is_file() and not path.name.startswith(".")
        }
    return f"sha256:{hashlib.sha256(format_sums(digests)).hexdigest()}"
