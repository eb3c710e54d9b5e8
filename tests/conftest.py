"""What all tests share: golden files and the command `--update-golden` that rewrites them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
CheckGolden = Callable[[str, str | bytes], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Rewrite golden files with what the tests produce now; look at the diff.",
    )


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> CheckGolden:
    """Compares content with a file of tests/golden, or rewrites the file under --update-golden."""

    def check(name: str, content: str | bytes) -> None:
        path = GOLDEN / name
        data = content.encode() if isinstance(content, str) else content
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            return
        assert path.is_file(), f"no golden file {name}; make it with --update-golden"
        assert data.decode() == path.read_text("utf-8"), f"differs from tests/golden/{name}"

    return check
