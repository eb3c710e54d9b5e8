"""Whatever turns a picture in Pillow, and so in `datasets`, is told by its header."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageOps, PngImagePlugin

from mira.render.header import may_be_turned, read_header

XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
    'xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="{turn}"/></rdf:RDF></x:xmpmeta>'
)
EXIF = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0%c\0\0\0\0\0\0"


def _saved(form: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (30, 20), "red").save(file, form, **options)
    return file.getvalue()


def _png_text(key: str, text: str, *, packed: bool) -> bytes:
    info = PngImagePlugin.PngInfo()
    if key.startswith("XML"):
        info.add_itxt(key, text, zip=packed)
    else:
        info.add_text(key, text, zip=packed)
    return _saved("PNG", pnginfo=info)


def _profile(turn: int) -> str:
    return f"\nexif\n      38\n{(EXIF % turn).hex()}\n"


@pytest.mark.parametrize("turn", [1, 6])
@pytest.mark.parametrize(
    "make",
    [
        lambda turn: _saved("JPEG", exif=EXIF % turn),
        lambda turn: _saved("JPEG", xmp=XMP.format(turn=turn).encode()),
        lambda turn: _saved("PNG", exif=EXIF % turn),
        lambda turn: _png_text("XML:com.adobe.xmp", XMP.format(turn=turn), packed=False),
        lambda turn: _png_text("XML:com.adobe.xmp", XMP.format(turn=turn), packed=True),
        lambda turn: _png_text("Raw profile type exif", _profile(turn), packed=False),
        lambda turn: _png_text("Raw profile type exif", _profile(turn), packed=True),
    ],
)
def test_orientation_is_the_one_that_pillow_turns_by(make, turn):
    data = make(turn)
    assert read_header(data, where="a").orientation == turn
    assert may_be_turned(data)
    with Image.open(io.BytesIO(data)) as picture:
        assert ImageOps.exif_transpose(picture).size == ((20, 30) if turn == 6 else (30, 20))


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_a_plain_picture_cannot_be_turned(form):
    assert not may_be_turned(_saved(form))


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\n\0\0", b"GIF89a"])
def test_what_is_cut_off_is_looked_through_to_its_end(data):
    assert may_be_turned(data) is not data.startswith(b"\x89PNG")
