"""From what was heard to runs, as scores and reports read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mira.errors import PredictionError
from mira.evals.inspect_runner.journal import Heard
from mira.evals.inspect_runner.options import (
    WEIGHTS_PROVIDER,
    ModelOptions,
    Price,
)
from mira.evals.inspect_runner.questionnaire import Facts, Questionnaire
from mira.evals.inspect_runner.recording import usage_of
from mira.evals.inspect_runner.weights import weights_folder
from mira.evals.mira_bench.runs import MANIFEST_NAME, read_manifest, update_run
from mira.schema.evaluation import PredictionStatus, RunManifest
from mira.store.version import tool_version

_PACKAGES = ("inspect-ai", "openai", "anthropic", "google-genai")
"""What takes part in a call, where it is installed."""
_LOCAL_PACKAGES = ("torch", "torchvision", "transformers")
"""What runs weights here."""
_MAY_DIFFER = {"usage", "versions", "code_version", "schema_version", "release"}
"""What a run that goes on need not have as it was."""


@dataclass(frozen=True)
class Tally:
    """How a folder of runs stands.

    Attributes:
        folders: The runs.
        asked: Questions in all.
        kinds: How many came to each class; questions that nobody was asked are in none.
        repair_calls: How many were asked for their answer once more.
        errors: Why some failed, with how many.
        spent: Whether a limit kept questions from being asked.
        input_tokens: Tokens that went in.
        output_tokens: Tokens that came out.
        cost_usd: What they cost; None without a price.
        log: inspect_ai's log of the last round; None where nothing was left to ask.
    """

    folders: tuple[Path, ...]
    asked: int
    kinds: dict[PredictionStatus, int]
    repair_calls: int
    errors: dict[str, int] = field(default_factory=dict)
    spent: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    log: Path | None = None

    @property
    def missing(self) -> int:
        """Questions that nobody was asked."""
        return self.asked - sum(self.kinds.values())

    @property
    def failed(self) -> int:
        """Questions to which the model was not heard."""
        return self.kinds.get("failed", 0)

    @property
    def complete(self) -> bool:
        """Whether every question was heard."""
        return not self.failed and not self.missing


def settings_of(options: ModelOptions, facts: Facts) -> dict[str, Any]:
    """What the manifest of a run says of its model: fields of `RunManifest`, by name.

    Args:
        options: Who is asked.
        facts: What is known of the model beside.
    """
    decoding = options.decoding
    parameters = {"detail": "high", **decoding.parameters, **options.model_args, **facts}
    return {
        "model": _model_name(options),
        "decoding": decoding.model_copy(update={"parameters": parameters}),
        "code_version": tool_version(),
        "versions": _versions(options),
    }


def require_same_manifest(folder: Path, now: RunManifest) -> None:
    """Raise where a run that is to go on was asked otherwise.

    Raises:
        PredictionError: A setting differs.
        RecordError: A manifest cannot be read.
    """
    if not (folder / MANIFEST_NAME).is_file():
        return
    found = read_manifest(folder)
    assert found is not None
    before = found.model_dump(exclude=_MAY_DIFFER)
    for name, value in now.model_dump(exclude=_MAY_DIFFER).items():
        if before[name] != value:
            problem = f"{name}: expected {before[name]} as before, found {value}"
            raise PredictionError(folder, problem, "choose a new folder")


def write_run(
    folder: Path, manifest: RunManifest, heard: Sequence[Heard], *, price: Price | None
) -> None:
    """Write a run with what was heard so far."""
    usage = usage_of(heard, price)
    predictions = [one.prediction for one in heard]
    update_run(folder, manifest.model_copy(update={"usage": usage}), predictions)


def tally_of(
    asked: Questionnaire,
    options: ModelOptions,
    heard: Mapping[str, Heard],
    *,
    spent: bool,
    log: Path | None,
) -> Tally:
    """Count what was heard.

    Args:
        asked: What was to be asked.
        options: Of whom.
        heard: What became of the questions.
        spent: Whether a limit kept questions from being asked.
        log: inspect_ai's log of the last round.
    """
    mine = [heard[key] for key in asked.asked if key in heard]
    usage = usage_of(mine, options.price)
    return Tally(
        folders=asked.folders,
        asked=len(asked.asked),
        kinds=dict(Counter(one.prediction.status for one in mine)),
        repair_calls=sum(one.prediction.repair_text is not None for one in mine),
        errors=dict(Counter(one.error for one in mine if one.error).most_common()),
        spent=spent,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost_usd=usage.cost_usd,
        log=log,
    )


def _model_name(options: ModelOptions) -> str:
    """What a run calls the model: a folder by its name, for it may move; a digest says which."""
    folder = None if options.weights is None else weights_folder(options.weights)
    return options.model if folder is None else f"{WEIGHTS_PROVIDER}/{folder.resolve().name}"


def _versions(options: ModelOptions) -> dict[str, str]:
    found = {}
    for package in _PACKAGES if options.weights is None else (*_PACKAGES, *_LOCAL_PACKAGES):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
