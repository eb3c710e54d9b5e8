from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator

from mira.sim.rooms.places.placing import item_extent
from mira.sim.rooms.things import bags, clothes, desktop, hallway, office, stationery
from mira.sim.rooms.things.parts import Item

Maker = Callable[[Generator], Item]
STANDING: tuple[Maker, ...] = (
    bags.backpack, bags.briefcase, bags.handbag, bags.suitcase,
    clothes.cap, clothes.leather_shoes, clothes.rubber_boots, clothes.straw_hat, clothes.trainers,
    clothes.umbrella_stand,
    stationery.binders, desktop.desk_fan, desktop.desk_lamp, desktop.headphones, desktop.keyboard,
    desktop.laptop, desktop.monitor, desktop.mouse, stationery.paper_bin, stationery.paper_tray,
    stationery.pen_mug, desktop.printer, stationery.stapler, desktop.telephone,
    hallway.bench, hallway.coat_stand, hallway.cycle_helmet, hallway.dog_statue, hallway.key_bowl,
    hallway.kick_scooter, hallway.letters, hallway.parcel,
    office.coffee_machine, office.filing_cabinet, office.flip_chart, office.office_chair,
    office.water_cooler,
)  # fmt: skip
HANGING: tuple[Maker, ...] = (
    clothes.coat, clothes.jacket, clothes.raincoat, clothes.scarf, office.wall_calendar,
    office.whiteboard,
)  # fmt: skip


@pytest.fixture(params=range(3))
def rng(request: pytest.FixtureRequest) -> Generator:
    return np.random.default_rng(request.param)


@pytest.mark.parametrize("make", STANDING, ids=lambda make: make.__name__)
def test_it_stands_on_its_support_within_its_circle(make: Maker, rng: Generator) -> None:
    item = make(rng)
    low, high = item_extent(item)
    assert abs(low[2]) < 0.004
    reach = max(abs(value) for value in (*low[:2], *high[:2]))
    assert reach <= item.radius_m + 0.03
    assert 0.02 < high[2] < 1.9


@pytest.mark.parametrize("make", HANGING, ids=lambda make: make.__name__)
def test_it_hangs_with_its_back_on_the_wall(make: Maker, rng: Generator) -> None:
    low, high = item_extent(make(rng))
    assert -0.02 < high[1] <= 0.0
    assert low[1] > -0.25


@pytest.mark.parametrize("make", [*STANDING, *HANGING], ids=lambda make: make.__name__)
def test_it_is_annotated_and_described_in_a_few_words(make: Maker, rng: Generator) -> None:
    item = make(rng)
    assert item.annotated
    assert 1 <= len(item.description.split()) <= 5
    assert 2 <= len(item.parts) <= 45


def test_a_pendant_lamp_hangs_from_the_ceiling() -> None:
    low, high = item_extent(hallway.pendant_lamp(np.random.default_rng(0)))
    assert high[2] == pytest.approx(0.0)
    assert low[2] < -0.5


@pytest.mark.parametrize("make", [*STANDING, *HANGING], ids=lambda make: make.__name__)
def test_the_same_seed_gives_the_same_thing(make: Maker) -> None:
    one, other = (make(np.random.default_rng(7)) for _ in range(2))
    assert one.description == other.description
    assert item_extent(one) == item_extent(other)
