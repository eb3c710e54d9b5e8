"""What pictures show: who stands where, which way they look, what their face says."""

import cv2
import numpy as np
import pytest

from mira.sim.treasure.agent import NEUTRAL, Emotion
from mira.sim.treasure.floor import Stance
from mira.sim.treasure.pictures.room import CEILING
from mira.sim.treasure.pictures.views import draw_portrait, draw_view, picture
from mira.sim.treasure.rules import BOXES, START

SUBJECT, PARTICIPANT = START["subject"], START["participant"]


def _view(viewer="participant", own=PARTICIPANT, partner=SUBJECT, shown=NEUTRAL, boxes=BOXES):
    return draw_view(viewer, own, partner, boxes, shown)


def _columns(view, rgb, spread=28):
    """Columns of the pixels of a colour."""
    near = np.abs(view.astype(int) - rgb).max(axis=2) <= spread
    return np.nonzero(near.any(axis=0))[0]


DARK, DRESS, SHIRT = (76, 45, 27), (42, 124, 130), (206, 114, 55)


def _read(png):
    return cv2.cvtColor(cv2.imdecode(np.frombuffer(png, np.uint8), 1), cv2.COLOR_BGR2RGB)


def test_a_picture_is_720_by_480_and_the_same_bytes_for_the_same_moment():
    args = ("rendered", "participant", PARTICIPANT, SUBJECT, BOXES, Emotion(0.3, 0.1, 0.0))
    png = picture(*args)
    picture.cache_clear()
    assert picture(*args) == png
    assert _read(png).shape == (480, 720, 3)


def test_the_dark_box_is_left_of_the_participant_and_right_of_the_subject():
    dark = _columns(_view(), DARK, 8)
    assert dark.mean() < 360
    dark = _columns(_view("subject", SUBJECT, PARTICIPANT), DARK, 8)
    assert dark.mean() > 360


@pytest.mark.parametrize("x", [-2, -1, 0, 1, 2])
def test_the_other_is_where_it_stands(x):
    # From the participant's place higher x is further left; a pinhole of 470 px sees it.
    dress = _columns(_view(partner=Stance((x, -3), 2)), DRESS, 12)
    assert dress.mean() == pytest.approx(360 - 470 * x / 7, abs=8)


def test_who_looks_away_does_not_see_the_other():
    view = _view(own=Stance((0, 4), 2))
    assert len(_columns(view, DRESS, 12)) == 0


def _changed(one, other):
    """Rows and columns that two pictures differ in."""
    rows, columns = np.nonzero((one != other).any(axis=2))
    return rows, columns


@pytest.mark.parametrize("away", [-5, -2, 2])
def test_a_smile_and_a_frown_are_told_apart_in_the_face_from_any_distance(away):
    partner = Stance((0, away), 2)
    smile, frown = (_view(partner=partner, shown=Emotion(e)) for e in (0.5, -0.5))
    rows, columns = _changed(smile, frown)
    difference = np.abs(smile.astype(int) - frown)[rows, columns].max(axis=1)
    assert (difference > 40).sum() >= 40
    metres = (4 - away) * 0.5
    assert np.ptp(columns) <= 470 * 0.4 / metres
    assert np.ptp(rows) <= 470 * 0.4 / metres


def test_the_corners_of_a_mouth_go_up_in_a_smile_and_down_in_a_frown():
    def corners_above_middle(facial):
        face = draw_portrait("subject", Emotion(facial))
        red = face[..., 0].astype(int) - face[..., 1]
        lips = red[85:130, 45:105] > 70
        rows, columns = np.nonzero(lips)
        ends = (columns <= columns.min() + 3) | (columns >= columns.max() - 3)
        return rows[np.abs(columns - columns.mean()) < 3].min() - rows[ends].mean()

    found = [corners_above_middle(e) for e in (-1.0, -0.5, 0.5, 1.0)]
    assert found[0] < found[1] < 0 < found[2] < found[3]


def test_stronger_expressions_change_more():
    still = draw_portrait("participant", NEUTRAL).astype(int)
    for sign in (1, -1):
        changes = [
            np.abs(draw_portrait("participant", Emotion(sign * e)) - still).sum()
            for e in (0.25, 0.5, 1.0)
        ]
        assert changes == sorted(changes)
        assert changes[0] > 0


def test_what_the_body_shows_is_seen_and_what_is_felt_is_not():
    still = draw_portrait("subject", NEUTRAL)
    assert (draw_portrait("subject", Emotion(0, 0.5, 0)) != still).any()
    assert (draw_portrait("subject", Emotion(0, -0.5, 0)) != still).any()
    assert (draw_portrait("subject", Emotion(0, 0, 1)) == still).all()


def test_eight_directions_give_eight_pictures_of_the_other():
    views = [_view(partner=Stance((0, 0), facing)) for facing in range(8)]
    for k, one in enumerate(views):
        for other in views[:k]:
            assert len(_changed(one, other)[0]) > 500


@pytest.mark.parametrize(("facing", "side"), [(4, 1), (0, -1), (3, 1), (1, -1)])
def test_a_head_turns_its_face_to_the_side_it_looks_at(facing, side):
    # The participant looks down y: who faces -x shows its face to the right of the picture.
    view = _view(partner=Stance((0, 1), facing)).astype(int)
    head = view[100:220, 280:440]
    hair = (head[..., 0] - head[..., 2] > 70) & (head[..., 0] < 160)
    skin = (np.abs(head - (222, 188, 164)).max(axis=2) < 30) & ~hair
    assert side * (np.nonzero(skin)[1].mean() - np.nonzero(hair)[1].mean()) > 5


def test_the_other_face_is_in_view_from_beside_a_box():
    for own, partner in (((2, 1), (2, -1)), ((-1, 1), (-2, -1)), ((1, 1), (3, -1))):
        facing = 6 if own[0] != 1 else 7
        smile, frown = (
            _view(own=Stance(own, facing), partner=Stance(partner, 2), shown=Emotion(e))
            for e in (0.8, -0.8)
        )
        rows, _ = _changed(smile, frown)
        assert len(rows) > 500
        assert rows.min() > 0


@pytest.mark.parametrize("at", [(-5, -5), (5, 0), (-3, 4), (2, -1), (0, 0)])
def test_floor_and_walls_meet_without_a_gap(at):
    for facing in range(8):
        view = _view(own=Stance(at, facing), partner=Stance((-1, 1), 0)).astype(int)
        lower = view[240:]
        assert not (np.abs(lower - np.array(CEILING)).max(axis=2) <= 1).any()


def test_a_blank_picture_shows_nothing():
    blank = _read(picture("blank", "subject", SUBJECT, PARTICIPANT, BOXES, NEUTRAL))
    assert len(np.unique(blank)) == 1


def test_the_face_is_inset_and_all_else_is_as_rendered():
    away = Stance((0, 0), 6)  # turned away: only the inset tells what its face shows
    views = {
        (visual, e): _read(picture(visual, "participant", PARTICIPANT, away, BOXES, Emotion(e)))
        for visual in ("rendered", "rendered_face")
        for e in (0.8, -0.8)
    }
    assert (views["rendered", 0.8] == views["rendered", -0.8]).all()
    rows, columns = _changed(views["rendered", 0.8], views["rendered_face", 0.8])
    assert rows.max() < 180
    assert columns.min() > 540
    assert len(_changed(views["rendered_face", 0.8], views["rendered_face", -0.8])[0]) > 300
