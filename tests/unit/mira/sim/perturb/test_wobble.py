from __future__ import annotations

import numpy as np
import pytest
import shapely

from mira.sim.perturb.wobble import redraw_box, redraw_ring, shift_points

SIZE = (640.0, 480.0)


def circle(radius: float, count: int = 200) -> np.ndarray:
    angle = np.arange(count) * 2 * np.pi / count
    return np.stack([320 + radius * np.cos(angle), 240 + radius * np.sin(angle)], axis=1)


def shifts(ring: np.ndarray, *, sigma: float = 2.0, wobble: float = 25.0) -> np.ndarray:
    return np.stack(
        [
            redraw_ring(
                ring,
                sigma_px=sigma,
                wobble_px=wobble,
                size_px=SIZE,
                rng=np.random.default_rng(seed),
            ).points
            - ring
            for seed in range(300)
        ]
    )


def test_vertices_move_by_the_asked_standard_deviation() -> None:
    moved = shifts(circle(150))
    assert moved.std(axis=(0, 1)) == pytest.approx([2.0, 2.0], rel=0.05)
    assert moved.mean(axis=(0, 1)) == pytest.approx([0, 0], abs=0.1)


def test_neighbours_move_alike_and_far_vertices_do_not() -> None:
    ring = circle(150)
    moved = shifts(ring)[..., 0]
    apart = 2 * np.pi * 150 / 200

    def alike(vertices: int) -> float:
        return float(np.corrcoef(moved.ravel(), np.roll(moved, vertices, axis=1).ravel())[0, 1])

    for vertices in (2, 5, 8):
        expected = np.exp(-0.5 * (vertices * apart / 25) ** 2)
        assert alike(vertices) == pytest.approx(expected, abs=0.05)
    assert abs(alike(60)) < 0.05


def test_denser_vertices_do_not_zigzag() -> None:
    ring = circle(60, count=400)
    moved = shifts(ring, sigma=3.0)
    assert np.abs(np.diff(moved, axis=1)).max() < 0.5


@pytest.mark.parametrize("sigma", [1.0, 10.0, 60.0])
@pytest.mark.parametrize("seed", range(10))
def test_a_simple_ring_stays_simple_and_inside(sigma: float, seed: int) -> None:
    ring = np.array([[2, 2], [50, 4], [52, 40], [30, 12], [28, 44], [26, 12], [3, 41.0]])
    redrawn = redraw_ring(
        ring, sigma_px=sigma, wobble_px=8, size_px=(60, 45), rng=np.random.default_rng(seed)
    )
    polygon = shapely.Polygon(redrawn.points)
    assert polygon.is_valid
    assert polygon.area >= 0.3 * shapely.Polygon(ring).area
    assert redrawn.points.min() >= 0
    assert (redrawn.points <= [60, 45]).all()


def test_vertices_on_the_picture_s_edge_stay_on_it() -> None:
    ring = np.array([[0, 10], [0, 90], [100, 90], [100, 10.0]])
    redrawn = redraw_ring(
        ring, sigma_px=4, wobble_px=20, size_px=(100, 100), rng=np.random.default_rng(1)
    )
    assert redrawn.points[:, 0].tolist() == [0, 0, 100, 100]
    assert (redrawn.points[:, 1] != ring[:, 1]).all()


def test_a_ring_that_crossed_itself_or_has_no_area_is_shifted_all_the_same() -> None:
    bow = np.array([[10, 10], [90, 90], [90, 10], [10, 90.0]])
    point = np.full((3, 2), 5.0)
    for ring in (bow, point):
        redrawn = redraw_ring(
            ring, sigma_px=1, wobble_px=20, size_px=(100, 100), rng=np.random.default_rng(0)
        )
        assert np.isfinite(redrawn.points).all()


def test_boxes_stay_upright_and_turned_ones_keep_their_form() -> None:
    box = np.array([[10, 10], [50, 10], [50, 40], [10, 40.0]])
    moved = redraw_box(box, sigma_px=2, size_px=SIZE, rng=np.random.default_rng(0)).points
    assert len(np.unique(moved[:, 0])) == len(np.unique(moved[:, 1])) == 2
    moved = shift_points(box, sigma_px=30, size_px=SIZE, rng=np.random.default_rng(0)).points
    assert np.ptp(moved - box, axis=0) == pytest.approx([0, 0], abs=1e-3)
    assert moved.min() >= 0
