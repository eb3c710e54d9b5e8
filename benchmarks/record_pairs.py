"""How many pairs a second go into views and into recordings, and whether memory stays flat.

    python benchmarks/record_pairs.py [--pairs 1000] [--folder DIR]

A simulated camera of the real SDK hands over pairs as fast as they are taken, at two sizes. Into
views: the recorder, with alignment, PNG, records, sums and one rename a view, on two threads
behind the frame loop; the peer is the loop that people write: wait, `rs.align`, `cv2.imwrite` of
three pictures. Into recordings: our uncompressed `.db3`; the peer is the SDK's default, compressed.
At the end a camera at 30 frames a second, with views taken all the time: frames that were missed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from capture.policy import CapturePolicy
from capture.recording.opening import open_session
from capture.recording.raw_file import count_frames
from capture.recording.recorder import Recorder
from capture.recording.watching import Command, Standing, TakeAtOnce
from capture.replay import ReplayTarget, replay
from capture.sdk import load_sdk
from capture.sources.frames import CameraState, FramePair
from capture.sources.session_frames import SessionScenery
from capture.sources.simulated import SimulatedSource
from capture.sources.software_device import SimulatedCamera, SimulatedFrames
from mira.schema.capture import Calibration, CameraIntrinsics, RigidTransform, Scene
from mira.schema.capture_plan import CapturePlan
from mira.sim.packaged_scenes import packaged_scenes_dir
from mira.store.session import Session

SIZES = ((848, 480), (1280, 720))
DEPTH_SIZE = (848, 480)
KINDS = 12
FPS = 30
PACED_S = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as scratch:
        folder = Path(scratch)
        for size in SIZES:
            print(f"colour {size[0]}x{size[1]}, depth {DEPTH_SIZE[0]}x{DEPTH_SIZE[1]}")
            _into_views(folder / f"views-{size[0]}", size, arguments.pairs)
            _by_hand(folder / f"hand-{size[0]}", size, min(arguments.pairs, 200))
            _into_recording(folder / f"ours-{size[0]}.db3", size, arguments.pairs)
            _default_recording(folder / f"sdk-{size[0]}.db3", size, arguments.pairs)
            _recording_at_rate(folder / f"rate-{size[0]}.db3", size, arguments.pairs)
            _paced(folder / f"paced-{size[0]}", size)


# Frames


def _calibration(size: tuple[int, int]) -> Calibration:
    def lens(width: int, height: int, focal_px: float) -> CameraIntrinsics:
        return CameraIntrinsics(
            width_px=width,
            height_px=height,
            fx_px=focal_px,
            fy_px=focal_px,
            cx_px=width / 2,
            cy_px=height / 2,
            distortion_model="inverse_brown_conrady",
            distortion_coeffs=(0.0,) * 5,
        )

    return Calibration(
        color=lens(*size, 0.71 * size[0]),
        depth=lens(*DEPTH_SIZE, 422.0),
        depth_to_color=RigidTransform(
            target="color",
            source="depth",
            rotation=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
            translation_m=(0.015, 0.0, 0.0),
        ),
    )


def _pictures(size: tuple[int, int]) -> list[tuple[Any, Any]]:
    """Rooms with the grain of a real sensor, which is what encoders stumble over."""
    scenery = SessionScenery(Session.open(packaged_scenes_dir()))
    rng = np.random.default_rng(0)
    made = []
    for k in range(KINDS):
        scenery.look_at(k, 0)
        source = SimulatedSource(scenery.camera())
        source.start()
        pairs = [source.next_pair(1.0) for _ in range(14)]
        source.stop()
        pair = pairs[-1]
        assert pair is not None
        color = cv2.resize(pair.color, size, interpolation=cv2.INTER_CUBIC)
        grain = rng.normal(0, 2.0, color.shape)
        color = np.clip(color + grain, 0, 255).astype(np.uint8)
        wobble = rng.integers(0, 8, pair.depth.shape, dtype=np.uint16)
        made.append((color, np.where(pair.depth, pair.depth + wobble, 0).astype(np.uint16)))
    return made


def _camera(size: tuple[int, int], pairs: int = 1_000_000) -> SimulatedCamera:
    pictures = _pictures(size)

    def frames(_: Any) -> Iterator[SimulatedFrames]:
        for k in range(1, pairs + 1):
            color, depth = pictures[k % KINDS]
            time_ms = round(1000 + k * 1000 / FPS, 3)
            yield SimulatedFrames(color, depth, k, time_ms, time_ms)

    return SimulatedCamera(_calibration(size), frames, fps=FPS)


# Into views


def _plan(size: tuple[int, int], views: int) -> CapturePlan:
    return CapturePlan.model_validate(
        {
            "session_id": "bench",
            "burst_pairs": 1,
            "camera": {"color": size, "depth": DEPTH_SIZE, "options": {}},
            "scenes": [{"scene_id": "room", "views": views}],
        }
    )


def _into_views(folder: Path, size: tuple[int, int], pairs: int) -> None:
    policy = CapturePolicy(exposure_tolerance=1.0)
    session = open_session(folder, "bench", source="simulated", policy=policy)
    marks: list[str] = []

    def note(done: int, _: int) -> None:
        if done % max(pairs // 8, 1) == 0:
            marks.append(f"{_resident_mb():.0f}")

    source = SimulatedSource(_camera(size, pairs))
    target = ReplayTarget(session, Scene(scene_id="room"))
    wall, cpu = time.perf_counter(), time.process_time()
    written = len(replay(source, policy=policy, target=target, progress=note).views)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"  views:     {written / wall:5.1f} pairs/s, {1000 * cpu / written:5.1f} CPU ms a pair")
    print(f"             {written} of {pairs}; resident MB by eighths: {' '.join(marks)}")


def _by_hand(folder: Path, size: tuple[int, int], pairs: int) -> None:
    sdk = load_sdk()
    folder.mkdir()
    source = SimulatedSource(_camera(size))
    source.start()
    align = sdk.align(sdk.stream.color)
    taken, wall, cpu = 0, time.perf_counter(), time.process_time()
    while taken < pairs:
        # The plain loop: frames from the SDK's own pipeline, fed in step as ours are.
        frames = _next_frames(source)
        aligned = align.process(frames).get_depth_frame()
        color = np.asanyarray(frames.get_color_frame().get_data())
        for name, pixels in (
            ("color", color[..., ::-1]),
            ("depth", np.asanyarray(frames.get_depth_frame().get_data())),
            ("aligned", np.asanyarray(aligned.get_data())),
        ):
            cv2.imwrite(str(folder / f"{taken}_{name}.png"), pixels)
        taken += 1
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    source.stop()
    print(f"  by hand:   {pairs / wall:5.1f} pairs/s, {1000 * cpu / pairs:5.1f} CPU ms a pair")


def _next_frames(source: SimulatedSource) -> Any:
    """The next frame set as the SDK gives it."""
    frames = next(source._frames)
    assert source._software is not None
    source._software.send(frames)
    came, found = source._pipeline.try_wait_for_frames(1000)
    assert came
    return found


# Into recordings


def _into_recording(path: Path, size: tuple[int, int], pairs: int) -> None:
    source = SimulatedSource(_camera(size))
    source.start(record_to=path)
    source.set_recording(on=True)
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(pairs):
        source.next_pair(1.0)
    source.stop()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    _tell("recording", path, pairs, wall, cpu)


def _recording_at_rate(path: Path, size: tuple[int, int], pairs: int) -> None:
    """At a camera's rate, as the SDK queues what comes faster than the disk takes it."""
    source = SimulatedSource(_camera(size), paced=True)
    source.start(record_to=path)
    source.set_recording(on=True)
    marks: list[str] = []
    frames: set[int] = set()
    while len(frames) < pairs:
        pair = source.next_pair(1.0)
        # The SDK gives some frames in two pairs.
        new = pair is not None and pair.timing.color_frame not in frames
        if pair is not None:
            frames.add(pair.timing.color_frame)
        if new and len(frames) % max(pairs // 8, 1) == 0:
            marks.append(f"{_resident_mb():.0f}")
    source.stop()
    lost = max(len(frames) - min(count_frames(path)), 0)
    path.unlink()
    print(f"  at {FPS} fps, recorded: {lost} of {pairs} lost, resident MB: {' '.join(marks)}")


def _default_recording(path: Path, size: tuple[int, int], pairs: int) -> None:
    """The SDK's recorder as it comes, compression on, with frames at the camera's rate."""
    sdk = load_sdk()
    source = SimulatedSource(_camera(size))
    source._recording = lambda device, _: _kept(source, sdk.recorder(str(path), device))  # type: ignore[method-assign]
    source.start()
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(pairs):
        source.next_pair(1.0)
    source.stop()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    _tell("default", path, pairs, wall, cpu)


def _kept(source: SimulatedSource, recorder: Any) -> Any:
    source._recorder = recorder
    return recorder


def _tell(name: str, path: Path, pairs: int, wall: float, cpu: float) -> None:
    lost = pairs - min(count_frames(path))
    size = path.stat().st_size / pairs / 1e6
    print(
        f"  {name + ':':<10} {pairs / wall:5.1f} pairs/s, {1000 * cpu / pairs:5.1f} CPU ms a pair, "
        f"{size:.2f} MB a pair, {lost} of {pairs} lost"
    )
    path.unlink()


# Beside a camera that does not wait


class _Counting(TakeAtOnce):
    """Takes every view it can, and counts the frames that never came."""

    def __init__(self) -> None:
        super().__init__()
        self.first = self.last = self.seen = 0

    def show(self, pair: FramePair, state: CameraState, standing: Standing) -> Command:
        number = pair.timing.color_frame
        self.first = self.first or number
        self.last = number
        if number - self.first > FPS * PACED_S:
            return Command.QUIT
        return super().show(pair, state, standing)


class _Watched(SimulatedSource):
    """Counts the frames that came out."""

    came = 0

    def next_pair(self, timeout_s: float) -> FramePair | None:
        pair = super().next_pair(timeout_s)
        self.numbers = getattr(self, "numbers", set())
        if pair is not None:
            self.numbers.add(pair.timing.color_frame)
        return pair


def _paced(folder: Path, size: tuple[int, int]) -> None:
    policy = CapturePolicy(exposure_tolerance=1.0)
    session = open_session(folder, "bench", source="simulated", policy=policy)
    source, watch = _Watched(_camera(size), paced=True), _Counting()
    recorder = Recorder(
        source, session, _plan(size, FPS * PACED_S), policy=policy, watch=watch, tell=print
    )
    recorded = recorder.run()
    sent = watch.last - watch.first + 1
    missed = sent - len([k for k in source.numbers if watch.first <= k <= watch.last])
    print(
        f"  at {FPS} fps: {len(recorded.committed) / PACED_S:.1f} views a second for {PACED_S} s, "
        f"{missed} of {sent} frames missed by the loop"
    )


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main()
