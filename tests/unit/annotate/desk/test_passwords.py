"""What a password is kept as; other tests keep theirs at a lower cost."""

from __future__ import annotations

from importlib.util import find_spec, module_from_spec
from types import ModuleType

import pytest

from annotate.desk import passwords


@pytest.fixture
def packaged() -> ModuleType:
    """The module as it is for people, with its own cost."""
    spec = find_spec(passwords.__name__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_guess_costs_16_mb_and_what_time_that_takes(packaged) -> None:
    kept = packaged.hash_password("long enough")
    assert kept.startswith("scrypt$16384$8$1$")
    assert packaged.nobody().startswith("scrypt$16384$8$1$")


def test_a_password_opens_at_the_cost_that_it_was_kept_at(packaged) -> None:
    for kept in (packaged.hash_password("long enough"), passwords.hash_password("long enough")):
        for module in (packaged, passwords):
            assert module.is_password("long enough", kept)
            assert not module.is_password("long enough ", kept)


def test_the_same_password_is_kept_otherwise_each_time() -> None:
    assert len({passwords.hash_password("long enough") for _ in range(8)}) == 8
