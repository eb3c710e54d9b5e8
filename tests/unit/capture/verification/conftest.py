"""A session with a view that has every file there is, and ways to damage it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import orjson
import pytest

from capture.verification.report import VerificationReport
from capture.verification.verifying import verify_session
from capture.view_files import ViewContent, encode_view
from mira.geometry.alignment import align_depth_to_color
from mira.render.png import encode_png_quickly
from mira.schema.capture import Calibration, FrameTiming, Scene, SceneSurface, ViewFrame
from mira.schema.session import CameraSettings, CaptureSettings, DeviceInfo, StreamSettings
from mira.store.checksums import SUMS_NAME, format_sums
from mira.store.session import (
    EMITTER_OFF_COLOR_NAME,
    EMITTER_OFF_DEPTH_NAME,
    EMITTER_OFF_FRAME_NAME,
    RAW_NAME,
    Session,
)

Json = dict[str, Any]
FPS = 30


def _timing_of(frame: int, *, dt_ms: float = 4.0, time_ms: float | None = None) -> FrameTiming:
    """Times of the k-th frames."""
    color_ms = 1000.0 + frame * 1000 / FPS if time_ms is None else time_ms
    return FrameTiming(
        color_frame=frame,
        depth_frame=frame,
        color_ms=color_ms,
        depth_ms=color_ms + dt_ms,
        color_domain="hardware_clock",
        depth_domain="hardware_clock",
        dt_ms=abs(color_ms - (color_ms + dt_ms)),
    )


def _write_recording(path: Path, *, depth: int, color: int) -> None:
    """A file that has of the SDK's recordings what is looked at."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("create table topics (id integer primary key, name text)")
    connection.execute("create table messages (id integer primary key, topic_id integer)")
    streams = {"/device_0/sensor_0/Depth_0": depth, "/device_0/sensor_1/Color_0": color}
    for number, (name, frames) in enumerate(streams.items()):
        connection.execute("insert into topics values (?, ?)", (number, f"{name}/image/data"))
        messages = [(number,)] * frames
        connection.executemany("insert into messages (topic_id) values (?)", messages)
    connection.commit()
    connection.close()


def _settings_of(calibration: Calibration) -> CaptureSettings:
    assert calibration.depth is not None
    cameras = {"depth": (calibration.depth, "z16"), "color": (calibration.color, "rgb8")}
    streams = tuple(
        StreamSettings(
            stream=stream,  # type: ignore[arg-type]
            width_px=camera.width_px,
            height_px=camera.height_px,
            fps=FPS,
            pixel_format=pixel_format,
        )
        for stream, (camera, pixel_format) in cameras.items()
    )
    running = CameraSettings(streams=streams)
    return CaptureSettings(asked=running, actual=running)


@pytest.fixture
def timing_of() -> Callable[..., FrameTiming]:
    return _timing_of


@pytest.fixture
def write_recording() -> Callable[..., None]:
    return _write_recording


@pytest.fixture
def view_files(calibration: Calibration, tmp_path: Path) -> Callable[[int], dict[str, bytes]]:
    """All files of a view whose frames have a number."""

    def make(frame: int) -> dict[str, bytes]:
        rng = np.random.default_rng(frame)
        depth_camera, color_camera = calibration.depth, calibration.color
        assert depth_camera is not None
        shape = (color_camera.height_px, color_camera.width_px)
        depth = rng.integers(500, 3000, (depth_camera.height_px, depth_camera.width_px))
        depth = depth.astype(np.uint16)
        color = rng.integers(0, 256, (*shape, 3), dtype=np.uint8)
        surfaces = np.zeros(shape, np.uint8)
        surfaces[5:20, 5:20], surfaces[30:40, 30:40] = 1, 2
        metric: Json = {"depth_unit_m": 0.001, "depth_kind": "metric"}
        content = ViewContent(
            color=color,
            depth=depth,
            depth_aligned=align_depth_to_color(depth, calibration, depth_unit_m=0.001),
            calibration=calibration,
            surfaces=surfaces,
            device=DeviceInfo(name="Test", serial_number="1"),
            settings=_settings_of(calibration),
            frame=ViewFrame(timing=_timing_of(frame), **metric),
        )
        recording = tmp_path / f"recording-{frame}.db3"
        _write_recording(recording, depth=4, color=4)
        return {
            **encode_view(content),
            EMITTER_OFF_COLOR_NAME: encode_png_quickly(255 - color),
            EMITTER_OFF_DEPTH_NAME: encode_png_quickly(depth),
            EMITTER_OFF_FRAME_NAME: ViewFrame(timing=_timing_of(frame + 1), **metric).to_json(),
            RAW_NAME: recording.read_bytes(),
        }

    return make


class Damage:
    """Changes files of a view, its sums with them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, data: bytes) -> None:
        (self.folder / name).write_bytes(data)
        self.sum_up()

    def remove(self, name: str) -> None:
        (self.folder / name).unlink()
        self.sum_up()

    def picture(self, name: str, pixels: np.ndarray) -> None:
        self.write(name, cv2.imencode(".png", pixels)[1].tobytes())

    def read_picture(self, name: str) -> np.ndarray:
        pixels = cv2.imread(str(self.folder / name), cv2.IMREAD_UNCHANGED)
        assert pixels is not None
        return pixels

    def record(self, name: str, change: Callable[[Json], object]) -> None:
        content = orjson.loads((self.folder / name).read_bytes())
        change(content)
        self.write(name, orjson.dumps(content))

    def sum_up(self) -> None:
        paths = (path for path in self.folder.iterdir() if path.name != SUMS_NAME)
        digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
        (self.folder / SUMS_NAME).write_bytes(format_sums(digests))


@pytest.fixture
def session(
    open_test_session: Callable[[], Session], view_files: Callable[[int], dict[str, bytes]]
) -> Session:
    """Two views of one scene with two surfaces."""
    made = open_test_session()
    kinds = (SceneSurface(surface_id=f"m{k}", surface_type="planar_mirror") for k in (1, 2))
    made.write_scene(Scene(scene_id="hall", surfaces=tuple(kinds)))
    for number, view_id in enumerate(("v1", "v2")):
        made.commit_view("hall", view_id, view_files(10 * number))  # type: ignore[arg-type]
    return made


@pytest.fixture
def damage(session: Session) -> Damage:
    """Changes files of the first view."""
    return Damage(session.view_folder("hall", "v1"))


@pytest.fixture
def codes(session: Session) -> Callable[[], dict[str, set[str]]]:
    """What verification finds: codes of faults by file."""

    def find() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for fault in verify_session(session.root).faults:
            found.setdefault(fault.file.removeprefix("scenes/hall/views/"), set()).add(fault.code)
        return found

    return find


@pytest.fixture
def report(session: Session) -> Callable[[], VerificationReport]:
    return lambda: verify_session(session.root)
