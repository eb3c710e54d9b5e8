"""Names that would harm a folder are refused before any path is made of them."""

from __future__ import annotations

import pytest

from mira.errors import SessionError, WorkspaceError
from mira.store.names import require_name


@pytest.mark.parametrize("name", ["a", "kitchen_01", "IMG-2.left", "9", "Küche", "a" * 120])
def test_plain_names_are_names(name: str) -> None:
    assert require_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".hidden", "-x", "_x", "a/b", "a\\b", "a b", "a\n", "a\0", "a."]
)
def test_names_that_could_leave_the_folder_are_refused(name: str) -> None:
    with pytest.raises(WorkspaceError, match="expected letters"):
        require_name(name)


@pytest.mark.parametrize("name", ["a" * 201, "字" * 100, "con", "NUL.txt"])
def test_names_that_some_system_cannot_keep_are_refused(name: str) -> None:
    with pytest.raises(WorkspaceError, match="too long, or a name"):
        require_name(name)


def test_the_error_is_of_the_kind_of_folder_that_the_name_is_for() -> None:
    with pytest.raises(SessionError, match="expected letters"):
        require_name("..", error=SessionError)
