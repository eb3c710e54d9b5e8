"""Faults of the SDK in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from capture.sources.frames import CameraFaultError


@contextmanager
def sdk_faults(where: str) -> Iterator[None]:
    """Turn faults of the SDK, all of which are `RuntimeError`, into one line.

    Args:
        where: The camera or recording, named in the error.

    Raises:
        CameraFaultError: In place of any of them.
    """
    try:
        yield
    except RuntimeError as error:
        raise CameraFaultError(where, f"failed: {error}") from error
