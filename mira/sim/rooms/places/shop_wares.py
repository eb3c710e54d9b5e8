"""What each kind of shop sells: makers of goods and of the stock that fills its shelves."""

from __future__ import annotations

from mira.sim.rooms.places.shop_room import Maker
from mira.sim.rooms.things import (
    apparel,
    goods,
    goods_food,
    goods_play,
    goods_toys,
    keepsakes,
    tableware,
)
from mira.sim.rooms.things import shop_fixtures as fixtures
from mira.sim.rooms.things import shop_stock as stock

WEAR: tuple[Maker, ...] = (
    goods.handbag, goods.handbag, goods.hat_on_stand, goods.hat_on_stand, goods.head_with_beanie,
    apparel.folded_shirts, apparel.sneakers, apparel.boots, apparel.pumps, goods.perfume,
    goods.backpack, apparel.sneakers, goods_play.helmet,
)  # fmt: skip
SHOES: tuple[Maker, ...] = (
    apparel.sneakers, apparel.boots, apparel.pumps, goods.perfume, apparel.sneakers,
)  # fmt: skip
TALL: tuple[Maker, ...] = (
    apparel.mannequin_dress, apparel.mannequin_jacket, apparel.mannequin_dress, goods.suitcase,
    goods.suitcase, fixtures.chalk_board, apparel.mannequin_jacket,
)  # fmt: skip
GIFTS: tuple[Maker, ...] = (
    goods_food.gift_bag, goods_food.gift_bag, keepsakes.gift_box, goods_food.watering_can,
    goods_food.flower_bucket, tableware.vase, tableware.candle, tableware.teapot, keepsakes.globe,
    keepsakes.teddy_bear, goods.perfume, goods_play.radio, keepsakes.alarm_clock,
    goods_play.trophy, goods_play.camera,
)  # fmt: skip
TOYS: tuple[Maker, ...] = (
    goods_toys.toy_robot, goods_toys.toy_robot, goods_toys.toy_train, goods_toys.toy_lorry,
    goods_toys.drum, goods_toys.stacking_rings, goods_play.football, keepsakes.basketball,
    keepsakes.teddy_bear, goods_play.helmet, keepsakes.rubber_duck, goods.backpack,
    goods_toys.toy_train, goods_toys.toy_lorry,
)  # fmt: skip
FOOD: tuple[Maker, ...] = (
    goods_food.fruit_crate, goods_food.fruit_crate, goods_food.bread_basket, goods_food.jam_jar,
    goods_food.jam_jar, goods_food.cheese, goods_food.cake, goods_food.pineapple, goods_food.tins,
    tableware.bottle, tableware.fruit_bowl, keepsakes.cereal_box, tableware.teapot,
    goods_food.flower_bucket,
)  # fmt: skip
CLOTHES_STOCK: tuple[stock.Stock, ...] = (stock.shoe_boxes, stock.folded_piles, stock.folded_piles)
STOCK: dict[str, tuple[stock.Stock, ...]] = {
    "GIFTS": (stock.cartons, stock.jars, stock.cartons),
    "TOYS": (stock.cartons, stock.packets),
    "FOOD": (stock.packets, stock.jars, stock.bottles),
}
WARES: dict[str, tuple[Maker, ...]] = {"GIFTS": GIFTS, "TOYS": TOYS, "FOOD": FOOD}
SPARE_FLOOR: tuple[Maker, ...] = (
    goods_play.guitar, goods_toys.rocking_horse, fixtures.shopping_basket, fixtures.chalk_board,
    goods.suitcase, goods_food.flower_bucket,
)  # fmt: skip
KEEPSAKES: tuple[Maker, ...] = (
    *GIFTS, goods.handbag, goods.hat_on_stand, goods_play.helmet, goods_play.trophy,
)  # fmt: skip
