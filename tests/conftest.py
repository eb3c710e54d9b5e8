"""What all tests share: golden files, `--update-golden` that rewrites them, their order, cost."""

from __future__ import annotations

import gc
import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from annotate.desk import passwords

# How long an example takes says more of who else is at work on the machine than of the code.
# The same code is tried with the same examples, so that a run says something of its change;
# `--hypothesis-profile explore` looks for new ones, and many more.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("repeatable")

GOLDEN = Path(__file__).parent / "golden"
CheckGolden = Callable[[str, str | bytes], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Rewrite golden files with what the tests produce now; look at the diff.",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first, so that no process is left alone with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """What was imported stays to the end, so no collection of garbage looks through it again."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _cheap_passwords() -> Iterator[None]:
    """Passwords are kept at a cost that hundreds of people in tests can pay; each tells its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_COST", 2**4)
        yield


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


@pytest.fixture(scope="session")
def gl() -> None:
    """Skips where no picture can be drawn; mujoco is not imported before its GL is chosen."""
    if importlib.util.find_spec("mujoco") is None:
        pytest.skip("mujoco is not installed (the extra `sim`)")
    from mira.errors import SimulationError
    from mira.sim.engine import engine_info

    try:
        engine_info()
    except SimulationError as error:
        pytest.skip(f"no GL here: {error}")
