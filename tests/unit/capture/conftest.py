"""A small simulated camera, a session for it, and a camera that is no SDK's for what cannot be
simulated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from capture.policy import CapturePolicy
from mira.errors import CaptureError, MiraError
from mira.schema.capture import Calibration, CameraIntrinsics, FrameTiming, RigidTransform
from mira.schema.capture_plan import CapturePlan
from mira.schema.session import DeviceInfo, StreamSettings

COLOR, DEPTH, FPS = (96, 64), (64, 48), 30
QUICK = CapturePolicy(
    warm_up_pairs=2,
    exposure_window_pairs=2,
    exposure_tolerance=1.0,
    warm_up_limit_pairs=4,
    refused_limit_pairs=6,
    emitter_settle_pairs=2,
    stall_s=0.05,
    comes_back_s=0.0,
    reserve_bytes=0,
)


def _camera(size: tuple[int, int], focal_px: float) -> CameraIntrinsics:
    return CameraIntrinsics(
        width_px=size[0],
        height_px=size[1],
        fx_px=focal_px,
        fy_px=focal_px + 1.5,
        cx_px=size[0] / 2 - 0.25,
        cy_px=size[1] / 2 + 0.75,
        distortion_model="inverse_brown_conrady",
        distortion_coeffs=(0.0, 0.0, 0.0, 0.0, 0.0),
    )


def calibration_of(color: tuple[int, int] = COLOR, depth: tuple[int, int] = DEPTH) -> Calibration:
    turn = 0.01
    cos, sin = (float(np.float32(f(turn))) for f in (np.cos, np.sin))
    return Calibration(
        color=_camera(color, color[0] * 0.75),
        depth=_camera(depth, depth[0] * 0.5),
        depth_to_color=RigidTransform(
            target="color",
            source="depth",
            rotation=((cos, -sin, 0.0), (sin, cos, 0.0), (0.0, 0.0, 1.0)),
            translation_m=(0.0145, 0.0005, -0.00025),
        ),
    )


@pytest.fixture
def policy() -> CapturePolicy:
    """Thresholds that need few frames."""
    return QUICK


@pytest.fixture
def calibration() -> Calibration:
    return calibration_of()


@pytest.fixture
def plan() -> CapturePlan:
    """Two scenes of three views in all."""
    return CapturePlan.model_validate(
        {
            "session_id": "test",
            "camera": {"color": COLOR, "depth": DEPTH, "preset": None, "options": {}},
            "burst_pairs": 2,
            "scenes": [{"scene_id": "bath", "views": 2}, {"scene_id": "hall", "views": ["front"]}],
        }
    )


MakeFrames = Callable[..., Any]


@pytest.fixture
def frame() -> MakeFrames:
    """The k-th frames of a simulated camera; its arguments change what they are."""
    from capture.sources.software_device import SimulatedFrames

    def make(
        k: int,
        *,
        color: tuple[int, int] = COLOR,
        depth: tuple[int, int] = DEPTH,
        **changes: Any,
    ) -> SimulatedFrames:
        rng = np.random.default_rng(k)
        time_ms = round(5000 + k * 1000 / FPS, 3)
        given = {
            "color": rng.integers(0, 256, (color[1], color[0], 3), dtype=np.uint8),
            "depth": rng.integers(0, 4000, (depth[1], depth[0]), dtype=np.uint16),
            "number": k,
            "color_ms": time_ms,
            "depth_ms": time_ms + 1.5,
            "metadata": {"actual_exposure": 100},
        }
        return SimulatedFrames(**{**given, **changes})

    return make


@pytest.fixture
def simulated(frame: MakeFrames, calibration: Calibration) -> Callable[..., Any]:
    """A simulated camera of the real SDK that sends given frames, or good ones without end."""
    from capture.sources.simulated import SimulatedSource
    from capture.sources.software_device import SimulatedCamera

    _require_sdk()

    def make(frames: Callable[[], Iterable[Any]] | None = None, **changes: Any) -> Any:
        def endless() -> Iterator[Any]:
            k = 0
            while True:
                k += 1
                yield frame(k)

        chosen = frames or endless
        camera = SimulatedCamera(
            changes.pop("calibration", calibration), lambda _options: chosen(), fps=FPS
        )
        return SimulatedSource(camera, **changes)

    return make


def _require_sdk() -> None:
    from capture.sdk import load_sdk

    try:
        load_sdk()
    except MiraError as error:
        pytest.skip(str(error))


@pytest.fixture
def sdk() -> Any:
    """The real SDK."""
    from capture.sdk import load_sdk

    _require_sdk()
    return load_sdk()


class FakeControl:
    """Settings of a camera that is no SDK's; remembers what was done."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.values = {"depth.emitter_enabled": 1.0}

    def options(self) -> dict[str, float]:
        return dict(self.values)

    def set_option(self, name: str, value: float) -> None:
        self.done.append((name, value))
        self.values[name] = value

    def apply_preset(self, name: str) -> None:
        self.done.append(("preset", name))

    def apply_advanced(self, text: str, *, where: Path) -> None:
        self.done.append(("advanced", text, where.name))

    def preset(self) -> str | None:
        return "reported"


class FakeCamera:
    """A live camera whose every start is scripted: pairs, None for silence, faults to raise."""

    kind = "live"

    def __init__(self, *runs: Any) -> None:
        self._runs, self._run = list(runs), iter(())
        self.settings = FakeControl()
        self.starts = self.resets = 0
        self.is_running = self.ended = False

    @property
    def name(self) -> str:
        return "camera 1"

    @property
    def control(self) -> FakeControl:
        if not self.is_running:
            raise CaptureError(self.name, "does not run")
        return self.settings

    def reset(self) -> None:
        assert not self.is_running, "a camera that streams is not reset"
        self.resets += 1

    def start(self, **_: Any) -> Any:
        from capture.sources.frames import CameraState

        self.starts += 1
        run = self._runs.pop(0) if self._runs else ()
        if isinstance(run, Exception):
            raise run
        self._run, self.is_running = iter(run), True
        sizes = {"depth": (DEPTH, "z16"), "color": (COLOR, "rgb8")}
        return CameraState(
            device=DeviceInfo(name="Fake", serial_number="1"),
            streams=tuple(
                StreamSettings(
                    stream=stream,
                    width_px=size[0],
                    height_px=size[1],
                    fps=FPS,
                    pixel_format=pixel_format,
                )
                for stream, (size, pixel_format) in sizes.items()
            ),
            calibration=calibration_of(),
        )

    def set_recording(self, **_: Any) -> None:
        raise AssertionError("nothing records here")

    def next_pair(self, _timeout_s: float) -> Any:
        given = next(self._run, None)
        if isinstance(given, Exception):
            raise given
        return given

    def stop(self) -> None:
        self._run, self.is_running = iter(()), False


@pytest.fixture
def fake_camera() -> type[FakeCamera]:
    return FakeCamera


@pytest.fixture
def pair() -> Callable[..., Any]:
    """The k-th pair, as a source gives it; its arguments change the timing."""
    from capture.sources.frames import FramePair

    def make(k: int, *, blank: bool = False, **changes: Any) -> FramePair:
        rng = np.random.default_rng(k)
        time_ms = 1000 + k * 1000 / FPS
        timing = {
            "color_frame": k,
            "depth_frame": k,
            "color_ms": time_ms,
            "depth_ms": time_ms,
            "color_domain": "hardware_clock",
            "depth_domain": "hardware_clock",
            **changes,
        }
        same = timing["color_domain"] == timing["depth_domain"]
        dt_ms = abs(timing["color_ms"] - timing["depth_ms"]) if same else None
        depth = (
            np.zeros(DEPTH[::-1], np.uint16)
            if blank
            else rng.integers(1, 4000, DEPTH[::-1], dtype=np.uint16)
        )
        return FramePair(
            color=rng.integers(0, 256, (*COLOR[::-1], 3), dtype=np.uint8),
            depth=depth,
            depth_unit_m=0.001,
            timing=FrameTiming(**timing, dt_ms=dt_ms),
        )

    return make


@pytest.fixture
def open_test_session(tmp_path: Path) -> Callable[..., Any]:
    """A new session, or the one that is there."""
    from mira.schema.record import Provenance
    from mira.schema.session import CaptureSession
    from mira.store.session import Session

    def make(name: str = "session") -> Session:
        record = CaptureSession(
            session_id="test",
            source="simulated",
            provenance=Provenance(tool="test", tool_version="1"),
        )
        return Session.create(tmp_path / name, record)

    return make
