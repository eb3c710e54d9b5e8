"""Depth packed for the browser: every reading comes back, in a small file."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray
from PIL import Image

from annotate.app.depth_png import pack_depth
from mira.sim.packaged_scenes import packaged_scenes_dir

Depth = NDArray[np.uint16]


def unpacked(data: bytes) -> Depth:
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.mode == "RGB"
        assert picture.info == {}
        red, green, blue = np.moveaxis(np.asarray(picture, dtype=np.uint16), 2, 0)
    assert not blue.any()
    return (red << 8 | green).astype(np.uint16)


def every_reading() -> Depth:
    return np.arange(1 << 16, dtype=np.uint16).reshape(256, 256)


@given(
    arrays(
        np.uint16, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 65535)
    )
)
def test_readings_come_back(depth: Depth) -> None:
    assert np.array_equal(unpacked(pack_depth(depth)), depth)


def test_every_reading_there_is_comes_back() -> None:
    assert np.array_equal(unpacked(pack_depth(every_reading())), every_reading())


def test_another_decoder_reads_the_same() -> None:
    read = cv2.imdecode(np.frombuffer(pack_depth(every_reading()), np.uint8), cv2.IMREAD_UNCHANGED)
    assert read.shape == (256, 256, 3)
    assert np.array_equal(read[..., 2].astype(np.uint16) << 8 | read[..., 1], every_reading())


def test_slices_and_other_byte_orders_are_packed_as_they_read() -> None:
    whole = every_reading()
    part = whole[::2, ::-3]
    assert np.array_equal(unpacked(pack_depth(part)), part)
    assert pack_depth(whole.astype(">u2").astype(np.uint16)) == pack_depth(whole)


def test_the_same_readings_give_the_same_file() -> None:
    assert pack_depth(every_reading()) == pack_depth(every_reading().copy(order="F"))


def test_nothing_in_the_file_invites_colour_management() -> None:
    data = pack_depth(every_reading())
    kinds, at = [], 8
    while at < len(data):
        kinds.append(data[at + 4 : at + 8])
        at += 12 + int.from_bytes(data[at : at + 4], "big")
    assert kinds == [b"IHDR", b"IDAT", b"IEND"]


def test_a_packed_room_is_smaller_than_its_depth_on_disk() -> None:
    for stored in sorted(packaged_scenes_dir().glob("scenes/*/views/*/depth_aligned.png")):
        depth = cv2.imread(str(stored), cv2.IMREAD_UNCHANGED)
        assert len(pack_depth(depth)) < stored.stat().st_size


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((2, 2), np.int32),
        np.zeros((2, 2), np.uint8),
        np.zeros((2, 2, 1), np.uint16),
        np.zeros((0, 2), np.uint16),
    ],
)
def test_what_is_no_depth_map_is_refused(wrong: Depth) -> None:
    with pytest.raises(ValueError, match="depth: expected uint16"):
        pack_depth(wrong)
