from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mira.sim.reach.look.painter import Painter
from mira.sim.reach.look.viewing import mirror_image, project
from mira.sim.reach.scenes import ReachScene, reach_scenes

pytestmark = pytest.mark.usefixtures("gl")

SMALL_PX = 256
SCENES = {scene.scene_id: scene for scene in reach_scenes()}
DOT, CROSS = SCENES["male_0-bare-dot"], SCENES["male_0-gloved-cross"]
ROBOT = SCENES["nova_carter-five_finger-ring"]
AWAY_M = (1.2, 0.9, 0.4)
"""Where a hand is out of the way."""


@pytest.fixture(scope="module")
def painter() -> Iterator[Painter]:
    with Painter(size_px=SMALL_PX) as made:
        yield made


def seen_at(scene: ReachScene, size_px: int) -> np.ndarray:
    """Where the mark's mirror image is, by the camera model alone."""
    return project(mirror_image(scene.body.mark_m), size_px=size_px)


@pytest.mark.parametrize("scene", [DOT, ROBOT], ids=lambda scene: scene.scene_id)
def test_the_picture_shows_the_mark_where_optics_put_its_image(
    painter: Painter, scene: ReachScene
) -> None:
    # Red of the dot, yellow of the ring: the rest of the picture has no such colours.
    picture = painter.draw(scene, AWAY_M).astype(int)
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    wanted = (green < 60, green > 180)[scene.mark == "ring"]
    rows, columns = np.nonzero((red > 200) & (blue < 90) & wanted)
    assert len(rows) > 15
    middle = (columns.mean(), rows.mean())
    assert middle == pytest.approx(seen_at(scene, SMALL_PX), abs=0.7)


def test_the_mark_is_in_the_mirror_alone(painter: Painter) -> None:
    pixels = painter.mark_pixels(DOT, DOT.body.hand_m)
    assert not pixels.straight.any()
    assert pixels.mirrored.sum() > 25


def test_a_hand_before_the_mark_hides_it_in_the_mirror(painter: Painter) -> None:
    x, y, z = DOT.body.mark_m
    free = painter.mark_pixels(DOT, DOT.body.hand_m).mirrored.sum()
    assert painter.mark_pixels(DOT, (x + 0.2, y, z)).mirrored.sum() < 0.5 * free


def test_the_mirror_shows_the_hand_where_optics_put_its_image(painter: Painter) -> None:
    # What differs between two places of the hand is the hand and its image, twice each.
    hand, other = (0.7, -0.5, 1.5), (0.7, -0.5, 2.6)
    pictures = [painter.draw(CROSS, at).astype(int) for at in (hand, other)]
    changed = np.abs(pictures[0] - pictures[1]).max(axis=-1) > 24
    column, row = project(mirror_image(hand), size_px=SMALL_PX)
    around = changed[round(row) - 3 : round(row) + 4, round(column) - 3 : round(column) + 4]
    assert around.mean() > 0.8


def test_pictures_are_the_same_bytes_in_any_order_and_process(painter: Painter) -> None:
    first = painter.draw(DOT, DOT.body.hand_m)
    painter.draw(CROSS, AWAY_M)
    painter.draw(ROBOT, AWAY_M)
    painter.mark_px(DOT, AWAY_M)
    again = painter.draw(DOT, DOT.body.hand_m)
    assert png_sum(first) == png_sum(again)
    program = (
        "import hashlib, sys; from io import BytesIO; from PIL import Image\n"
        "from mira.sim.reach.look.painter import Painter\n"
        "from mira.sim.reach.scenes import reach_scenes\n"
        f"with Painter(size_px={SMALL_PX}) as painter:\n"
        "    scene = reach_scenes()[0]\n"
        "    picture = painter.draw(scene, scene.body.hand_m)\n"
        "file = BytesIO(); Image.fromarray(picture).save(file, 'PNG')\n"
        "print(hashlib.sha256(file.getvalue()).hexdigest())\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == png_sum(first)


def png_sum(picture: np.ndarray) -> str:
    file = BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return hashlib.sha256(file.getvalue()).hexdigest()


def test_scenes_differ_by_hand_and_mark_alone(painter: Painter) -> None:
    at = DOT.body.hand_m
    base, other_mark = painter.draw(DOT, at), painter.draw(SCENES["male_0-bare-star"], at)
    other_hand = painter.draw(SCENES["male_0-painted-dot"], at)
    marks = painter.mark_pixels(DOT, at).mirrored
    marks |= painter.mark_pixels(SCENES["male_0-bare-star"], at).mirrored
    changed = (base != other_mark).any(axis=-1)
    assert changed.any()
    # The edges of a mark are mixed with what is around it.
    assert changed.sum() <= 2 * marks.sum()
    assert 0 < (base != other_hand).any(axis=-1).mean() < 0.05


def test_a_closed_painter_draws_again(painter: Painter) -> None:
    with Painter(size_px=64) as small:
        before = small.draw(DOT, DOT.body.hand_m)
        small.close()
        assert np.array_equal(before, small.draw(DOT, DOT.body.hand_m))
    assert before.shape == (64, 64, 3)
    assert before.dtype == np.uint8


@pytest.mark.slow
def test_in_all_scenes_the_mark_is_seen_where_optics_put_it_and_only_in_the_mirror() -> None:
    with Painter() as full:
        for scene in reach_scenes():
            pixels = full.mark_pixels(scene, scene.body.hand_m)
            assert not pixels.straight.any(), scene.scene_id
            rows, columns = np.nonzero(pixels.mirrored)
            assert len(rows) > 350, scene.scene_id
            off = np.hypot(*(np.array((columns.mean(), rows.mean())) - seen_at(scene, 1024)))
            assert off < 0.5, (scene.scene_id, off)
