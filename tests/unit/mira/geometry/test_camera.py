"""Pixels and points belong together through every lens, and as the camera's SDK has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capture.sdk import load_sdk
from mira.errors import GeometryError, MiraError
from mira.geometry.camera import (
    LENS_MODELS,
    deproject_pixels,
    deproject_rays,
    project_points,
    transform_points,
)
from mira.schema.capture import CameraIntrinsics, RigidTransform

REAL_LENS = (-0.0556, 0.0669, -0.0006, 0.0003, -0.0213)
STRONG_LENS = (0.15, -0.45, 0.001, -0.0005, 0.4)


def camera(model: str = "none", coefficients: tuple[float, ...] = ()) -> CameraIntrinsics:
    return CameraIntrinsics(
        width_px=1280,
        height_px=720,
        fx_px=640.0,
        fy_px=641.5,
        cx_px=644.25,
        cy_px=355.5,
        distortion_model=model,
        distortion_coeffs=coefficients,
    )


def corners_and_more() -> np.ndarray:
    y, x = np.mgrid[-0.5:719.5:25j, -0.5:1279.5:41j]
    return np.stack((x, y), axis=-1)


@pytest.fixture(scope="module")
def sdk() -> Any:
    try:
        return load_sdk()
    except MiraError as error:
        pytest.skip(f"needs the camera's SDK: {error}")


def sdk_intrinsics(sdk: Any, camera: CameraIntrinsics, model: str | None = None) -> Any:
    made = sdk.intrinsics()
    made.width, made.height = camera.width_px, camera.height_px
    made.fx, made.fy, made.ppx, made.ppy = camera.fx_px, camera.fy_px, camera.cx_px, camera.cy_px
    made.model = getattr(sdk.distortion, model or camera.distortion_model)
    made.coeffs = list(camera.distortion_coeffs)
    return made


def test_the_principal_point_looks_straight_ahead() -> None:
    assert deproject_pixels(camera(), (644.25, 355.5), depth_m=3.0).tolist() == [0, 0, 3]
    assert project_points(camera(), (0, 0, 3)).tolist() == [644.25, 355.5]


def test_a_focal_length_from_the_centre_is_45_degrees() -> None:
    assert deproject_rays(camera(), (644.25 + 640, 355.5)).tolist() == [1, 0, 1]


@pytest.mark.parametrize("model", LENS_MODELS)
@pytest.mark.parametrize("lens", [REAL_LENS, STRONG_LENS])
def test_rays_of_pixels_come_back_to_them(model: str, lens: tuple[float, ...]) -> None:
    pixels = corners_and_more()
    points = deproject_pixels(camera(model, lens), pixels, depth_m=np.full(pixels.shape[:-1], 2.5))
    assert points.shape == (25, 41, 3)
    assert (points[..., 2] == 2.5).all()
    np.testing.assert_allclose(project_points(camera(model, lens), points), pixels, atol=1e-6)


small = st.floats(-0.1, 0.1)
tiny = st.floats(-0.005, 0.005)


@given(
    model=st.sampled_from(LENS_MODELS),
    lens=st.tuples(small, small, tiny, tiny, small),
    point=st.tuples(st.floats(-0.8, 0.8), st.floats(-0.5, 0.5), st.floats(0.1, 20)),
)
def test_points_come_back_from_their_pixels(
    model: str, lens: tuple[float, ...], point: tuple[float, float, float]
) -> None:
    x, y, z = point
    points = np.array((x * z, y * z, z))
    pixel = project_points(camera(model, lens), points)
    np.testing.assert_allclose(
        deproject_pixels(camera(model, lens), pixel, depth_m=z), points, atol=1e-6 * z
    )


@pytest.mark.parametrize("model", LENS_MODELS)
def test_projecting_is_what_the_sdk_does(sdk: Any, model: str) -> None:
    one = camera(model, STRONG_LENS)
    points = deproject_pixels(camera(), corners_and_more(), depth_m=2.0).reshape(-1, 3)
    theirs = sdk_intrinsics(sdk, one)
    expected = [sdk.rs2_project_point_to_pixel(theirs, point.tolist()) for point in points]
    np.testing.assert_allclose(project_points(one, points), expected, atol=1e-3)


@pytest.mark.parametrize("model", LENS_MODELS)
def test_deprojecting_is_what_the_sdk_does(sdk: Any, model: str) -> None:
    one = camera(model, REAL_LENS)
    pixels = corners_and_more().reshape(-1, 2)
    # The SDK does not deproject the modified model; its formula is that of the inverse one.
    theirs = sdk_intrinsics(sdk, one, model.replace("modified", "inverse"))
    expected = [sdk.rs2_deproject_pixel_to_point(theirs, pixel.tolist(), 2.0) for pixel in pixels]
    np.testing.assert_allclose(deproject_pixels(one, pixels, depth_m=2.0), expected, atol=2e-6)


def test_points_beside_and_behind_the_camera_have_no_pixel() -> None:
    points = ((1, 1, 0), (0, 0, -1), (0, 0, 0), (0, 0, 1))
    for lens in (camera(), camera("brown_conrady", REAL_LENS)):
        pixels = project_points(lens, points)
        assert np.isnan(pixels).all(axis=-1).tolist() == [True, True, True, False]


def test_what_has_no_number_stays_so() -> None:
    pixels = ((np.nan, 3.0), (4.0, 5.0))
    for lens in (camera(), camera("brown_conrady", REAL_LENS)):
        rays = deproject_rays(lens, pixels)
        assert np.isnan(rays[0, 0])
        assert np.isfinite(rays[1]).all()


def test_no_pixels_have_no_rays() -> None:
    assert deproject_rays(camera("brown_conrady", REAL_LENS), np.zeros((0, 2))).shape == (0, 3)


def test_without_a_lens_coefficients_mean_nothing() -> None:
    pixels = corners_and_more()
    plain = deproject_rays(camera(), pixels)
    assert (deproject_rays(camera("none", (9.0,) * 8), pixels) == plain).all()
    assert (deproject_rays(camera("brown_conrady"), pixels) == plain).all()


def test_coefficients_that_are_left_off_are_0() -> None:
    pixels = corners_and_more()
    short = deproject_rays(camera("brown_conrady", REAL_LENS[:2]), pixels)
    assert (
        short == deproject_rays(camera("brown_conrady", (*REAL_LENS[:2], 0, 0, 0)), pixels)
    ).all()


def test_lenses_that_nobody_knows_are_refused() -> None:
    with pytest.raises(GeometryError, match="distortion_model: expected one of none, .* 'ftheta'"):
        deproject_rays(camera("ftheta", REAL_LENS), (1, 1))
    with pytest.raises(GeometryError, match="distortion_coeffs: expected at most 5 .* found 8"):
        project_points(camera("brown_conrady", (0.1,) * 8), (1, 1, 1))


@given(st.tuples(*[st.floats(-1e3, 1e3)] * 5), st.sampled_from(LENS_MODELS))
@settings(max_examples=50)
def test_a_lens_is_undone_or_refused(lens: tuple[float, ...], model: str) -> None:
    pixels = corners_and_more()[::6, ::8]
    one = camera(model, lens)
    try:
        rays = deproject_rays(one, pixels)
    except GeometryError:
        return
    np.testing.assert_allclose(project_points(one, rays), pixels, atol=1e-6)


def test_a_transform_takes_points_as_its_record_says() -> None:
    turn = RigidTransform(
        target="color",
        source="depth",
        rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        translation_m=(0.5, 0.0, -1.0),
    )
    moved = transform_points(turn, [[(1, 2, 3)], [(0, 0, 0)]])
    assert moved.tolist() == [[[-1.5, 1, 2]], [[0.5, 0, -1]]]


def test_a_transform_is_what_the_sdk_does(sdk: Any) -> None:
    c, s = np.cos(0.3), np.sin(0.3)
    turn = RigidTransform(
        target="color",
        source="depth",
        rotation=((c, 0.0, s), (0.0, 1.0, 0.0), (-s, 0.0, c)),
        translation_m=(0.015, 0.0, -0.001),
    )
    theirs = sdk.extrinsics()
    theirs.rotation = np.array(turn.rotation).T.ravel().tolist()
    theirs.translation = list(turn.translation_m)
    point = [0.3, -0.2, 1.5]
    expected = sdk.rs2_transform_point_to_point(theirs, point)
    np.testing.assert_allclose(transform_points(turn, point), expected, atol=1e-6)
