from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capture.recording.raw_file import count_frames
from capture.sources.frames import CameraState
from capture.sources.recording_file import RecordingFile, recording_format
from mira.errors import CaptureError
from mira.schema.capture import Calibration

Simulated = Callable[..., Any]
MakeFrames = Callable[..., Any]


def _drain(source: Any, *, timeout_s: float = 0.2) -> list[Any]:
    pairs = []
    while True:
        pair = source.next_pair(timeout_s)
        if pair is not None:
            pairs.append(pair)
        elif source.ended:
            return pairs


def _numbers(pairs: list[Any]) -> list[tuple[int, int]]:
    return [(p.timing.color_frame, p.timing.depth_frame) for p in pairs]


def test_a_simulated_camera_gives_its_frames_unchanged_and_loses_none(
    simulated: Simulated, frame: MakeFrames
) -> None:
    sent = [frame(k) for k in range(1, 21)]
    source = simulated(lambda: iter(sent))

    source.start()
    pairs = _drain(source)
    source.stop()

    assert _numbers(pairs) == [(k, k) for k in range(1, 21)]
    for pair, given in zip(pairs, sent, strict=True):
        np.testing.assert_array_equal(pair.color, given.color)
        np.testing.assert_array_equal(pair.depth, given.depth)
        assert (pair.timing.color_ms, pair.timing.depth_ms) == (given.color_ms, given.depth_ms)
        assert pair.exposure == 100


def test_its_calibration_comes_back_as_32_bit_floats(
    simulated: Simulated, calibration: Calibration
) -> None:
    source = simulated()

    found = source.start().calibration
    source.stop()

    def floats(record: Any) -> np.ndarray:
        values = record.model_dump()
        numbers = [
            *(values["color"][key] for key in ("fx_px", "fy_px", "cx_px", "cy_px")),
            *(values["depth"][key] for key in ("fx_px", "fy_px", "cx_px", "cy_px")),
            *np.ravel(values["depth_to_color"]["rotation"]),
            *values["depth_to_color"]["translation_m"],
        ]
        return np.array(numbers, np.float32)

    np.testing.assert_array_equal(floats(found), floats(calibration))
    assert found.color.distortion_model == "inverse_brown_conrady"


def test_frames_are_held_after_the_sdk_took_its_buffers_back(
    simulated: Simulated, frame: MakeFrames
) -> None:
    source = simulated(lambda: (frame(k) for k in range(1, 41)))
    source.start()

    pairs = _drain(source)
    source.stop()

    np.testing.assert_array_equal(pairs[0].color, frame(1).color)
    assert len(pairs) == 40


def test_a_dropped_colour_frame_comes_as_an_old_one_with_new_depth(
    simulated: Simulated, frame: MakeFrames
) -> None:
    frames = [frame(1), replace(frame(2), color=None), frame(3)]
    source = simulated(lambda: iter(frames))
    source.start()

    pairs = _drain(source)
    source.stop()

    assert (1, 1) in _numbers(pairs)
    assert (3, 3) in _numbers(pairs)
    assert all(color != 2 for color, _ in _numbers(pairs))


def test_options_are_set_and_read_through_the_sdk(simulated: Simulated) -> None:
    source = simulated()
    source.start()

    source.control.set_option("depth.emitter_enabled", 0.0)
    options = source.control.options()
    with pytest.raises(CaptureError, match="expected 0 to 2, found 9"):
        source.control.set_option("depth.emitter_enabled", 9.0)
    with pytest.raises(CaptureError, match=r"depth.no_such: expected an option.*emitter_enabled"):
        source.control.set_option("depth.no_such", 1.0)
    with pytest.raises(CaptureError, match="expected one of .*high_accuracy.*, found 'best'"):
        source.control.apply_preset("best")
    with pytest.raises(CaptureError, match="x.json: cannot be loaded into the camera"):
        source.control.apply_advanced("{}", where=Path("x.json"))
    source.stop()

    assert options["depth.emitter_enabled"] == 0.0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"color": np.zeros((10, 10, 3), np.uint8)}, "color: expected uint8 (64, 96, 3)"),
        ({"depth": np.zeros((48, 64), np.float32)}, "depth: expected uint16 (48, 64)"),
    ],
)
def test_pixels_of_another_form_are_refused_not_sent(
    simulated: Simulated, frame: MakeFrames, change: dict[str, Any], expected: str
) -> None:
    source = simulated(lambda: iter([replace(frame(1), **change)]))
    source.start()

    with pytest.raises(CaptureError) as caught:
        source.next_pair(0.1)
    source.stop()

    assert expected in str(caught.value)


def test_a_camera_can_be_started_again_after_a_stop(simulated: Simulated) -> None:
    source = simulated()
    for _ in range(2):
        source.start()
        with pytest.raises(CaptureError, match="runs already"):
            source.start()
        assert source.next_pair(0.5).timing.color_frame == 1
        source.stop()
    source.stop()

    with pytest.raises(CaptureError, match="does not run"):
        source.next_pair(0.1)


def test_a_paced_camera_sends_whether_or_not_anybody_asks(
    simulated: Simulated, frame: MakeFrames
) -> None:
    source = simulated(lambda: (frame(k) for k in range(1, 6)), paced=True)
    source.start()

    pairs = _drain(source)
    source.stop()

    assert {k for k, _ in _numbers(pairs)} == {1, 2, 3, 4, 5}


def test_a_recording_gives_the_same_frames_bit_for_bit(
    simulated: Simulated, frame: MakeFrames, tmp_path: Path
) -> None:
    path = tmp_path / "made.db3"
    source = simulated(lambda: (frame(k) for k in range(1, 31)))
    state = source.start(record_to=path)
    source.set_recording(on=True)
    sent = _drain(source)
    source.stop()

    recording = RecordingFile(path)
    state_again = recording.start()
    options = recording.control.options()
    found = {(p.timing.color_frame, p.timing.depth_frame): p for p in _drain(recording)}
    recording.stop()

    assert recording_format(path) == "db3"
    assert min(count_frames(path)) == 30
    _assert_same_state(state_again, state)
    assert options["depth.depth_units"] == pytest.approx(0.001)
    for pair in sent:
        again = found[pair.timing.color_frame, pair.timing.depth_frame]
        np.testing.assert_array_equal(again.color, pair.color)
        np.testing.assert_array_equal(again.depth, pair.depth)
        assert again.timing == pair.timing
        assert again.depth_unit_m == pair.depth_unit_m == 0.001


def _assert_same_state(found: CameraState, expected: CameraState) -> None:
    """Equal, but for how the cameras stand: the SDK's files hold that as a quaternion, inverted."""
    again, first = found.calibration.depth_to_color, expected.calibration.depth_to_color
    assert again is not None
    assert first is not None
    np.testing.assert_allclose(again.rotation, first.rotation, atol=5e-7)
    np.testing.assert_allclose(again.translation_m, first.translation_m, atol=5e-7)
    calibration = found.calibration.model_copy(update={"depth_to_color": first})
    assert replace(found, calibration=calibration) == expected


def test_nothing_is_recorded_before_it_is_switched_on(simulated: Simulated, tmp_path: Path) -> None:
    path = tmp_path / "made.db3"
    source = simulated()
    source.start(record_to=path)
    for _ in range(5):
        source.next_pair(0.5)
    source.set_recording(on=True)
    for _ in range(4):
        source.next_pair(0.5)
    source.stop()

    assert 3 <= min(count_frames(path)) <= max(count_frames(path)) <= 5
