from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import numpy as np
import pytest

from mira.sim.rooms.crosscheck.stage import NOTHING, Stage, Triangles
from mira.sim.rooms.policy import CameraPolicy
from mira.sim.rooms.viewpoint import Viewpoint, look_at

_CAMERA = CameraPolicy(width_px=160, height_px=120, focal_px=130.0)
_EYE = look_at((0.0, -2.0, 0.5), (0.1, 0.0, 0.4))
_PANE = 3

MakeStage = Callable[[Triangles], Stage]


@pytest.fixture
def make_stage(gl: None) -> Iterator[MakeStage]:
    """Make stages that are closed at the end; surface 3 is of glass."""
    made: list[Stage] = []

    def _make(triangles: Triangles) -> Stage:
        made.append(Stage(triangles, _CAMERA, np.array([False, False, False, True])))
        return made[-1]

    yield _make
    for stage in made:
        stage.close()


def _one(item: int, surface: int = -1, *, y: float = 0.0, turned: bool = False) -> Triangles:
    corners = np.array([[(-0.5, y, 0.0), (0.6, y, 0.1), (0.0, y, 0.8)]])
    return Triangles(
        corners[:, ::-1] if turned else corners,
        np.array([item], np.int32),
        np.array([surface], np.int32),
    )


def _covered(viewpoint: Viewpoint, corners: np.ndarray) -> np.ndarray:
    """Pixels whose centre lies in a projected triangle."""
    lens = _CAMERA.intrinsics()
    seen = viewpoint.to_camera(corners[0])
    u = lens.fx_px * seen[:, 0] / seen[:, 2] + lens.cx_px
    v = lens.fy_px * seen[:, 1] / seen[:, 2] + lens.cy_px
    row, column = np.indices((_CAMERA.height_px, _CAMERA.width_px))
    sides = np.stack(
        [(u[k - 2] - u[k]) * (row - v[k]) - (v[k - 2] - v[k]) * (column - u[k]) for k in range(3)]
    )
    return np.asarray((sides > 0).all(axis=0) | (sides < 0).all(axis=0))


@pytest.mark.parametrize("turned", [False, True])
def test_a_triangle_is_seen_from_both_sides_where_a_pinhole_puts_it(
    make_stage: MakeStage, turned: bool
) -> None:
    triangle = _one(7, turned=turned)

    drawing = make_stage(triangle).draw(_EYE, with_glass=True)

    assert np.count_nonzero((drawing.item == 7) != _covered(_EYE, triangle.corners)) <= 2
    assert set(np.unique(drawing.item)) == {7, NOTHING}
    assert np.isinf(drawing.depth_m[drawing.item == NOTHING]).all()


def test_depth_is_that_of_the_triangles_plane(make_stage: MakeStage) -> None:
    drawing = make_stage(_one(7)).draw(_EYE, with_glass=True)

    lens = _CAMERA.intrinsics()
    row, column = np.nonzero(drawing.item == 7)
    rays = np.stack(
        ((column - lens.cx_px) / lens.fx_px, (row - lens.cy_px) / lens.fy_px, np.ones(len(row))),
        axis=-1,
    )
    expected = 2.0 / (rays @ _EYE.axes)[:, 1]
    assert drawing.depth_m[row, column] == pytest.approx(expected, abs=1e-5)


def test_a_mirrored_camera_sees_the_mirror_image(make_stage: MakeStage) -> None:
    """The camera's image across the plane y = -1 sees what the camera sees of the image."""
    triangle = _one(7, y=-2.5)
    flip = np.array((1.0, -1.0, 1.0))
    image = triangle._replace(corners=triangle.corners * flip - (0.0, 2.0, 0.0))
    virtual = Viewpoint(_EYE.eye_m * flip - (0.0, 2.0, 0.0), _EYE.axes * flip)
    assert virtual.mirrored

    drawn = make_stage(triangle).draw(virtual, with_glass=True)
    expected = make_stage(image).draw(_EYE, with_glass=True)

    assert np.count_nonzero(drawn.item == 7) > 500
    assert np.count_nonzero(drawn.item != expected.item) <= 2


def test_glass_is_shown_or_looked_through(make_stage: MakeStage) -> None:
    near, far = _one(-1, _PANE, y=-0.5), _one(7)
    both = Triangles(*(np.concatenate(pair) for pair in zip(near, far, strict=True)))
    stage = make_stage(both)

    shown, left_out = (stage.draw(_EYE, with_glass=choice) for choice in (True, False))

    assert np.count_nonzero(shown.surface == _PANE) > 500
    assert not (left_out.surface == _PANE).any()
    assert np.count_nonzero(left_out.item == 7) > np.count_nonzero(shown.item == 7)


def test_a_stage_of_nothing_shows_the_sky(gl: None) -> None:
    none = Triangles(np.zeros((0, 3, 3)), np.zeros(0, np.int32), np.zeros(0, np.int32))

    with closing(Stage(none, _CAMERA, np.zeros(0, bool))) as stage:
        assert (stage.draw(_EYE, with_glass=True).item == NOTHING).all()


def test_without_gl_the_first_picture_is_refused_in_one_line(gl: None) -> None:
    code = (
        "import numpy as np, mira.sim.engine as e\n"
        "e._has_library = lambda backend: False\n"
        "from mira.sim.rooms.crosscheck.stage import Stage, Triangles\n"
        "from mira.sim.rooms.policy import CameraPolicy\n"
        "none = Triangles(np.zeros((0, 3, 3)), np.zeros(0, int), np.zeros(0, int))\n"
        "try: Stage(none, CameraPolicy(), np.zeros(0, bool))\n"
        "except e.SimulationError as error: print(error)"
    )
    clean = {key: value for key, value in os.environ.items() if key != "MUJOCO_GL"}

    done = subprocess.run(
        [sys.executable, "-c", code], env=clean, capture_output=True, text=True, check=True
    )

    assert len(done.stdout.splitlines()) == 1
    assert done.stdout.startswith("MUJOCO_GL: expected EGL or OSMesa, found neither")
