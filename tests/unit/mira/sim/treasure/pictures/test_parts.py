"""Where pictures show boxes and faces, held against pictures and a pinhole."""

import cv2
import numpy as np
import pytest

from mira.geometry.camera import project_points
from mira.sim.treasure.agent import NEUTRAL, Emotion
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.pictures.parts import PartMap
from mira.sim.treasure.pictures.room import chest
from mira.sim.treasure.pictures.views import draw_view, eye_of, lens
from mira.sim.treasure.rules import BOXES, START

SUBJECT, PARTICIPANT = START["subject"], START["participant"]


def parts_of(own, partner, boxes=BOXES, shown=NEUTRAL):
    return PartMap("participant", own, partner, boxes, shown)


@pytest.mark.parametrize("own", [PARTICIPANT, Stance((4, 4), 5), Stance((-1, 5), 6)])
def test_boxes_are_where_a_pinhole_puts_their_corners(own):
    partner = Stance((-5, 5), 0)
    eye = eye_of(own, partner, BOXES)
    right, up, forward = eye.axes
    for box, name in enumerate(("dark_box", "light_box")):
        corners = np.concatenate([part.corners_m.reshape(-1, 3) for part in chest(BOXES[box], box)])
        seen = (corners - np.array(eye.at_m)) @ np.stack((right, -up, forward)).T
        # Pixels to corners of pixels, and what the picture's edge cuts off.
        at = np.clip(project_points(lens(), seen) + 0.5, 0, (lens().width_px, lens().height_px))
        expected = (*at.min(axis=0), *at.max(axis=0))
        assert parts_of(own, partner).where((name,)).box_xyxy_px == pytest.approx(expected, abs=1)


@pytest.mark.parametrize("partner", [SUBJECT, Stance((1, -1), 1), Stance((2, -4), 3)])
def test_a_face_is_where_a_picture_changes_with_what_it_shows(partner):
    smile, frown = Emotion(0.9), Emotion(-0.9)
    one, two = (draw_view("participant", PARTICIPANT, partner, BOXES, e) for e in (smile, frown))
    rows, columns = np.nonzero(np.abs(one.astype(int) - two).max(axis=2) > 8)
    found = [parts_of(PARTICIPANT, partner, shown=e).where(("face",)) for e in (smile, frown)]
    boxes = np.array([one.box_xyxy_px for one in found])
    changed = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert changed[0] >= boxes[:, 0].min() - 1
    assert changed[1] >= boxes[:, 1].min() - 1
    assert changed[2] <= boxes[:, 2].max() + 1
    assert changed[3] <= boxes[:, 3].max() + 1


def test_red_cheeks_and_shadows_are_no_part_of_their_own():
    calm, flushed = (parts_of(PARTICIPANT, SUBJECT, shown=Emotion(0.2, p)) for p in (0.0, 0.9))
    assert calm.where(("face",)) == flushed.where(("face",))
    assert calm.where(("room",)) == flushed.where(("room",))


def test_what_stands_evenly_to_both_sides_has_its_middle_on_the_axis_of_the_lens():
    parts = parts_of(PARTICIPANT, SUBJECT)
    assert parts.where(("dark_box", "light_box")).centroid_px[0] == pytest.approx(
        lens().cx_px, abs=0.05
    )


def test_from_behind_a_head_has_no_face():
    away = parts_of(PARTICIPANT, Stance((0, -2), 6))
    assert away.where(("face",)) is None
    towards = parts_of(PARTICIPANT, Stance((0, -2), 2))
    # Long hair falls over the neck.
    assert away.where(("head", "face")).area_px > towards.where(("head", "face")).area_px


def test_what_is_behind_somebody_is_not_seen():
    parts = parts_of(Stance((0, 4), 2), SUBJECT)
    assert [parts.where((name,)) for name in ("dark_box", "light_box", "body", "face")] == [
        None
    ] * 4


def test_a_box_hides_what_stands_behind_it():
    partner, own = Stance((2, -3), 2), Stance((2, 3), 6)
    hidden = parts_of(own, partner).where(("body",))
    free = parts_of(own, partner, boxes=((-5, 5), (-5, 4))).where(("body",))
    assert hidden.area_px < 0.8 * free.area_px


def test_parts_lie_where_the_picture_has_their_colours():
    view = draw_view("participant", PARTICIPANT, SUBJECT, BOXES, NEUTRAL)
    x, y = parts_of(PARTICIPANT, SUBJECT).where(("body",)).centroid_px
    dress = np.abs(view.astype(int) - (42, 124, 130)).max(axis=2) <= 20
    rows, columns = np.nonzero(cv2.erode(dress.astype(np.uint8), np.ones((3, 3))))
    assert x == pytest.approx(columns.mean(), abs=2)
    assert rows.min() < y < rows.max()
