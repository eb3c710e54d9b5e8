"""Files in which people set thresholds: what they leave out keeps its default."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import orjson
import yaml
from pydantic import ValidationError

from mira.errors import RecordError
from mira.schema.record import Record, describe_fault

_MOST_BYTES = 1_000_000
P = TypeVar("P", bound=Record)


def read_policy(path: Path, defaults: P) -> P:
    """The thresholds that a file sets, and those of `defaults` where it is silent.

    Args:
        path: A policy of the same kind, or parts of one, in YAML or JSON.
        defaults: A whole policy.

    Raises:
        RecordError: The file cannot be read, or a field is unknown or of a wrong kind.
    """
    try:
        with path.open("rb") as stream:
            text = stream.read(_MOST_BYTES + 1)
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from None
    if len(text) > _MOST_BYTES:
        raise RecordError(path, f"expected at most {_MOST_BYTES:,} bytes, found more")
    try:
        given = _parsed(text, path)
        return type(defaults).model_validate(_over(defaults.model_dump(), given))
    except ValidationError as error:
        raise RecordError(path, describe_fault(error)) from None


def _over(defaults: dict[str, Any], given: Any) -> Any:
    """What is given, with defaults where it is silent."""
    if not isinstance(given, dict):
        return given
    merged = {**defaults, **given}
    for name, value in defaults.items():
        if isinstance(value, dict):
            merged[name] = _over(value, merged[name])
    return merged


def _parsed(text: bytes, path: Path) -> Any:
    """What the file says; nothing where it is empty."""
    try:
        if path.suffix.lower() == ".json":
            return orjson.loads(text)
        found = yaml.safe_load(text)
        return {} if found is None else found
    except orjson.JSONDecodeError as error:
        raise RecordError(path, f"expected JSON: {error}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise RecordError(path, f"expected YAML: {error or type(error).__name__}") from None
