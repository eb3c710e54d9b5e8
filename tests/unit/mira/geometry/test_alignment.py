"""Aligned depth is where the colour camera sees it, pixel by pixel as the SDK has it."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from capture.sdk import load_sdk
from mira.errors import GeometryError, MiraError
from mira.geometry.alignment import align_depth_to_color
from mira.schema.capture import Calibration, CameraIntrinsics, RigidTransform

RECORDING = Path(__file__).parents[5] / "shared/data/realsense/single_depth_color_640x480.bag"
UNIT_M = 1 / 1024
"""A power of two, so that answers of hand come out exact."""
LENS = (0.12, -0.2, 0.001, -0.0005, 0.03)
Size = tuple[int, int]


@pytest.fixture(scope="module")
def sdk() -> Any:
    try:
        return load_sdk()
    except MiraError as error:
        pytest.skip(f"needs the camera's SDK: {error}")


def single(value: float) -> float:
    return float(np.float32(value))


def camera(size: Size, focal_px: float, **more: Any) -> CameraIntrinsics:
    given = {"cx_px": size[0] / 2, "cy_px": size[1] / 2, "fx_px": focal_px, "fy_px": focal_px}
    return CameraIntrinsics(width_px=size[0], height_px=size[1], **given | more)


def rotation(x: float, y: float, z: float) -> tuple[tuple[float, ...], ...]:
    (cx, sx), (cy, sy), (cz, sz) = ((math.cos(a), math.sin(a)) for a in (x, y, z))
    about_x = np.array(((1, 0, 0), (0, cx, -sx), (0, sx, cx)))
    about_y = np.array(((cy, 0, sy), (0, 1, 0), (-sy, 0, cy)))
    about_z = np.array(((cz, -sz, 0), (sz, cz, 0), (0, 0, 1)))
    turned = (about_x @ about_y @ about_z).astype(np.float32)
    return tuple(tuple(float(v) for v in row) for row in turned)


def calibration(
    depth: CameraIntrinsics,
    color: CameraIntrinsics,
    *,
    turned: tuple[float, float, float] = (0, 0, 0),
    moved_m: tuple[float, float, float] = (0, 0, 0),
) -> Calibration:
    transform = RigidTransform(
        target="color",
        source="depth",
        rotation=rotation(*turned),  # type: ignore[arg-type]
        translation_m=tuple(map(single, moved_m)),  # type: ignore[arg-type]
    )
    return Calibration(color=color, depth=depth, depth_to_color=transform)


def room(size: Size, seed: int = 0) -> NDArray[np.uint16]:
    """A slanted wall with steps, noise and holes."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[: size[1], : size[0]]
    depth = 2000 + 1.5 * x + 0.3 * y + rng.normal(0, 4, x.shape)
    depth[size[1] // 3 : size[1] // 2, size[0] // 4 : size[0] // 2] = 900
    depth[rng.random(x.shape) < 0.1] = 0
    depth[rng.random(x.shape) < 0.01] = 65535
    return depth.astype(np.uint16)


# Known answers


def test_one_camera_sees_what_it_saw() -> None:
    one = camera((64, 48), 64)
    depth = room((64, 48)) // 64 * 64
    assert (align_depth_to_color(depth, calibration(one, one), depth_unit_m=UNIT_M) == depth).all()


def test_a_step_before_a_plane_moves_by_its_own_parallax_and_hides_what_is_behind() -> None:
    depth = np.full((48, 64), 1024, np.uint16)
    depth[10:30, 20:40] = 512
    pair = calibration(
        camera((64, 48), 64),
        camera((128, 96), 128, cx_px=64.5, cy_px=48.5),
        moved_m=(1 / 16, 0, 0),
    )
    # A depth pixel u at 1 m falls on columns 2u + 8 to 2u + 10, at half a metre 8 further right.
    expected = np.full((96, 128), 1024, np.uint16)
    expected[:, :8] = 0
    expected[21:60, 49:56] = 0
    expected[20:61, 56:97] = 512
    assert (align_depth_to_color(depth, pair, depth_unit_m=UNIT_M) == expected).all()


def test_a_coarser_picture_takes_single_pixels() -> None:
    depth = np.zeros((48, 64), np.uint16)
    depth[24, 32] = 700
    pair = calibration(camera((64, 48), 64), camera((32, 24), 32))
    aligned = align_depth_to_color(depth, pair, depth_unit_m=UNIT_M)
    assert np.argwhere(aligned).tolist() == [[12, 16]]


def test_no_reading_stays_none() -> None:
    pair = calibration(camera((64, 48), 64), camera((128, 96), 128))
    nothing = np.zeros((48, 64), np.uint16)
    assert not align_depth_to_color(nothing, pair, depth_unit_m=0.001).any()


def test_the_least_and_the_largest_reading_are_readings() -> None:
    one = camera((64, 48), 64)
    depth = np.ones((48, 64), np.uint16)
    depth[:, 32:] = 65535
    assert (align_depth_to_color(depth, calibration(one, one), depth_unit_m=UNIT_M) == depth).all()


def test_what_comes_to_lie_behind_the_colour_camera_is_left_out() -> None:
    pair = calibration(camera((64, 48), 64), camera((64, 48), 64), moved_m=(0, 0, -2))
    depth = np.full((48, 64), 1024, np.uint16)
    assert not align_depth_to_color(depth, pair, depth_unit_m=UNIT_M).any()


# Oracles


def align_by_loops(
    depth: NDArray[np.uint16], pair: Calibration, *, depth_unit_m: float
) -> NDArray[np.uint16]:
    """Rectangle by rectangle, for cameras without lenses whose colour is the finer."""
    f32 = np.float32
    d, c, t = pair.depth, pair.color, pair.depth_to_color
    assert d is not None
    assert t is not None
    aligned = np.zeros((c.height_px, c.width_px), np.uint16)
    rows = [[f32(v) for v in row] for row in t.rotation]
    for v, u in np.argwhere(depth):
        z, ends = f32(depth[v, u]) * f32(depth_unit_m), []
        for offset in (f32(-0.5), f32(0.5)):
            x = (f32(u) + offset - f32(d.cx_px)) / f32(d.fx_px) * z
            y = (f32(v) + offset - f32(d.cy_px)) / f32(d.fy_px) * z
            p = [
                r[0] * x + (r[1] * y + (r[2] * z + f32(m)))
                for r, m in zip(rows, t.translation_m, strict=True)
            ]
            column = p[0] / p[2] * f32(c.fx_px) + f32(c.cx_px) + f32(0.5)
            row = p[1] / p[2] * f32(c.fy_px) + f32(c.cy_px) + f32(0.5)
            ends.append((int(row), int(column)))
        (top, left), (bottom, right) = ends
        for row, column in product(range(top, bottom + 1), range(left, right + 1)):
            if 0 <= row < c.height_px and 0 <= column < c.width_px:
                before = aligned[row, column]
                aligned[row, column] = min(before, depth[v, u]) if before else depth[v, u]
    return aligned


@given(
    depth=hnp.arrays(
        np.uint16, (6, 9), elements=st.one_of(st.just(0), st.integers(300, 5000)), fill=st.nothing()
    ),
    finer=st.floats(1.05, 9),
    turned=st.tuples(*[st.floats(-0.1, 0.1)] * 3),
    moved_m=st.tuples(*[st.floats(-0.05, 0.05)] * 3),
)
@settings(max_examples=60, deadline=None)
def test_each_reading_fills_its_rectangle_and_the_nearest_stays(
    depth: NDArray[np.uint16],
    finer: float,
    turned: tuple[float, float, float],
    moved_m: tuple[float, float, float],
) -> None:
    pair = calibration(
        camera((9, 6), 8), camera((17, 13), single(8 * finer)), turned=turned, moved_m=moved_m
    )
    expected = align_by_loops(depth, pair, depth_unit_m=0.001)
    assert (align_depth_to_color(depth, pair, depth_unit_m=0.001) == expected).all()


def align_by_sdk(sdk: Any, depth: NDArray[np.uint16], pair: Calibration) -> NDArray[np.uint16]:
    """What `rs.align` makes of frames of a simulated camera."""
    device = sdk.software_device()
    streams = []
    for number, (kind, pixels, one) in enumerate(
        (
            (sdk.stream.depth, np.ascontiguousarray(depth), pair.depth),
            (
                sdk.stream.color,
                np.zeros((pair.color.height_px, pair.color.width_px, 3), np.uint8),
                pair.color,
            ),
        )
    ):
        assert one is not None
        lens = sdk.intrinsics()
        lens.width, lens.height, lens.fx, lens.fy = (
            one.width_px,
            one.height_px,
            one.fx_px,
            one.fy_px,
        )
        lens.ppx, lens.ppy = one.cx_px, one.cy_px
        lens.model = getattr(sdk.distortion, one.distortion_model)
        lens.coeffs = list(one.distortion_coeffs or (0.0,) * 5)
        stream = sdk.video_stream()
        stream.type, stream.index, stream.uid, stream.fps = kind, 0, number, 30
        stream.width, stream.height, stream.intrinsics = one.width_px, one.height_px, lens
        stream.bpp = 3 if number else 2
        stream.fmt = sdk.format.rgb8 if number else sdk.format.z16
        sensor = device.add_sensor(str(kind))
        streams.append((sensor, sensor.add_video_stream(stream), pixels, stream.bpp))
    (depth_sensor, depth_profile, _, _), (_, color_profile, _, _) = streams
    depth_sensor.add_read_only_option(sdk.option.depth_units, 0.001)
    transform = sdk.extrinsics()
    assert pair.depth_to_color is not None
    transform.rotation = np.array(pair.depth_to_color.rotation).T.ravel().tolist()
    transform.translation = list(pair.depth_to_color.translation_m)
    depth_profile.register_extrinsics_to(color_profile, transform)
    device.create_matcher(sdk.matchers.default)
    pairs = sdk.syncer()
    for sensor, profile, _, _ in streams:
        sensor.open(profile)
        sensor.start(pairs)
    try:
        for number in range(1, 9):
            for sensor, profile, pixels, size in streams:
                frame = sdk.software_video_frame()
                frame.pixels, frame.bpp, frame.stride = pixels, size, size * pixels.shape[1]
                frame.timestamp, frame.frame_number = number * 33.0, number
                frame.domain = sdk.timestamp_domain.hardware_clock
                frame.profile, frame.depth_units = profile.as_video_stream_profile(), 0.001
                sensor.on_video_frame(frame)
            found = pairs.poll_for_frames()
            if found and found.size() == 2:
                aligned = sdk.align(sdk.stream.color).process(found).get_depth_frame()
                return np.asanyarray(aligned.get_data()).copy()
    finally:
        for sensor, *_ in streams:
            sensor.stop()
            sensor.close()
    raise AssertionError("the simulated camera gave no pair of frames")


@pytest.mark.parametrize("color_size", [(848, 480), (1280, 720), (640, 480)])
@pytest.mark.parametrize(
    ("depth_lens", "color_lens"),
    [
        ("brown_conrady", "inverse_brown_conrady"),
        ("inverse_brown_conrady", "modified_brown_conrady"),
        ("modified_brown_conrady", "brown_conrady"),
    ],
)
@pytest.mark.parametrize("coefficients", [(), LENS])
def test_every_pixel_is_the_sdks(
    sdk: Any, color_size: Size, depth_lens: str, color_lens: str, coefficients: tuple[float, ...]
) -> None:
    size = (848, 480)
    pair = calibration(
        camera(
            size,
            425.3,
            cx_px=424.25,
            distortion_model=depth_lens,
            distortion_coeffs=tuple(single(c / 2) for c in coefficients),
        ),
        camera(
            color_size,
            single(0.711 * color_size[0]),
            cy_px=color_size[1] / 2 - 3.125,
            distortion_model=color_lens,
            distortion_coeffs=tuple(map(single, coefficients)),
        ),
        turned=(0.01, -0.02, 0.015),
        moved_m=(0.0147, 0.0002, -0.0011),
    )
    depth = room(size)
    expected = align_by_sdk(sdk, depth, pair)
    assert 0.5 < (expected > 0).mean() < 1
    assert (align_depth_to_color(depth, pair, depth_unit_m=0.001) == expected).all()


@pytest.mark.parametrize(
    ("depth_size", "color_size"), [((640, 480), (640, 360)), ((640, 480),) * 2]
)
def test_a_coarser_picture_is_filled_as_the_sdk_fills_it(
    sdk: Any, depth_size: Size, color_size: Size
) -> None:
    pair = calibration(camera(depth_size, 600), camera(color_size, 450), moved_m=(0.015, 0, 0))
    depth = room(depth_size)
    expected = align_by_sdk(sdk, depth, pair)
    assert (align_depth_to_color(depth, pair, depth_unit_m=0.001) == expected).all()


@pytest.mark.skipif(not RECORDING.is_file(), reason="no real recording beside the checkout")
def test_a_real_recording_aligns_as_the_sdk_aligns_it(sdk: Any) -> None:
    pipeline, config = sdk.pipeline(), sdk.config()
    config.enable_device_from_file(str(RECORDING), repeat_playback=False)
    wrapped = sdk.pipeline_wrapper(pipeline)
    playback = config.resolve(wrapped).get_device().as_playback()
    playback.set_real_time(False)
    # Paused until the pipeline listens, so that the first pair is not lost.
    playback.pause()
    pipeline.start(config)
    playback.resume()
    try:
        came, frames = pipeline.try_wait_for_frames(5000)
        assert came
        depth, color = frames.get_depth_frame(), frames.get_color_frame()
        expected = sdk.align(sdk.stream.color).process(frames).get_depth_frame()
        expected = np.asanyarray(expected.get_data()).copy()
        pair = calibration_of(depth.profile, color.profile)
        found = align_depth_to_color(
            np.asanyarray(depth.get_data()), pair, depth_unit_m=depth.get_units()
        )
    finally:
        pipeline.stop()
    assert (expected > 0).mean() > 0.9
    assert (found == expected).all()


def calibration_of(depth_profile: Any, color_profile: Any) -> Calibration:
    cameras = []
    for profile in (depth_profile, color_profile):
        lens = profile.as_video_stream_profile().intrinsics
        cameras.append(
            CameraIntrinsics(
                width_px=lens.width,
                height_px=lens.height,
                fx_px=lens.fx,
                fy_px=lens.fy,
                cx_px=lens.ppx,
                cy_px=lens.ppy,
                distortion_model=lens.model.name,
                distortion_coeffs=tuple(lens.coeffs),
            )
        )
    between = depth_profile.get_extrinsics_to(color_profile)
    transform = RigidTransform(
        target="color",
        source="depth",
        rotation=tuple(map(tuple, np.array(between.rotation).reshape(3, 3).T.tolist())),
        translation_m=tuple(between.translation),
    )
    return Calibration(color=cameras[1], depth=cameras[0], depth_to_color=transform)


# Faults


def test_a_calibration_without_the_depth_camera_is_refused() -> None:
    one = camera((8, 6), 8)
    depth = np.ones((6, 8), np.uint16)
    with pytest.raises(GeometryError, match="^depth: expected it in a calibration"):
        align_depth_to_color(depth, Calibration(color=one), depth_unit_m=0.001)
    with pytest.raises(GeometryError, match="^depth_to_color: expected it"):
        align_depth_to_color(depth, Calibration(color=one, depth=one), depth_unit_m=0.001)


def test_depth_of_another_grid_is_refused() -> None:
    pair = calibration(camera((8, 6), 8), camera((8, 6), 8))
    with pytest.raises(GeometryError, match="expected 8x6 of uint16 .* found 6x8 of uint16"):
        align_depth_to_color(np.ones((8, 6), np.uint16), pair, depth_unit_m=0.001)
    with pytest.raises(GeometryError, match="found 8x6 of float32"):
        align_depth_to_color(np.ones((6, 8), np.float32), pair, depth_unit_m=0.001)  # type: ignore[arg-type]


@pytest.mark.parametrize("which", ["depth", "color"])
def test_a_lens_that_nobody_knows_is_refused(which: str) -> None:
    odd = {which: camera((8, 6), 8, distortion_model="kannala_brandt4")}
    pair = calibration(**{"depth": camera((8, 6), 8), "color": camera((8, 6), 8), **odd})
    with pytest.raises(GeometryError, match="distortion_model: expected one of"):
        align_depth_to_color(np.ones((6, 8), np.uint16), pair, depth_unit_m=0.001)


@given(
    depth_f=st.floats(1e-3, 1e9),
    color_f=st.floats(1e-3, 1e9),
    centre=st.floats(-1e9, 1e9),
    moved_m=st.tuples(*[st.floats(-1e6, 1e6)] * 3),
    unit_m=st.floats(1e-9, 1e9),
    lens=st.tuples(*[st.floats(-1e9, 1e9)] * 5),
)
@settings(max_examples=60, deadline=None)
def test_senseless_calibrations_give_readings_that_were_there_or_none(
    depth_f: float,
    color_f: float,
    centre: float,
    moved_m: tuple[float, float, float],
    unit_m: float,
    lens: tuple[float, ...],
) -> None:
    depth = room((24, 18))
    more: dict[str, Any] = {"distortion_coeffs": lens, "cx_px": centre}
    pair = calibration(
        camera((24, 18), depth_f, distortion_model="inverse_brown_conrady", **more),
        camera((40, 30), color_f, distortion_model="modified_brown_conrady", **more),
        moved_m=moved_m,
    )
    aligned = align_depth_to_color(depth, pair, depth_unit_m=unit_m)
    assert aligned.shape == (30, 40)
    assert set(np.unique(aligned)) <= {0, *np.unique(depth)}


def test_one_camera_for_both_gives_its_depth_as_it_is() -> None:
    rng = np.random.default_rng(1)
    lens = CameraIntrinsics(
        width_px=64, height_px=48, fx_px=50.3, fy_px=49.1, cx_px=31.7, cy_px=24.2
    )
    still = RigidTransform(
        target="color",
        source="depth",
        rotation=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        translation_m=(0.0, 0.0, 0.0),
    )
    depth = rng.integers(0, 5000, (48, 64), dtype=np.uint16)
    calibration = Calibration(color=lens, depth=lens, depth_to_color=still)

    aligned = align_depth_to_color(depth, calibration, depth_unit_m=0.001)

    np.testing.assert_array_equal(aligned, depth)
