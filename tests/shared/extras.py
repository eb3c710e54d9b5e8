"""What of the extras is installed, asked without importing it."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def skip_without(package: str, *, extra: str) -> None:
    """Skip a file whose tests need a package; who only collects them does not wait for it."""
    if find_spec(package) is None:
        pytest.skip(f"needs the extra `{extra}`", allow_module_level=True)
