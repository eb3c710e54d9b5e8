from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mira.errors import SceneSourceError
from mira.render.png import encode_png
from mira.render.source import decode_color, decode_depth

COLOR_RGB = np.random.default_rng(3).integers(0, 256, (9, 7, 3), dtype=np.uint8)


def _encoded(image, suffix=".png"):
    return cv2.imencode(suffix, image)[1].tobytes()


def _turned(jpeg):
    """The JPEG with an EXIF block that says: turn by 90 degrees."""
    entry = b"\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"
    tiff = b"II*\x00\x08\x00\x00\x00\x01\x00" + entry + b"\x00\x00\x00\x00"
    payload = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + (len(payload) + 2).to_bytes(2, "big") + payload + jpeg[2:]


def test_png_keeps_every_pixel():
    np.testing.assert_array_equal(decode_color(encode_png(COLOR_RGB)), COLOR_RGB)


def test_sixteen_bit_colors_keep_their_high_byte():
    wide_bgr = COLOR_RGB[..., ::-1].astype(np.uint16) * 256 + 17
    np.testing.assert_array_equal(decode_color(_encoded(wide_bgr)), COLOR_RGB)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_gray_fills_all_three_channels(dtype):
    gray = COLOR_RGB[..., 0].astype(dtype) * (257 if dtype == np.uint16 else 1)
    decoded = decode_color(_encoded(gray))
    np.testing.assert_array_equal(decoded, np.repeat(COLOR_RGB[..., :1], 3, axis=2))


def test_alpha_is_dropped_and_hidden_colors_stay():
    rgba = np.dstack([COLOR_RGB[..., ::-1], np.zeros((9, 7), np.uint8)])
    np.testing.assert_array_equal(decode_color(_encoded(rgba)), COLOR_RGB)


def test_exif_rotation_is_left_undone():
    jpeg = _encoded(COLOR_RGB, ".jpg")
    assert cv2.imdecode(np.frombuffer(_turned(jpeg), np.uint8), cv2.IMREAD_COLOR).shape == (7, 9, 3)
    np.testing.assert_array_equal(decode_color(_turned(jpeg)), decode_color(jpeg))


def test_depth_keeps_every_reading():
    depth = np.array([[0, 1, 65535], [256, 255, 40000]], dtype=np.uint16)
    decoded = decode_depth(_encoded(depth))
    assert decoded.dtype == np.uint16
    np.testing.assert_array_equal(decoded, depth)


@pytest.mark.parametrize(
    ("image", "found"),
    [
        (COLOR_RGB[..., 0], "found 1 of uint8"),
        (COLOR_RGB, "found 3 of uint8"),
        (COLOR_RGB.astype(np.uint16), "found 3 of uint16"),
    ],
)
def test_depth_of_another_kind_is_refused_with_what_was_found(image, found):
    with pytest.raises(SceneSourceError, match=found):
        decode_depth(_encoded(image), where="depth.png")


@pytest.mark.parametrize("decode", [decode_color, decode_depth])
@given(st.binary(max_size=64))
def test_bytes_that_are_no_picture_name_the_file(decode, data):
    with pytest.raises(SceneSourceError, match=r"^a\.png: expected a"):
        decode(data, where="a.png")


def test_picture_cut_short_is_refused():
    data = encode_png(np.tile(COLOR_RGB, (20, 20, 1)))
    with pytest.raises(SceneSourceError):
        decode_color(data[: len(data) // 2])
