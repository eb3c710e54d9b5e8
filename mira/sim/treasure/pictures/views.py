"""First-person pictures of the treasure game, 720 by 480."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mira.render.png import encode_png
from mira.schema.capture import CameraIntrinsics
from mira.sim.treasure.agent import Emotion
from mira.sim.treasure.floor import Square, Stance, off_axis_deg, path_length
from mira.sim.treasure.match import Visual
from mira.sim.treasure.pictures.canvas import HEIGHT_PX, WIDTH_PX, Canvas, Eye
from mira.sim.treasure.pictures.people import CROWN_M, EYES_M, draw_person
from mira.sim.treasure.pictures.room import CEILING, CELL_M, chest, draw_room, draw_shadow
from mira.sim.treasure.pictures.solids import Pose, draw_parts
from mira.sim.treasure.play import Camera
from mira.sim.treasure.rules import Player, other

_FOCAL_PX = 470.0
"""Shows 75 degrees from left to right: both boxes at the start."""
_HALF_WIDTH_DEG, _HALF_HEIGHT_DEG = 37.5, 25.5
"""What is seen to either side, and up and down with some room to the edge."""
_LEVEL_PITCH_DEG, _NEAR_PITCH_DEG = -9.0, -26.0
_INSET_PX = 150
_MARGIN_PX = 12


def make_camera(visual: Visual) -> Camera:
    """What draws a visual condition for players."""
    return lambda seen: picture(
        visual, seen.player, seen.own, seen.partner, seen.boxes, seen.partner_emotion
    )


@lru_cache(maxsize=256)
def picture(
    visual: Visual,
    viewer: Player,
    own: Stance,
    partner: Stance,
    boxes: tuple[Square, Square],
    shown: Emotion,
) -> bytes:
    """A PNG file of what a player sees; equal moments give equal bytes.

    Args:
        visual: The condition.
        viewer: Who sees it.
        own: Where the viewer is.
        partner: Where the other is.
        boxes: Where the dark and the light brown box are.
        shown: What the other shows.
    """
    if visual == "blank":
        return encode_png(np.full((HEIGHT_PX, WIDTH_PX, 3), 255, np.uint8))
    view = draw_view(viewer, own, partner, boxes, shown)
    if visual == "rendered_face":
        _set_in(view, draw_portrait(other(viewer), shown))
    return encode_png(view)


def draw_view(
    viewer: Player, own: Stance, partner: Stance, boxes: tuple[Square, Square], shown: Emotion
) -> NDArray[np.uint8]:
    """The room as a player sees it, RGB of shape (480, 720, 3)."""
    canvas = Canvas(eye_of(own, partner, boxes), ground=CEILING)
    draw_things(canvas, viewer, own, partner, boxes, shown)
    return canvas.finished()


def eye_of(own: Stance, partner: Stance, boxes: tuple[Square, Square]) -> Eye:
    """How a player looks into the room."""
    x, y = own.at
    at_m = x * CELL_M, y * CELL_M, EYES_M
    return Eye(at_m, 45.0 * own.facing, _pitch_deg(own, partner, boxes), _FOCAL_PX)


def lens() -> CameraIntrinsics:
    """The lens of these pictures; the pixel origin is the centre of the first pixel.

    At twice the size the axis meets the centre of a point, a quarter of a pixel off the middle.
    """
    return CameraIntrinsics(
        width_px=WIDTH_PX,
        height_px=HEIGHT_PX,
        fx_px=_FOCAL_PX,
        fy_px=_FOCAL_PX,
        cx_px=WIDTH_PX / 2 - 0.25,
        cy_px=HEIGHT_PX / 2 - 0.25,
    )


def draw_things(
    canvas: Canvas,
    viewer: Player,
    own: Stance,
    partner: Stance,
    boxes: tuple[Square, Square],
    shown: Emotion,
) -> None:
    """Draw all that a player may see, far things first."""
    canvas.begin("room")
    draw_room(canvas)
    for at in boxes:
        draw_shadow(canvas, at, 0.3)
    draw_shadow(canvas, partner.at, 0.24)
    for thing in sorted((0, 1, 2), key=lambda k: -_away((*boxes, partner.at)[k], own.at)):
        if thing == 2:
            draw_person(canvas, other(viewer), _pose(partner), shown)
        else:
            canvas.begin("light_box" if thing else "dark_box")
            draw_parts(canvas, chest(boxes[thing], thing))


def draw_portrait(player: Player, shown: Emotion) -> NDArray[np.uint8]:
    """A player's face from its front, RGB, square."""
    eye = Eye((1.05, 0.0, EYES_M), 180.0, 0.0, _INSET_PX * 1.75)
    canvas = Canvas(eye, width_px=_INSET_PX, height_px=_INSET_PX, ground=(206, 214, 218))
    draw_person(canvas, player, Pose((0.0, 0.0), 0.0), shown)
    return canvas.finished()


def _set_in(view: NDArray[np.uint8], inset: NDArray[np.uint8]) -> None:
    """Put a framed picture into the upper right corner of another."""
    top, left = _MARGIN_PX, WIDTH_PX - _MARGIN_PX - _INSET_PX
    view[top - 3 : top + _INSET_PX + 3, left - 3 : left + _INSET_PX + 3] = 255
    view[top : top + _INSET_PX, left : left + _INSET_PX] = inset


def _pitch_deg(own: Stance, partner: Stance, boxes: tuple[Square, Square]) -> float:
    """Level, but down to a box that somebody stands before, as far as the other's face allows."""
    pitch = _LEVEL_PITCH_DEG
    if any(off_axis_deg(own, box) <= 45 and path_length(own.at, box) < 2 for box in boxes):
        pitch = _NEAR_PITCH_DEG
    if off_axis_deg(own, partner.at) <= _HALF_WIDTH_DEG:
        away = CELL_M * _away(own.at, partner.at)
        top = math.degrees(math.atan2(CROWN_M - EYES_M, away))
        pitch = max(pitch, top - _HALF_HEIGHT_DEG)
    return pitch


def _pose(stance: Stance) -> Pose:
    return Pose((stance.at[0] * CELL_M, stance.at[1] * CELL_M), 45.0 * stance.facing)


def _away(one: Square, two: Square) -> float:
    return float(np.hypot(one[0] - two[0], one[1] - two[1]))
