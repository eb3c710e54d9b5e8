"""Files of older versions read, files of newer ones and unknown fields are refused in one line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import ClassVar

import pytest
from pydantic import ValidationError

from mira.errors import RecordError
from mira.schema.record import Json, Provenance, RootRecord, UpgradeStep


def rename_title(data: Json) -> Json:
    data["name"] = data.pop("title")
    return data


def split_size(data: Json) -> Json:
    data["width"], data["height"] = data.pop("size")
    return data


class Painting(RootRecord):
    """Version 1 had a title and a size, version 2 a name, version 3 a width and a height."""

    CURRENT_VERSION: ClassVar[int] = 3
    UPGRADES: ClassVar[Mapping[int, UpgradeStep]] = {1: rename_title, 2: split_size}

    name: str
    width: int
    height: int


MIRROR = Painting(schema_version=3, name="Las Meninas", width=276, height=318)


def test_oldest_file_reads_through_all_steps() -> None:
    text = '{"schema_version": 1, "title": "Las Meninas", "size": [276, 318]}'
    assert Painting.from_json(text, where="a.json") == MIRROR


def test_file_between_reads_through_the_last_step() -> None:
    text = '{"schema_version": 2, "name": "Las Meninas", "size": [276, 318]}'
    assert Painting.from_json(text, where="a.json") == MIRROR


def test_new_record_carries_the_current_version() -> None:
    assert Painting(name="x", width=1, height=1).schema_version == 3


def test_upgrade_leaves_the_caller_s_data_alone() -> None:
    data = {"schema_version": 1, "title": "x", "size": [1, 2]}
    Painting.model_validate(data)
    assert data == {"schema_version": 1, "title": "x", "size": [1, 2]}


@pytest.mark.parametrize("version", ["4", "0", "-1", '"3"', "null", "2.0"])
def test_other_versions_are_refused_in_one_line(version: str) -> None:
    text = f'{{"schema_version": {version}, "name": "x", "width": 1, "height": 1}}'
    with pytest.raises(RecordError, match="this program reads 1 to 3, found") as caught:
        Painting.from_json(text, where="a.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("a.json: ")


def test_unknown_field_is_refused_by_name() -> None:
    text = '{"name": "x", "width": 1, "height": 1, "frame": "gold"}'
    with pytest.raises(RecordError, match=r"^a\.json: frame: is no field of this$"):
        Painting.from_json(text, where="a.json")


def test_several_faults_are_counted() -> None:
    with pytest.raises(RecordError, match=r"name: Field required \(and 2 more\)"):
        Painting.from_json("{}", where="a.json")


@pytest.mark.parametrize("text", ["", "{", "nonsense", '{"name": NaN}', b"\xff\xfe{"])
def test_text_that_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(RecordError, match=r"^a\.json: expected one JSON document"):
        Painting.from_json(text, where="a.json")


@pytest.mark.parametrize("text", ["[]", "3", "null", '"x"'])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match=r"^a\.json: "):
        Painting.from_json(text, where="a.json")


def test_records_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        MIRROR.name = "x"  # type: ignore[misc]


def test_equal_records_give_equal_bytes() -> None:
    again = Painting.from_json(MIRROR.to_json(), where="a.json")
    assert again.to_json() == MIRROR.to_json()
    assert MIRROR.to_json().endswith(b"}\n")
    assert MIRROR.to_json(indent=False).count(b"\n") == 1


def test_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        Provenance(tool="t", tool_version="1", created_at=datetime(2026, 1, 2))


def test_a_moment_of_any_zone_is_kept_in_utc() -> None:
    zone = timezone(timedelta(hours=10))
    made = Provenance(tool="t", tool_version="1", created_at=datetime(2026, 1, 2, 3, tzinfo=zone))
    assert b'"2026-01-01T17:00:00Z"' in made.model_dump_json().encode()
