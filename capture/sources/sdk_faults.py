"""Faults of the SDK in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from capture.sources.frames import CameraFaultError
from mira.schema.record import describe_fault


@contextmanager
def sdk_faults(where: str) -> Iterator[None]:
    """Turn faults of the SDK, and numbers of its that cannot be, into one line.

    Args:
        where: The camera or recording, named in the error.

    Raises:
        CameraFaultError: In place of any of them.
    """
    try:
        yield
    except RuntimeError as error:
        raise CameraFaultError(where, f"failed: {error}") from error
    except ValidationError as error:
        problem = f"sent what cannot be: {describe_fault(error)}"
        raise CameraFaultError(where, problem) from error
