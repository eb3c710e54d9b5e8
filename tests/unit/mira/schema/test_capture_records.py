"""Frames, times and outcomes of a capture that contradict themselves are refused by field."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from mira.schema.capture import FrameTiming, RigidTransform, ViewFrame, ViewQuality
from mira.schema.evaluation import Score
from mira.schema.qa import ItemEdit
from mira.schema.session import JournalEntry

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def transform(rotation: tuple[Any, ...]) -> RigidTransform:
    return RigidTransform(
        target="color", source="depth", rotation=rotation, translation_m=(0.0, 0.0, 0.0)
    )


def timing(**changes: Any) -> FrameTiming:
    fields = {
        "color_frame": 3,
        "depth_frame": 4,
        "color_ms": 100.0,
        "depth_ms": 116.5,
        "color_domain": "system_time",
        "depth_domain": "system_time",
        "dt_ms": 16.5,
    }
    return FrameTiming(**fields | changes)


def test_quarter_turn_is_a_rotation() -> None:
    turn = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert transform(turn).rotation == turn


def test_rotation_as_32_bit_floats_hold_it_is_accepted() -> None:
    c, s = round(math.cos(0.01), 7), round(math.sin(0.01), 7)
    turn = ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))
    assert transform(turn).rotation == turn


@pytest.mark.parametrize(
    ("rotation", "found"),
    [
        ((AXES[0], AXES[1], (0.0, 0.0, -1.0)), "determinant 1, found -1"),
        ((AXES[1], AXES[0], AXES[2]), "determinant 1, found -1"),
        ((AXES[0], AXES[1], (0.0, 0.0, 1.01)), "found 1.0201 for row 2 times row 2"),
        ((AXES[0], AXES[0], AXES[2]), "found 1 for row 0 times row 1"),
        (((0.0, 0.0, 0.0), AXES[1], AXES[2]), "found 0 for row 0 times row 0"),
        (((1e200, 0.0, 0.0), AXES[1], AXES[2]), "found inf for row 0 times row 0"),
    ],
)
def test_matrix_that_is_no_rotation_is_refused(rotation: tuple[Any, ...], found: str) -> None:
    with pytest.raises(ValidationError, match=rf"rotation: expected .*{found}"):
        transform(rotation)


def test_matrix_of_two_rows_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"rotation\.2\n.*Field required"):
        transform(AXES[:2])


def test_time_between_frames_is_that_of_their_timestamps() -> None:
    assert timing().dt_ms == 16.5
    assert timing(color_ms=133.0).dt_ms == 16.5
    with pytest.raises(ValidationError, match=r"dt_ms: expected 16.5 by the timestamps, found 2"):
        timing(dt_ms=2.0)


def test_frames_of_two_clocks_have_no_time_between_them() -> None:
    assert timing(depth_domain="hardware_clock", dt_ms=None).dt_ms is None
    with pytest.raises(ValidationError, match="dt_ms: expected a number exactly if"):
        timing(depth_domain="hardware_clock")
    with pytest.raises(ValidationError, match="dt_ms: expected a number exactly if"):
        timing(dt_ms=None)


def test_share_above_one_is_refused() -> None:
    with pytest.raises(ValidationError, match="valid_depth_fraction"):
        ViewQuality(sharpness=1, dark_fraction=0, bright_fraction=0, valid_depth_fraction=1.5)


@pytest.mark.parametrize(("event", "reason"), [("failed", None), ("committed", "no frames")])
def test_journal_gives_a_reason_for_failures_alone(event: Any, reason: str | None) -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    with pytest.raises(ValidationError, match="reason: expected for a failed view and no other"):
        JournalEntry(at=at, event=event, scene_id="hall", view_id="v0", reason=reason)


@pytest.mark.parametrize("fields", [{}, {"value": 0.0, "unscored_reason": "call failed"}])
def test_score_is_a_value_or_a_reason(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="unscored_reason: expected it or a value"):
        Score(**fields)


def test_edit_that_changes_nothing_is_refused() -> None:
    with pytest.raises(ValidationError, match="expected it, options or an answer"):
        ItemEdit()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"depth_kind": "metric"}, "depth_unit_m: expected for metric depth and no other"),
        ({"depth_unit_m": 0.001}, "depth_unit_m: expected for metric depth and no other"),
        ({"depth_kind": "normalised", "depth_unit_m": 0.001}, "found 0.001 for 'normalised'"),
        (
            {"depth_kind": "metric", "depth_unit_m": 0.001, "depth_scope": "image"},
            "depth_scope: expected for normalised depth alone",
        ),
        ({"depth_scope": "sequence"}, "depth_scope"),
    ],
)
def test_a_frame_says_one_thing_of_its_depth(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        ViewFrame(**fields)
    ViewFrame(depth_kind="normalised", depth_scope="image")
    ViewFrame()
