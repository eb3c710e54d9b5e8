"""The preview: colour with the holes of depth, depth, and what a person needs to know in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from capture.pairing import max_dt_ms
from capture.policy import CapturePolicy
from capture.recording.watching import Standing
from capture.sources.frames import CameraState, FramePair
from mira.geometry.alignment import align_depth_to_color
from mira.render.depth import render_depth
from mira.render.quality import measure_quality
from mira.render.style import RenderStyle
from mira.schema.capture import Calibration, CameraIntrinsics

PREVIEW_WIDTH_PX = 1280
_REDUCED = 4
"""Depth is aligned at a quarter of its size, which a preview does not show."""
_STRIP_PX = 92
_PAPER, _INK, _QUIET, _WARN, _GOOD = (
    (20, 22, 26),
    (235, 238, 242),
    (150, 156, 165),
    (255, 176, 64),
    (112, 214, 140),
)
_HOLE = np.array((214, 64, 96), np.float32)
_HOLE_SHARE = 0.45


class Word(NamedTuple):
    """A piece of a line."""

    text: str
    colour: tuple[int, int, int] = _INK


def preview_picture(
    pair: FramePair,
    state: CameraState,
    standing: Standing,
    *,
    policy: CapturePolicy,
    show_holes: bool = True,
) -> NDArray[np.uint8]:
    """What the window shows, RGB.

    Args:
        pair: The newest pair.
        state: The camera.
        standing: Where recording stands.
        policy: Thresholds, and from where on numbers are warnings.
        show_holes: Whether colour is tinted where depth has no reading.

    Returns:
        Shape (height, `PREVIEW_WIDTH_PX`, 3).
    """
    half = PREVIEW_WIDTH_PX // 2
    lens = state.calibration.color
    height = round(half * lens.height_px / lens.width_px)
    small = cv2.resize(pair.color, (half, height), interpolation=cv2.INTER_AREA)
    color = np.asarray(small, np.uint8)
    if show_holes:
        color = _tinted(color, _aligned(pair, state.calibration))
    depth = render_depth(pair.depth, unit_m=pair.depth_unit_m, style=RenderStyle()).image_rgb
    board = np.empty((height + _STRIP_PX, PREVIEW_WIDTH_PX, 3), np.uint8)
    board[:] = _PAPER
    board[:height, :half] = color
    board[:height, half:] = _fitted(depth, half, height)
    lines = (
        _first_line(standing),
        _second_line(pair, state, policy),
        (Word("space keep   s skip   d depth holes   q quit and go on later", _QUIET),),
    )
    board[height:] = _strip(lines)
    return board


def _first_line(standing: Standing) -> Sequence[Word]:
    words = [
        Word(f"{standing.scene_id} / {standing.view_id}", _GOOD),
        Word(f"   {standing.number} of {standing.total}", _QUIET),
    ]
    if standing.message:
        words.append(Word(f"   {standing.message}"))
    return words


def _second_line(pair: FramePair, state: CameraState, policy: CapturePolicy) -> Sequence[Word]:
    quality = measure_quality(pair.color, pair.depth)
    dark, bright = quality.dark_fraction, quality.bright_fraction
    valid = quality.valid_depth_fraction or 0.0
    dt_ms = pair.timing.dt_ms
    apart = "clocks differ" if dt_ms is None else f"{dt_ms:.1f} ms apart"

    def word(text: str, *, warn: bool) -> Word:
        return Word(f"{text}   ", _WARN if warn else _INK)

    return (
        word(f"sharpness {quality.sharpness:.0f}", warn=False),
        word(f"dark {dark:.0%}", warn=dark > policy.warn_dark_fraction),
        word(f"bright {bright:.0%}", warn=bright > policy.warn_bright_fraction),
        word(f"depth {valid:.0%}", warn=valid < policy.warn_valid_depth_fraction),
        word(apart, warn=dt_ms is None or dt_ms > max_dt_ms(state, policy)),
        Word(f"{state.device.name} {state.device.usb_type or ''}".rstrip(), _QUIET),
    )


def _aligned(pair: FramePair, calibration: Calibration) -> NDArray[np.uint16]:
    """Depth on a reduced colour grid."""
    assert calibration.depth is not None
    small = calibration.model_copy(
        update={"color": _reduced(calibration.color), "depth": _reduced(calibration.depth)}
    )
    lens = small.depth
    assert lens is not None
    middle = _REDUCED // 2
    depth = pair.depth[middle::_REDUCED, middle::_REDUCED][: lens.height_px, : lens.width_px]
    return align_depth_to_color(np.ascontiguousarray(depth), small, depth_unit_m=pair.depth_unit_m)


def _reduced(lens: CameraIntrinsics) -> CameraIntrinsics:
    """The camera of every fourth pixel."""
    return lens.model_copy(
        update={
            "width_px": lens.width_px // _REDUCED,
            "height_px": lens.height_px // _REDUCED,
            "fx_px": lens.fx_px / _REDUCED,
            "fy_px": lens.fy_px / _REDUCED,
            "cx_px": (lens.cx_px - _REDUCED // 2) / _REDUCED,
            "cy_px": (lens.cy_px - _REDUCED // 2) / _REDUCED,
        }
    )


def _tinted(color: NDArray[np.uint8], aligned: NDArray[np.uint16]) -> NDArray[np.uint8]:
    size = (color.shape[1], color.shape[0])
    # Seams one reduced pixel wide come of rounding.
    empty = cv2.morphologyEx((aligned == 0).view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2)))
    holes = cv2.resize(empty, size, interpolation=cv2.INTER_NEAREST) > 0
    tinted = color.astype(np.float32)
    tinted[holes] += _HOLE_SHARE * (_HOLE - tinted[holes])
    return tinted.astype(np.uint8)


def _fitted(image: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    """A picture in the middle of a box, as large as it can be."""
    scale = min(width / image.shape[1], height / image.shape[0])
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    box = np.empty((height, width, 3), np.uint8)
    box[:] = _PAPER
    top, left = (height - size[1]) // 2, (width - size[0]) // 2
    small = cv2.resize(image, size, interpolation=cv2.INTER_NEAREST)
    box[top : top + size[1], left : left + size[0]] = small
    return box


def _strip(lines: Sequence[Sequence[Word]]) -> NDArray[np.uint8]:
    strip = Image.new("RGB", (PREVIEW_WIDTH_PX, _STRIP_PX), _PAPER)
    draw = ImageDraw.Draw(strip)
    for number, line in enumerate(lines):
        x = 14.0
        for word in line:
            draw.text((x, 8 + 27 * number), word.text, fill=word.colour, font=_font())
            x += draw.textlength(word.text, font=_font())
    return np.asarray(strip)


@cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=18)
