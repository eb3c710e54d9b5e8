"""A simulated camera, the recorder, the session, the recording and its replay: nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from capture.policy import CapturePolicy
from capture.recording.opening import open_session
from capture.recording.raw_file import count_frames
from capture.recording.recorder import Recorder
from capture.recording.watching import TakeAtOnce
from capture.replay import ReplayTarget, replay
from capture.sdk import load_sdk
from capture.sources.recording_file import RecordingFile
from capture.sources.simulated import SimulatedSource
from capture.sources.software_device import SimulatedCamera, SimulatedFrames
from mira.errors import MiraError
from mira.schema.capture import Calibration, CameraIntrinsics, RigidTransform, Scene
from mira.schema.capture_plan import CapturePlan
from mira.store.session import Session

BAG = Path(__file__).parents[3] / "shared" / "data" / "realsense" / "single_depth_color_640x480.bag"
DEPTH_SIZE = (848, 480)
# So many that no buffer holds them all; of another size a few tell as much.
BURSTS = [pytest.param((848, 480), 60, id="60-small"), pytest.param((1280, 720), 6, id="6-large")]
POLICY = CapturePolicy(warm_up_pairs=5, exposure_window_pairs=5, reserve_bytes=0)
PLAN = {"session_id": "trip", "burst_pairs": 1}


@pytest.fixture(autouse=True)
def _sdk() -> None:
    try:
        load_sdk()
    except MiraError as error:
        pytest.skip(str(error))


def _camera(size: tuple[int, int], focal_px: float, lens: tuple[float, ...]) -> CameraIntrinsics:
    return CameraIntrinsics(
        width_px=size[0],
        height_px=size[1],
        fx_px=focal_px,
        fy_px=focal_px * 1.0123,
        cx_px=size[0] / 2 + 1.3,
        cy_px=size[1] / 2 - 2.7,
        distortion_model="inverse_brown_conrady",
        distortion_coeffs=lens,
    )


def _calibration(color_size: tuple[int, int]) -> Calibration:
    # A real camera's turn between its sensors, of a degree or so.
    rotation = (
        (0.999863, 0.0103087, -0.012927),
        (-0.01031, 0.999947, -3.97579e-05),
        (0.0129259, 0.00017303, 0.999916),
    )
    return Calibration(
        color=_camera(color_size, color_size[0] * 0.71, (0.01, -0.02, 0.001, -0.0005, 0.003)),
        depth=_camera(DEPTH_SIZE, 421.7, (0.0, 0.0, 0.0, 0.0, 0.0)),
        depth_to_color=RigidTransform(
            target="color",
            source="depth",
            rotation=rotation,
            translation_m=(0.0143113, 0.000602306, 0.000610804),
        ),
    )


@cache
def _depth() -> NDArray[np.uint16]:
    """Noise over a ramp, with holes."""
    rng = np.random.default_rng(0)
    ramp = np.linspace(500, 60000, DEPTH_SIZE[0], dtype=np.uint16)
    depth = ramp + rng.integers(0, 300, DEPTH_SIZE[::-1], dtype=np.uint16)
    depth[rng.random(depth.shape) < 0.05] = 0
    return depth


@cache
def _color(size: tuple[int, int]) -> NDArray[np.uint8]:
    """Blocks and specks."""
    rng = np.random.default_rng(1)
    base = rng.integers(0, 256, (45, 80, 3), dtype=np.uint8)
    color = cv2.resize(base, size, interpolation=cv2.INTER_NEAREST)
    color[::7, ::5] = rng.integers(0, 256, color[::7, ::5].shape, dtype=np.uint8)
    return np.asarray(color, np.uint8)


def _frame(k: int, color_size: tuple[int, int]) -> SimulatedFrames:
    """The k-th frames: the same pictures moved on, so that no two are alike."""
    # Microseconds, as cameras tell them; the SDK's files keep no more.
    time_ms = round(1_700_000_000_000 / 1000 + k * 33.333, 3)
    return SimulatedFrames(
        color=np.roll(_color(color_size), 3 * k, axis=1),
        depth=np.roll(_depth(), k, axis=0),
        number=k,
        color_ms=time_ms,
        depth_ms=round(time_ms - 4.217, 3),
        metadata={"actual_exposure": 156},
    )


def _source(color_size: tuple[int, int]) -> SimulatedSource:
    def frames(_: Any) -> Iterator[SimulatedFrames]:
        return (_frame(k, color_size) for k in range(1, 100_000))

    return SimulatedSource(SimulatedCamera(_calibration(color_size), frames))


def _record(folder: Path, color_size: tuple[int, int], **plan: Any) -> Session:
    full = CapturePlan.model_validate(
        {**PLAN, "camera": {"color": color_size, "depth": DEPTH_SIZE, "options": {}}, **plan}
    )
    session = open_session(folder, "trip", source="simulated", policy=POLICY)
    Recorder(
        _source(color_size), session, full, policy=POLICY, watch=TakeAtOnce(), tell=pytest.fail
    ).run()
    return session


def _picture(path: Path) -> np.ndarray:
    pixels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    return pixels[..., ::-1] if pixels.ndim == 3 else pixels


def _floats(calibration: Calibration) -> np.ndarray:
    """All numbers of a calibration as the 32-bit floats that a camera keeps."""
    assert calibration.depth is not None
    assert calibration.depth_to_color is not None
    numbers: list[float] = []
    for lens in (calibration.color, calibration.depth):
        numbers += [lens.width_px, lens.height_px, lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px]
        numbers += lens.distortion_coeffs
    numbers += np.ravel(calibration.depth_to_color.rotation).tolist()
    numbers += calibration.depth_to_color.translation_m
    return np.array(numbers, np.float32)


def _assert_view_is_its_frame(session: Session, view_id: str, color_size: tuple[int, int]) -> int:
    folder = session.view_folder("room", view_id)
    told = session.read_frame("room", view_id)
    assert told.timing is not None
    sent = _frame(told.timing.color_frame, color_size)
    assert np.array_equal(_picture(folder / "color.png"), sent.color)
    assert np.array_equal(_picture(folder / "depth.png"), sent.depth)
    assert told.timing.depth_frame == sent.number
    assert (told.timing.color_ms, told.timing.depth_ms) == (sent.color_ms, sent.depth_ms)
    assert told.depth_unit_m == 0.001
    return told.timing.color_frame


@pytest.mark.slow
@pytest.mark.parametrize(("color_size", "pairs"), BURSTS)
def test_so_many_views_are_so_many_frames_bit_for_bit(
    tmp_path: Path, color_size: tuple[int, int], pairs: int
) -> None:
    session = _record(
        tmp_path / "session", color_size, scenes=[{"scene_id": "room", "views": pairs}]
    )

    views = session.committed("room")
    assert len(views) == pairs
    frames = {_assert_view_is_its_frame(session, view, color_size) for view in views}
    assert len(frames) == pairs
    expected = _floats(_calibration(color_size))
    for view in views:
        found = _floats(session.read_calibration("room", view))
        np.testing.assert_array_equal(found, expected)
        assert session.verify_view("room", view) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("color_size", "pairs"), BURSTS)
def test_recorded_pairs_replay_as_so_many_views_bit_for_bit(
    tmp_path: Path, color_size: tuple[int, int], pairs: int
) -> None:
    scenes = [{"scene_id": "room", "views": ["v1"]}]
    recorded = _record(tmp_path / "session", color_size, scenes=scenes, raw_pairs=pairs)
    raw = recorded.view_folder("room", "v1") / "raw.db3"
    again = open_session(tmp_path / "again", "again", source="file", policy=POLICY)

    found = replay(
        RecordingFile(raw), policy=POLICY, target=ReplayTarget(again, Scene(scene_id="room"))
    )

    in_file = min(count_frames(raw))
    assert in_file >= pairs
    assert found.good == len(found.views) == in_file
    frames = [_assert_view_is_its_frame(again, view, color_size) for view in found.views]
    assert frames == list(range(frames[0], frames[0] + in_file))
    expected = _floats(_calibration(color_size))
    for view in found.views:
        calibration = _floats(again.read_calibration("room", view))
        np.testing.assert_array_equal(calibration, expected)


@pytest.fixture
def bag() -> Path:
    if not BAG.is_file():
        pytest.skip("the real recording is not here")
    return BAG


Replay = Callable[..., Any]


def test_a_real_recordings_pairs_are_refused_with_the_reason(bag: Path) -> None:
    found = replay(RecordingFile(bag), policy=POLICY)

    assert (found.pairs, found.good) == (2, 0)
    assert [refusal.message for _, refusal in found.refused] == [
        "frames are 101.6 ms apart, more than 83.3",
        "frames are 268.2 ms apart, more than 83.3",
    ]
    assert found.state.device.name == "Intel RealSense D435"
    assert found.state.device.serial_number == "728612070259"
    assert found.state.device.firmware_version == "05.09.14.00"
    assert found.state.device.usb_type == "3.2"


def test_a_real_recordings_colour_frame_is_saved_once_with_the_sdks_aligned_depth(
    bag: Path, tmp_path: Path
) -> None:
    session = open_session(tmp_path / "session", "real", source="file", policy=POLICY)
    loose = POLICY.model_copy(update={"max_dt_ms": 300.0})

    found = replay(
        RecordingFile(bag), policy=loose, target=ReplayTarget(session, Scene(scene_id="lab"))
    )

    assert found.views == ("f000162",)
    assert [refusal.code for _, refusal in found.refused] == ["repeated-color"]
    folder = session.view_folder("lab", "f000162")
    aligned, calibration = _aligned_by_the_sdk(bag)
    np.testing.assert_array_equal(_picture(folder / "depth_aligned.png"), aligned)
    kept = session.read_calibration("lab", "f000162")
    np.testing.assert_array_equal(_floats(kept), calibration)
    assert session.read_frame("lab", "f000162").timing.dt_ms == pytest.approx(101.566)


def _aligned_by_the_sdk(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The first pair's depth on the colour grid and all of its calibration, by the SDK alone."""
    sdk = load_sdk()
    config, pipeline = sdk.config(), sdk.pipeline()
    config.enable_device_from_file(str(path), repeat_playback=False)
    playback = config.resolve(sdk.pipeline_wrapper(pipeline)).get_device().as_playback()
    playback.set_real_time(False)
    playback.pause()
    profile = pipeline.start(config)
    playback.resume()
    came, frames = pipeline.try_wait_for_frames(5000)
    assert came
    aligned = sdk.align(sdk.stream.color).process(frames).get_depth_frame()
    pixels = np.asanyarray(aligned.get_data()).copy()
    numbers: list[float] = []
    streams = [profile.get_stream(kind) for kind in (sdk.stream.color, sdk.stream.depth)]
    for stream in streams:
        lens = stream.as_video_stream_profile().get_intrinsics()
        numbers += [lens.width, lens.height, lens.fx, lens.fy, lens.ppx, lens.ppy, *lens.coeffs]
    stand = streams[1].get_extrinsics_to(streams[0])
    numbers += np.array(stand.rotation).reshape(3, 3).T.ravel().tolist()
    numbers += stand.translation
    pipeline.stop()
    return pixels, np.array(numbers, np.float32)
