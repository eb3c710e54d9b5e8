"""labelme's masks: two corners of a box, and a PNG of its pixels in base64."""

from __future__ import annotations

import base64
import struct
import zlib

import cv2
import numpy as np
import pytest

from mira.geometry.mask import decode_rle, rle_from_polygons


def encoded(pixels, ending=".png"):
    return base64.b64encode(cv2.imencode(ending, pixels)[1].tobytes()).decode()


def png_of_claimed_size(width, height):
    """A small file that says that it is a large picture."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return base64.b64encode(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    ).decode()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


BLOB = np.array(
    [[1, 1, 1, 1, 0], [1, 0, 0, 1, 0], [1, 0, 1, 1, 0], [1, 1, 1, 1, 1]], dtype=np.uint8
)


@pytest.fixture
def masked(shape):
    def build(pixels=BLOB, points=((10, 20), (14, 23)), **more):
        mask = encoded(pixels) if isinstance(pixels, np.ndarray) else pixels
        return shape(shape_type="mask", points=[list(p) for p in points], mask=mask, **more)

    return build


def pixels_of(instance):
    rle = rle_from_polygons(instance.polygons_px, instance.holes_px, width_px=100, height_px=100)
    return decode_rle(rle)


@pytest.mark.parametrize("value", [1, 255])
def test_the_pixels_of_a_mask_lie_from_the_first_corner_of_its_box_on(read, masked, codes, value):
    annotation, log = read(masked(BLOB * value))
    expected = np.zeros((100, 100), np.bool_)
    expected[20:24, 10:15] = BLOB
    (instance,) = annotation.instances
    assert (pixels_of(instance) == expected).all()
    assert codes(log.findings) == set()


@pytest.mark.parametrize(
    ("points", "left", "top"),
    [
        (((10.4, 20.4), (14.4, 23.4)), 10, 20),
        (((10.6, 20.6), (14.6, 23.6)), 11, 21),
        (((10.5, 20.4), (14.7, 23.4)), 10, 20),
    ],
)
def test_a_box_between_pixels_is_rounded_as_labelme_does(read, masked, points, left, top):
    annotation, _ = read(masked(points=points))
    rows, columns = np.nonzero(pixels_of(annotation.instances[0]))
    assert (columns.min(), rows.min()) == (left, top)
    assert len(rows) == np.count_nonzero(BLOB)


def test_the_mask_itself_is_not_kept_beside_its_rings(read, masked):
    annotation, _ = read(masked())
    (extra,) = annotation.source.shape_extras
    assert extra.keys["shape_type"] == "mask"
    assert "mask" not in extra.keys


def test_the_empty_mask_that_labelme_gives_other_shapes_is_none(read, shape):
    annotation, log = read(shape(mask=None))
    assert len(annotation.instances) == 1
    assert not log.has_errors


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"mask": None}, "mask-invalid", "mask"),
        ({"mask": 5}, "mask-invalid", "mask"),
        ({"mask": "no base64!"}, "mask-invalid", "mask"),
        ({"mask": "镜"}, "mask-invalid", "mask"),
        ({"mask": ""}, "mask-invalid", "mask"),
        ({"mask": base64.b64encode(b"GIF89a").decode()}, "mask-invalid", "mask"),
        ({"mask": encoded(BLOB, ".jpg")}, "mask-invalid", "mask"),
        ({"mask": encoded(np.dstack([BLOB] * 3))}, "mask-invalid", "mask"),
        ({"mask": encoded(BLOB)[:60]}, "mask-invalid", "mask"),
        ({"mask": png_of_claimed_size(5, 4)}, "mask-invalid", "mask"),
        ({"mask": png_of_claimed_size(9000, 9000)}, "mask-size", "mask"),
        ({"mask": png_of_claimed_size(60000, 60000)}, "mask-invalid", "mask"),
        ({"mask": png_of_claimed_size(5, 5)}, "mask-size", "mask"),
        ({"mask": encoded(BLOB[:, :4])}, "mask-size", "mask"),
        ({"mask": encoded(BLOB * 0)}, "area-empty", "mask"),
        ({"points": [[10, 20]]}, "points-count", "points"),
        ({"points": [[10, 20], [14, 23], [1, 1]]}, "points-count", "points"),
        ({"points": [[14, 23], [10, 20]]}, "mask-size", "mask"),
        ({"points": [[10, 20], [15, 23]]}, "mask-size", "mask"),
        ({"points": [["10", 20], [14, 23]]}, "point-invalid", "points[0][0]"),
        ({"points": [[110, 20], [114, 23]]}, "shape-outside", "mask"),
        (
            {"points": [[0, 0], [100, 3]], "mask": png_of_claimed_size(101, 4)},
            "mask-size",
            "mask",
        ),
    ],
)
def test_a_mask_at_fault_is_left_out_and_named(read, masked, shape, codes, change, code, field):
    good = shape(box=(70, 70, 90, 90), gid=9)
    annotation, log = read(good, {**masked(), **change})
    assert [instance.instance_id for instance in annotation.instances] == [9]
    assert codes(log.findings, "error") == {(code, f"shapes[1].{field}")}


def test_a_mask_that_leaves_the_picture_is_cut(read, masked, codes):
    annotation, log = read(masked(points=((97, 20), (101, 23))))
    assert np.count_nonzero(pixels_of(annotation.instances[0])) == np.count_nonzero(BLOB[:, :3])
    assert ("shape-clipped", "shapes[0].mask") in codes(log.findings)


def test_a_mask_may_have_a_hole_drawn_into_it(read, masked, shape):
    hole = shape("hole", (10, 20, 11, 24))
    annotation, _ = read(masked(), hole)
    assert np.count_nonzero(pixels_of(annotation.instances[0])) == np.count_nonzero(BLOB[:, 1:])
