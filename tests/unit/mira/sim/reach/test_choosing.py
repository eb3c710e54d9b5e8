"""Which episodes are played by those who will not play all, and in which order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mira.errors import SimulationError
from mira.sim.reach.choosing import order_for_people, sample_slots
from mira.sim.reach.series import reach_slots

ALL = reach_slots()
SEEDS = st.integers(0, 2**32)


@given(SEEDS, st.integers(1, 6 * 28), st.sets(st.sampled_from([0, 1, 2, 3]), min_size=1))
def test_bodies_and_levels_come_as_often_as_each_other(seed, size, levels) -> None:
    slots = reach_slots(levels=sorted(levels))
    size = min(size, 6 * 7 * len(levels))
    chosen = sample_slots(slots, size, rng=np.random.default_rng(seed))
    assert len(set(chosen)) == size
    for key, kinds in (
        (lambda slot: slot.scene.body.name, 7),
        (lambda slot: slot.level, len(levels)),
        (lambda slot: (slot.scene.body.name, slot.level), 7 * len(levels)),
    ):
        counts = Counter(map(key, chosen))
        often = [*counts.values(), *[0] * (kinds - len(counts))]
        assert max(often) - min(often) <= 1


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 400))
def test_a_sample_keeps_its_order_and_is_the_same_for_the_same_seed(seed, size) -> None:
    chosen = sample_slots(ALL, size, rng=np.random.default_rng(seed))
    assert chosen == sample_slots(ALL, size, rng=np.random.default_rng(seed))
    assert [slot for slot in ALL if slot in set(chosen)] == list(chosen)
    assert len(chosen) == min(size, len(ALL))


def test_other_seeds_draw_others() -> None:
    drawn = {sample_slots(ALL, 28, rng=np.random.default_rng(seed)) for seed in range(9)}
    assert len(drawn) == 9


def test_none_is_no_sample() -> None:
    with pytest.raises(SimulationError, match="expected 1 or more, found 0"):
        sample_slots(ALL, 0, rng=np.random.default_rng(0))


@given(SEEDS)
def test_people_are_told_no_less_than_before(seed) -> None:
    ordered = order_for_people(ALL, rng=np.random.default_rng(seed))
    levels = [slot.level for slot in ordered]
    assert levels == sorted(levels, reverse=True)
    assert set(ordered) == set(ALL)
