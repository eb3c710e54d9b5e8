"""A trial as a GIF: what either sees, the floor from above, what is done and said."""

from __future__ import annotations

import io
import textwrap

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from mira.sim.treasure.asking.names import PLAYER_NAMES
from mira.sim.treasure.pictures.views import draw_portrait, draw_view
from mira.sim.treasure.replay.floor_plan import COLOURS, draw_floor
from mira.sim.treasure.replay.moments import Moment, Trial
from mira.sim.treasure.rules import PLAYERS, Player, other

_VIEW_PX = (480, 320)
_GAP_PX, _TOP_PX, _LINES_PX = 8, 34, 92
_PAPER, _INK = (245, 246, 244), (22, 33, 31)
_FACE_PX = 84
_TURN_MS, _SENTENCE_MS, _LAST_MS = 700, 2600, 4000
_LETTERS_A_LINE = 125


def make_gif(trial: Trial) -> bytes:
    """A GIF that runs for ever."""
    frames = [draw_moment(trial, k) for k in range(len(trial.moments))]
    pictures = [Image.fromarray(frame).quantize(256) for frame in frames]
    times = [_SENTENCE_MS if moment.said else _TURN_MS for moment in trial.moments]
    times[-1] = _LAST_MS
    stream = io.BytesIO()
    pictures[0].save(
        stream, "GIF", save_all=True, append_images=pictures[1:], duration=times, loop=0
    )
    return stream.getvalue()


def draw_moment(trial: Trial, place: int) -> NDArray[np.uint8]:
    """A frame, RGB of shape (446, 1304, 3).

    Args:
        trial: The trial.
        place: Which of its moments.
    """
    moment = trial.moments[place]
    width, height = _VIEW_PX
    size = (_TOP_PX + height + _LINES_PX, 2 * (width + _GAP_PX) + height + _GAP_PX, 3)
    frame: NDArray[np.uint8] = np.full(size, _PAPER, np.uint8)
    for k, player in enumerate(PLAYERS):
        left = k * (width + _GAP_PX)
        view = cv2.resize(_seen(trial, moment, player), _VIEW_PX, interpolation=cv2.INTER_AREA)
        frame[_TOP_PX : _TOP_PX + height, left : left + width] = view
    plan = draw_floor(
        list(trial.moments[: place + 1]), trial.boxes, trial.details.reward_box, size_px=height
    )
    left = 2 * (width + _GAP_PX)
    frame[_TOP_PX : _TOP_PX + height, left : left + height] = plan
    for k, player in enumerate(PLAYERS):
        face = draw_portrait(player, moment.emotions[player])
        at = left + 70 + k * (_FACE_PX + 20)
        top = _TOP_PX + height + 4
        frame[top : top + _FACE_PX, at : at + _FACE_PX] = cv2.resize(
            face, (_FACE_PX, _FACE_PX), interpolation=cv2.INTER_AREA
        )
    return _written(frame, trial, place)


def _seen(trial: Trial, moment: Moment, player: Player) -> NDArray[np.uint8]:
    partner = other(player)
    return draw_view(
        player,
        moment.stances[player],
        moment.stances[partner],
        trial.boxes,
        moment.emotions[partner],
    )


def _written(frame: NDArray[np.uint8], trial: Trial, place: int) -> NDArray[np.uint8]:
    moment, details = trial.moments[place], trial.details
    picture = Image.fromarray(frame)
    pen = ImageDraw.Draw(picture)
    small, large = ImageFont.load_default(15), ImageFont.load_default(18)
    width, height = _VIEW_PX
    for k, player in enumerate(PLAYERS):
        at = (k * (width + _GAP_PX) + 10, _TOP_PX // 2)
        face = f"face {moment.emotions[player].facial:+.2f}"
        name = f"{PLAYER_NAMES[player]} sees    ({face})"
        pen.text(at, name, fill=COLOURS[player], font=small, anchor="lm")
    condition = f"{details.mode}, theory of mind {details.tom_order}"
    at = (2 * (width + _GAP_PX) + 2, _TOP_PX // 2)
    pen.text(at, condition, fill=_INK, font=small, anchor="lm")
    below = _TOP_PX + height + 10
    done = moment.done if place < len(trial.moments) - 1 else f"{moment.done}.  {trial.ending}"
    pen.text((10, below), done, fill=_INK, font=large)
    lines = textwrap.wrap(moment.said, _LETTERS_A_LINE)[:2]
    pen.multiline_text((10, below + 30), "\n".join(lines), fill=_INK, font=small)
    return np.array(picture)
