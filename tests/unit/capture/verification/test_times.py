"""Frames that do not belong together, or are saved twice, are found."""

from __future__ import annotations

import orjson
import pytest


@pytest.mark.parametrize("name", ["frame.json", "frame_emitter_off.json"])
def test_frames_more_than_half_a_period_apart_are_a_fault(damage, codes, name, timing_of) -> None:
    for dt_ms, expected in ((16.6, {}), (16.8, {f"v1/{name}": {"frames-apart"}})):
        timing = timing_of(5, dt_ms=dt_ms).model_dump()
        damage.record(name, lambda content, timing=timing: content.update(timing=timing))
        assert codes() == expected


def test_the_slower_stream_decides_how_long_half_a_period_is(damage, codes, timing_of) -> None:
    timing = timing_of(5, dt_ms=30).model_dump()
    damage.record("frame.json", lambda content: content.update(timing=timing))
    assert codes() == {"v1/frame.json": {"frames-apart"}}
    damage.record("settings.json", lambda content: content["actual"]["streams"][0].update(fps=15))
    assert codes() == {}


def test_without_settings_nobody_knows_how_far_apart_frames_may_be(
    damage, codes, timing_of
) -> None:
    timing = timing_of(5, dt_ms=300).model_dump()
    damage.record("frame.json", lambda content: content.update(timing=timing))
    damage.remove("settings.json")
    assert codes() == {}


def test_a_session_that_was_recorded_by_another_threshold_is_held_to_it(
    damage, session, codes, timing_of
) -> None:
    timing = timing_of(5, dt_ms=30).model_dump()
    damage.record("frame.json", lambda content: content.update(timing=timing))
    assert codes() == {"v1/frame.json": {"frames-apart"}}
    path = session.root / "capture.json"
    content = orjson.loads(path.read_bytes())
    for recorded_by, expected in (
        ({"max_dt_ms": 40}, set()),
        ({"max_dt_periods": 2}, set()),
        ({"max_dt_ms": 20}, {"v1/frame.json"}),
        ({"of": "another tool"}, {"v1/frame.json"}),
        (7, {"v1/frame.json"}),
    ):
        content["provenance"]["parameters"] = {"policy": recorded_by}
        path.write_bytes(orjson.dumps(content))
        assert set(codes()) == expected


def test_a_colour_frame_is_saved_once(session, view_files, report) -> None:
    session.commit_view("hall", "v3", view_files(0))
    found = report()
    assert [(fault.file, fault.code) for fault in found.faults] == [
        ("scenes/hall/views/v3/frame.json", "frame-repeated"),
        ("scenes/hall/views/v3/frame_emitter_off.json", "frame-repeated"),
    ]
    assert "in scenes/hall/views/v1/frame.json too" in found.faults[0].message
    assert found.faulty_views == 1


def test_one_number_at_another_time_or_of_another_camera_is_another_frame(
    damage, codes, timing_of
) -> None:
    damage.record("frame.json", lambda content: content.update(timing=timing_of(10).model_dump()))
    assert codes() == {}
    second = damage.folder.parent / "v2"
    damage.write("color.png", (second / "color.png").read_bytes())
    assert codes() == {"v2/frame.json": {"frame-repeated"}}
    damage.record("device.json", lambda content: content.update(serial_number="2"))
    assert codes() == {}
    damage.record("device.json", lambda content: content.update(serial_number="1"))
    later = timing_of(10, time_ms=9e9).model_dump()
    damage.record("frame.json", lambda content: content.update(timing=later))
    assert codes() == {}
