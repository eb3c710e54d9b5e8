from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capture.importers.camera_file import CameraFile
from mira.errors import MiraError, SceneSourceError
from mira.schema.capture import Calibration, CameraIntrinsics

OURS = CameraIntrinsics(width_px=8, height_px=6, fx_px=5, fy_px=5.5, cx_px=3.5, cy_px=2.5)
ROWS = [[5, 0, 3.5], [0, 5.5, 2.5], [0, 0, 1]]
SIZE = {"width": 8, "height": 6}


def parse(data) -> CameraFile:
    return CameraFile.parse(json.dumps(data).encode(), where="cam.json", step_limit_m=0.1)


@pytest.mark.parametrize(
    "data",
    [
        OURS.model_dump(mode="json"),
        {**SIZE, "fx": 5, "fy": 5.5, "ppx": 3.5, "ppy": 2.5, "model": "none", "coeffs": [0.0] * 5},
        {**SIZE, "intrinsic_matrix": [5, 0, 0, 0, 5.5, 0, 3.5, 2.5, 1]},
        {**SIZE, "K": [value for row in ROWS for value in row], "D": [0, 0, 0, 0, 0]},
        {**SIZE, "camera_matrix": {"rows": 3, "cols": 3, "data": [*ROWS[0], *ROWS[1], *ROWS[2]]}},
        {"camera_info": {**SIZE, "K": ROWS}},
        {"color": OURS.model_dump(mode="json"), "depth_scale": 1000},
        {"class_name": "PinholeCameraParameters", "intrinsic": {**SIZE, "intrinsic_matrix": ROWS}},
        {"K": ROWS},
    ],
)
def test_forms_of_common_tools_give_the_same_camera(data):
    assert parse(data).calibration((8, 6), of="a.png") == Calibration(color=OURS)


@pytest.mark.parametrize(
    ("model", "coefficients", "expected"),
    [
        ("plumb_bob", [0.1, 0, 0, 0, 0], "brown_conrady"),
        ("plumb_bob", [0, 0, 0, 0, 0], "none"),
        (None, [0.1, 0.2], "brown_conrady"),
        ("inverse_brown_conrady", [0.1], "inverse_brown_conrady"),
    ],
)
def test_lens_models_have_our_names(model, coefficients, expected):
    data = {**SIZE, "K": ROWS, "distortion_model": model, "D": coefficients}
    color = parse(data).calibration((8, 6), of="a.png").color
    assert color.distortion_model == expected


@pytest.mark.parametrize(("scale", "unit"), [(1000, 0.001), (0.001, 0.001), (5000.0, 0.0002)])
def test_a_scale_counts_steps_a_metre_or_metres_a_step(scale, unit):
    assert parse({**SIZE, "K": ROWS, "depth_scale": scale}).depth_unit_m == pytest.approx(unit)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected an object"),
        ({**SIZE}, "fx_px: expected a number"),
        ({**SIZE, "K": [1, 2]}, "3x3 numbers"),
        ({**SIZE, "K": [5, 1, 3, 0, 5, 2, 0, 0, 1]}, "without skew"),
        ({**SIZE, "fx": "5", "fy": 5, "cx": 1, "cy": 1}, "fx_px"),
        ({**SIZE, "fx": -5, "fy": 5, "cx": 1, "cy": 1}, "fx_px"),
        ({**SIZE, "K": ROWS, "depth_scale": 1.5}, "depth_scale"),
        ({**SIZE, "K": ROWS, "depth_unit_m": "mm"}, "depth_unit_m"),
    ],
)
def test_what_is_no_camera_is_refused_by_field(data, message):
    with pytest.raises(SceneSourceError, match=message):
        parse(data)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**63) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=10) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)
names = st.sampled_from(
    ["width", "height", "fx", "fy", "cx", "ppy", "K", "D", "intrinsic_matrix", "camera_matrix",
     "intrinsics", "color", "depth", "depth_to_color", "depth_scale", "distortion_model",
     "distortion_coeffs", "device_name", "serial_number", "schema_version"]
)  # fmt: skip


@given(st.dictionaries(names, values), st.booleans())
def test_any_object_gives_a_camera_of_the_picture_s_size_or_one_of_our_errors(data, whole):
    try:
        text = orjson.dumps({**SIZE, "fx": 5, "fy": 5, "cx": 1, "cy": 1, **data} if whole else data)
    except TypeError:
        return
    try:
        found = CameraFile.parse(text, where="cam.json", step_limit_m=0.1)
        color = found.calibration((8, 6), of="a.png").color
    except MiraError:
        return
    assert (color.width_px, color.height_px) == (8, 6)
    assert found.depth_unit_m is None or 0 < found.depth_unit_m < 0.1


@given(st.binary(max_size=40))
def test_any_bytes_are_a_camera_or_one_of_our_errors(text):
    with pytest.raises(MiraError):
        CameraFile.parse(text, where="cam.json", step_limit_m=0.1)
