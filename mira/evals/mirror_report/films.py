"""An episode as a film: GIF or MP4, with a line below each picture."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mira.errors import EpisodeError
from mira.evals.mirror_report.moments import Moment, caption_of

_SIZE_PX, _LINE_PX, _LETTER_PX = 576, 40, 17
_SECONDS, _LAST_SECONDS = 0.7, 2.5
_RATE = 10
"""Pictures a second of an MP4, each of which is shown several times."""
_PAPER, _INK = (245, 246, 244), (22, 33, 31)


def make_gif(moments: Sequence[Moment]) -> bytes:
    """A GIF that runs for ever.

    Raises:
        EpisodeError: There is a moment without a picture.
    """
    pictures = [Image.fromarray(frame).quantize(256) for frame in _frames(moments)]
    times = [round(1000 * _SECONDS)] * (len(pictures) - 1) + [round(1000 * _LAST_SECONDS)]
    stream = io.BytesIO()
    pictures[0].save(
        stream,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=times,
        loop=0,
        optimize=False,
    )
    return stream.getvalue()


def make_mp4(moments: Sequence[Moment]) -> bytes:
    """An MP4 in MPEG-4 Part 2, which needs no other program and which players know.

    Raises:
        EpisodeError: There is a moment without a picture, or OpenCV cannot write films here.
    """
    frames = _frames(moments)
    height, width = frames[0].shape[:2]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "film.mp4"
        code = cv2.VideoWriter.fourcc(*"mp4v")
        film = cv2.VideoWriter(str(path), code, _RATE, (width, height))
        if not film.isOpened():
            raise EpisodeError("replay", "expected an OpenCV that writes MP4", "write a .gif")
        for place, frame in enumerate(frames):
            seconds = _LAST_SECONDS if place == len(frames) - 1 else _SECONDS
            for _ in range(round(seconds * _RATE)):
                film.write(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR))
        film.release()
        return path.read_bytes()


def _frames(moments: Sequence[Moment]) -> list[NDArray[np.uint8]]:
    return [
        _frame(moment, caption_of(moment, number, len(moments) - 1))
        for number, moment in enumerate(moments, start=1)
    ]


def _frame(moment: Moment, caption: str) -> NDArray[np.uint8]:
    """A picture with its line below, shape (616, 576, 3)."""
    if moment.picture is None:
        raise EpisodeError(
            caption, "expected a picture, found none", "write a .html, or let pictures be drawn"
        )
    frame = np.full((_SIZE_PX + _LINE_PX, _SIZE_PX, 3), _PAPER, np.uint8)
    size = (_SIZE_PX, _SIZE_PX)
    frame[:_SIZE_PX] = cv2.resize(moment.picture, size, interpolation=cv2.INTER_AREA)
    picture = Image.fromarray(frame)
    font = ImageFont.load_default(_LETTER_PX)
    middle = _SIZE_PX + _LINE_PX // 2
    ImageDraw.Draw(picture).text((14, middle), caption, fill=_INK, font=font, anchor="lm")
    return np.array(picture)
