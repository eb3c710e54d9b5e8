from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from annotate.scenes.pictures import read_picture
from mira.errors import SceneSourceError
from mira.render.header import read_header

LIMIT = 10_000_000


def exif_jpeg(path: Path, orientation: int, order: str = ">") -> Path:
    noise = np.arange(120 * 160 * 3, dtype=np.uint32).reshape(120, 160, 3) % 251
    raw = cv2.imencode(".jpg", noise.astype(np.uint8))[1].tobytes()
    mark = b"MM\0*" if order == ">" else b"II*\0"
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = mark + struct.pack(f"{order}IH", 8, 1) + entry + bytes(4)
    block = b"Exif\0\0" + tiff
    path.write_bytes(raw[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + raw[2:])
    return path


@pytest.mark.parametrize("ending", [".png", ".jpg", ".JPEG"])
def test_the_header_gives_the_size_that_decoding_gives(tmp_path, write_picture, ending):
    path = write_picture(tmp_path / f"a{ending}", width=123, height=45)
    assert read_picture(path, limit_px=LIMIT).header.size_px == (123, 45)


def test_content_decides_the_format_not_the_name(tmp_path, write_picture):
    path = write_picture(tmp_path / "a.png").rename(tmp_path / "a.jpg")
    assert read_picture(path, limit_px=LIMIT).header.format == "png"


def test_a_depth_map_says_that_it_is_one(tmp_path, write_picture):
    header = read_picture(write_picture(tmp_path / "d.png", depth=True), limit_px=LIMIT).header
    assert header.holds_depth


@pytest.mark.parametrize("order", [">", "<"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_turned_picture_keeps_its_stored_size(tmp_path, orientation, order):
    path = exif_jpeg(tmp_path / "a.jpg", orientation, order)
    header = read_picture(path, limit_px=LIMIT).header
    assert header.size_px == (160, 120)
    assert header.orientation == orientation
    assert header.turned == (orientation > 4)


def test_a_png_may_have_an_orientation_too(tmp_path, write_picture):
    raw = write_picture(tmp_path / "a.png").read_bytes()
    tiff = (
        b"MM\0*" + struct.pack(">IH", 8, 1) + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + bytes(4)
    )
    chunk = struct.pack(">I", len(tiff)) + b"eXIf" + tiff
    chunk += struct.pack(">I", zlib.crc32(chunk[4:]))
    path = tmp_path / "b.png"
    path.write_bytes(raw[:33] + chunk + raw[33:])
    assert read_picture(path, limit_px=LIMIT).header.turned


@pytest.mark.parametrize("ending", [".png", ".jpg"])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.99])
def test_a_picture_that_was_cut_off_is_refused(tmp_path, ending, share):
    noise = np.random.default_rng(0).integers(0, 255, (90, 80, 3), dtype=np.uint8)
    raw = cv2.imencode(ending, noise)[1].tobytes()
    path = tmp_path / f"a{ending}"
    path.write_bytes(raw[: int(len(raw) * share)])
    with pytest.raises(SceneSourceError, match="expected"):
        read_picture(path, limit_px=LIMIT)


def test_a_picture_whose_pixels_are_damaged_is_refused(tmp_path, write_picture):
    raw = write_picture(tmp_path / "a.png").read_bytes()
    start = raw.index(b"IDAT")
    (tmp_path / "a.png").write_bytes(raw[: start + 4] + bytes(20) + raw[start + 24 :])
    with pytest.raises(SceneSourceError, match="decoded"):
        read_picture(tmp_path / "a.png", limit_px=LIMIT)


@pytest.mark.parametrize("side", [4_000, 12_000, 90_000])
def test_a_picture_that_claims_to_be_huge_is_not_decoded(tmp_path, write_picture, side):
    raw = bytearray(write_picture(tmp_path / "a.png").read_bytes())
    raw[16:24] = struct.pack(">II", side, side)
    raw[29:33] = struct.pack(">I", zlib.crc32(raw[12:29]))
    (tmp_path / "a.png").write_bytes(raw)
    with pytest.raises(SceneSourceError, match="at most"):
        read_picture(tmp_path / "a.png", limit_px=LIMIT)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"GIF89a",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0\x00\x00",
        b"\xff\xd8ab",
    ],
)
def test_other_bytes_are_refused_in_one_line(raw):
    with pytest.raises(SceneSourceError) as caught:
        read_header(raw, where="a.png")
    assert "\n" not in str(caught.value)


def test_a_missing_picture_is_named():
    with pytest.raises(SceneSourceError, match=r"nowhere\.png"):
        read_picture(Path("nowhere.png"), limit_px=LIMIT)
