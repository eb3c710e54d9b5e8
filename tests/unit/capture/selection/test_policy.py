"""A policy file changes what it names, and says in one line what is wrong with it."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from capture.selection.policy import Ceiling, Floor, SelectionPolicy
from capture.selection.policy_rows import policy_rows
from mira.errors import RecordError
from mira.store.policy_files import read_policy

YAML = """
surface:
  share_floor: {look_below: 0.1}
reflections:
  across_scenes: 4
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("policies")


def test_what_a_file_names_is_changed_and_the_rest_is_not(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(YAML)
    default, policy = SelectionPolicy(), read_policy(path, SelectionPolicy())
    drop_below = default.surface.share_floor.drop_below
    assert policy.surface.share_floor == Floor(look_below=0.1, drop_below=drop_below)
    assert policy.reflections.across_scenes == 4
    assert policy.surface.share_ceiling == default.surface.share_ceiling
    assert policy.quality == default.quality


def test_a_policy_reads_back_from_either_form(folder: Path) -> None:
    policy = SelectionPolicy()
    (folder / "whole.json").write_text(policy.model_dump_json())
    (folder / "whole.yml").write_text(yaml.safe_dump(policy.model_dump(mode="json")))
    (folder / "empty.yaml").write_text("# all as it is\n")
    for name in ("whole.json", "whole.yml", "empty.yaml"):
        assert read_policy(folder / name, SelectionPolicy()) == policy


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("surfaces: {}", "surfaces: is no field of this"),
        ("surface: {share_floor: {look_below: much}}", r"surface\.share_floor\.look_below: Input"),
        ("surface: {share_floor: {look_below: -1}}", r"surface\.share_floor\.look_below: Input"),
        ("quality: {dark_ceiling: {look_above: .nan}}", r"quality\.dark_ceiling\.look_above"),
        (
            "surface: {share_floor: {look_below: 0.1, drop_below: 0.2}}",
            "drop_below: expected at most look_below, found 0.2 and 0.1",
        ),
        (
            "surface: {rim_ceiling: {look_above: 0.5, drop_above: 0.2}}",
            "drop_above: expected at least look_above, found 0.2 and 0.5",
        ),
        ("surface: [", "expected YAML"),
        ("[1, 2]", "expected fields with their values, found list"),
        ("when: 2020-99-99", "expected YAML"),
        ("[" * 5000, "expected YAML"),
    ],
)
def test_a_fault_names_file_and_field(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(RecordError, match=message) as caught:
        read_policy(path, SelectionPolicy())
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_files_that_are_no_policy_are_refused(tmp_path: Path) -> None:
    (tmp_path / "cut.json").write_text('{"surface": ')
    (tmp_path / "long.yaml").write_bytes(b"#" * 1_000_001)
    for name, message in (
        ("cut.json", "expected JSON"),
        ("long.yaml", "expected at most 1,000,000 bytes"),
        ("absent.yaml", "cannot be read"),
    ):
        with pytest.raises(RecordError, match=message):
            read_policy(tmp_path / name, SelectionPolicy())


@settings(deadline=None)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["surface", "quality", "share_floor", "look_below", "x"]),
                    inner,
                    max_size=3,
                )
            ),
        ).map(lambda value: json.dumps(value).encode()),
    ),
    st.sampled_from(["json", "yaml"]),
)
def test_any_bytes_are_a_policy_or_refused(folder: Path, data: bytes, ending: str) -> None:
    path = folder / f"any.{ending}"
    path.write_bytes(data)
    with suppress(RecordError):
        assert isinstance(read_policy(path, SelectionPolicy()), SelectionPolicy)


def test_rows_tell_every_setting_and_what_it_means() -> None:
    rows = policy_rows(SelectionPolicy())
    assert len({row.field for row in rows}) == len(rows) > 20
    assert all(row.meaning.endswith(".") for row in rows)
    told = {row.field: row.value for row in rows}
    assert told["surface.share_floor"] == "look below 0.02, drop below 0.005"
    assert told["surface.share_ceiling"] == "look above 0.65, drop above 0.85"


def test_bounds_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Ceiling(look_above=1, drop_above=2).look_above = 3  # type: ignore[misc]
