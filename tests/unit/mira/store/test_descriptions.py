"""Descriptions of instances that people give."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mira.errors import RecordError
from mira.schema.description import InstanceDescription
from mira.store.descriptions import DescriptionShelf
from mira.store.workspace import Workspace


@pytest.fixture
def shelf(tmp_path: Path) -> DescriptionShelf:
    return DescriptionShelf(Workspace.create(tmp_path / "w"))


def _said(text: str, *, by: str = "anna", minute: int = 0, instance_id: int = 1):
    return InstanceDescription(
        image_id="picture",
        instance_id=instance_id,
        text=text,
        by=by,
        at=datetime(2026, 5, 1, 10, minute, tzinfo=UTC),
    )


def test_the_newest_of_all_people_counts(shelf) -> None:
    shelf.add("anna", [_said("cup", minute=1), _said("vase", minute=1, instance_id=2)])
    shelf.add("ben", [_said("red cup", by="ben", minute=2)])
    assert shelf.of_image("picture") == {1: "red cup", 2: "vase"}
    shelf.add("anna", [_said("white cup", minute=3)])
    assert shelf.by_image() == {"picture": {1: "white cup", 2: "vase"}}
    assert shelf.of_image("elsewhere") == {}


def test_an_empty_description_takes_back_what_was_said(shelf) -> None:
    shelf.add("ben", [_said("cup", by="ben")])
    shelf.add("anna", [_said(" ", minute=1)])
    assert shelf.of_image("picture") == {}


def test_of_one_person_the_last_counts_whatever_their_clock_says(shelf) -> None:
    shelf.add("anna", [_said("cup", minute=9), _said("mug", minute=1)])
    assert shelf.of_image("picture") == {1: "mug"}


def test_the_stamp_changes_with_every_word(shelf) -> None:
    stamps = [shelf.stamp()]
    for text in ("cup", "cup"):
        shelf.add("anna", [_said(text)])
        stamps.append(shelf.stamp())
    assert len(set(stamps)) == 3
    assert shelf.stamp() == stamps[-1]


def test_a_description_is_one_line_of_text(shelf) -> None:
    assert _said("  a cup\n\twith\u2028a rim ").text == "a cup with a rim"
    assert len(_said("x" * 200).text) == 200


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("x" * 201, "expected 200 characters at most, found 201"),
        ("cup\x00", "found U\\+0000"),
        ("cup\x1b[31m", "found U\\+001B"),
        ("\u202epuc", "found U\\+202E"),
        ("\ud800", "found U\\+D800"),
    ],
)
def test_what_nobody_can_read_is_refused(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        _said(text)


def test_a_damaged_line_is_named(shelf, tmp_path) -> None:
    shelf.add("anna", [_said("cup")])
    path = tmp_path / "w" / "descriptions" / "anna.jsonl"
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(RecordError, match="anna.jsonl:2"):
        shelf.by_image()
