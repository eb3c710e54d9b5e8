"""The JSON object in a small settings file beside pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from annotate.findings import brief
from mira.errors import SceneSourceError


def read_object(path: Path) -> dict[str, Any]:
    """The object in a UTF-8 file, with or without a byte order mark.

    Raises:
        SceneSourceError: It cannot be read, or is no JSON object.
    """
    try:
        data = orjson.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except OSError as error:
        raise SceneSourceError(path, f"cannot be read: {error.strerror}") from None
    except orjson.JSONDecodeError as fault:
        raise SceneSourceError(path, f"expected JSON, found a fault: {fault}") from None
    if not isinstance(data, dict):
        raise SceneSourceError(path, f"expected an object, found {brief(data)}")
    return data
