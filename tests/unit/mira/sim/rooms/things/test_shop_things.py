from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from mira.sim.rooms.places.placing import item_extent
from mira.sim.rooms.things import (
    apparel,
    goods,
    goods_food,
    goods_play,
    goods_toys,
    sections,
    shop_fixtures,
    shop_stock,
)
from mira.sim.rooms.things.parts import Item

GOODS: tuple[tuple[Callable[[Generator], Item], float, float], ...] = (
    (goods.handbag, 0.25, 0.40),
    (goods.backpack, 0.40, 0.55),
    (goods.suitcase, 0.85, 1.05),
    (goods.hat_on_stand, 0.35, 0.50),
    (goods.head_with_beanie, 0.40, 0.50),
    (goods.perfume, 0.15, 0.25),
    (apparel.folded_shirts, 0.15, 0.25),
    (apparel.mannequin_dress, 1.4, 1.7),
    (apparel.mannequin_jacket, 1.4, 1.7),
    (apparel.clothes_rail, 1.4, 1.6),
    (apparel.sneakers, 0.10, 0.15),
    (apparel.boots, 0.30, 0.40),
    (apparel.pumps, 0.12, 0.18),
    (goods_play.guitar, 0.95, 1.15),
    (goods_play.football, 0.21, 0.24),
    (goods_play.helmet, 0.24, 0.30),
    (goods_play.camera, 0.15, 0.22),
    (goods_play.trophy, 0.30, 0.40),
    (goods_play.radio, 0.20, 0.26),
    (goods_toys.toy_robot, 0.40, 0.50),
    (goods_toys.toy_train, 0.15, 0.20),
    (goods_toys.toy_lorry, 0.17, 0.22),
    (goods_toys.rocking_horse, 0.75, 0.90),
    (goods_toys.drum, 0.20, 0.26),
    (goods_toys.stacking_rings, 0.22, 0.30),
    (goods_food.fruit_crate, 0.20, 0.28),
    (goods_food.bread_basket, 0.20, 0.30),
    (goods_food.jam_jar, 0.15, 0.22),
    (goods_food.cheese, 0.09, 0.14),
    (goods_food.cake, 0.22, 0.32),
    (goods_food.pineapple, 0.28, 0.38),
    (goods_food.gift_bag, 0.30, 0.38),
    (goods_food.watering_can, 0.22, 0.32),
    (goods_food.flower_bucket, 0.42, 0.55),
    (goods_food.tins, 0.29, 0.35),
    (shop_fixtures.till, 0.35, 0.45),
    (shop_fixtures.shopping_basket, 0.28, 0.40),
    (shop_fixtures.price_stand, 0.28, 0.38),
    (shop_fixtures.chalk_board, 0.80, 1.00),
)
STOCK = (
    shop_stock.shoe_boxes, shop_stock.folded_piles, shop_stock.packets, shop_stock.jars,
    shop_stock.bottles, shop_stock.cartons,
)  # fmt: skip


@pytest.mark.parametrize(("make", "least_m", "most_m"), GOODS)
@pytest.mark.parametrize("seed", range(3))
def test_goods_stand_on_their_support_and_have_a_real_size(
    make: Callable[[Generator], Item], least_m: float, most_m: float, seed: int
) -> None:
    item = make(np.random.default_rng(seed))
    low, high = item_extent(item)
    assert abs(low[2]) < 0.003
    assert least_m <= high[2] <= most_m
    reach = max(*high[:2], -low[0], -low[1])
    assert reach <= item.radius_m + 0.01
    assert item.annotated


@pytest.mark.parametrize("make", [make for make, _, _ in GOODS])
def test_goods_are_light_enough_for_a_renderer(make: Callable[[Generator], Item]) -> None:
    item = make(np.random.default_rng(0))
    faces = sum(len(part.mesh.faces) for part in item.parts if part.mesh is not None)
    assert faces + 120 * len(item.parts) < 15000
    assert 4 <= len(item.parts) <= 120


@pytest.mark.parametrize("make", STOCK)
def test_stock_keeps_to_its_board(make: shop_stock.Stock) -> None:
    for width, height in ((0.9, 0.4), (1.7, 0.4)):
        low, high = item_extent(make(np.random.default_rng(1), width, height))
        assert abs(low[2]) < 0.003
        assert high[2] < height
        assert high[0] - low[0] <= width + 0.01
        assert low[1] > -0.17
        assert high[1] < 0.19


@pytest.mark.parametrize("power", [2.0, 6.0])
def test_a_lofted_body_is_closed_and_faces_outwards(power: float) -> None:
    mesh = sections.lofted([(0.0, 0.1, 0.2), (0.3, 0.1, 0.2)], power=power)
    assert signed_volume(mesh.vertices_m, mesh.faces) > 0.8 * np.pi * 0.1 * 0.2 * 0.3


def test_a_cut_out_board_faces_outwards_with_its_hub_in_a_corner() -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    for hub in (None, 0):
        mesh = sections.cut_out(square, 0.5, hub=hub)
        assert signed_volume(mesh.vertices_m, mesh.faces) == pytest.approx(0.5)


def signed_volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6)
