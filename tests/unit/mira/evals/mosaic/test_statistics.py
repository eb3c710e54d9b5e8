"""The tests, against printed examples and other ways to compute them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, kruskal, rankdata

from mira.evals.mosaic.statistics import (
    binomial_p,
    bonferroni,
    chi_square_p,
    kruskal_wallis,
    scheirer_ray_hare,
    yates_chi_square,
)

# Sokal and Rohlf 1995, food of rats by sex (first three of each: male) and freshness of lard.
FOOD = (709, 679, 699, 657, 594, 677, 592, 538, 476, 508, 505, 539)
MALE = (True, True, True, False, False, False) * 2
FRESH = (True,) * 6 + (False,) * 6


def test_the_example_of_sokal_and_rohlf_comes_out_as_on_paper():
    # Ranks of fresh lard sum to 57, of rancid to 21: SS = (57² + 21²) / 6 - 78² / 12 = 108, and
    # H = 108 / 13. Males have 44, females 34: 25 / 3. Cells 33, 24, 11, 10: 16 / 3.
    found = scheirer_ray_hare(FOOD, MALE, FRESH)
    assert found is not None
    assert found.second.value == pytest.approx(108 / 13)
    assert found.first.value == pytest.approx(25 / 3 / 13)
    assert found.interaction.value == pytest.approx(16 / 3 / 13)
    assert found.second.p == pytest.approx(0.003948, abs=1e-6)


@st.composite
def designs(draw):
    """Values with many ties in four cells, balanced or not."""
    sizes = draw(
        st.integers(1, 6).map(lambda n: [n] * 4)
        | st.lists(st.integers(1, 6), min_size=4, max_size=4)
    )
    levels = [(a, b) for a in (False, True) for b in (False, True)]
    labels = [level for level, size in zip(levels, sizes, strict=True) for _ in range(size)]
    values = draw(
        st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=len(labels), max_size=len(labels))
    )
    return values, [a for a, _ in labels], [b for _, b in labels]


def by_hand(values, first, second):
    """H of a balanced design from sums of ranks alone, with the usual correction for ties."""
    ranks = rankdata(values)
    n = len(ranks)
    _, ties = np.unique(values, return_counts=True)
    correction = 1 - np.sum(ties**3 - ties) / (n**3 - n)
    mean_square = n * (n + 1) / 12 * correction

    def between(labels):
        groups = [ranks[np.array([one == label for one in labels])] for label in set(labels)]
        return sum(np.sum(g) ** 2 / len(g) for g in groups) - np.sum(ranks) ** 2 / n

    a, b = between(first), between(second)
    both = between(list(zip(first, second, strict=True)))
    return a / mean_square, b / mean_square, (both - a - b) / mean_square


@given(design=designs())
def test_effects_are_those_of_rank_sums_and_add_up_to_kruskal_and_wallis(design):
    values, first, second = design
    found = scheirer_ray_hare(values, first, second)
    if len(set(values)) == 1:
        assert found is None
        return
    assert found is not None
    cells = {}
    for value, *cell in zip(values, first, second, strict=True):
        cells.setdefault(tuple(cell), []).append(value)
    effects = [one.value for one in found]
    assert all(h >= 0 for h in effects)
    if len({len(of_cell) for of_cell in cells.values()}) == 1:
        assert effects == pytest.approx(by_hand(values, first, second), abs=1e-9)
        assert sum(effects) == pytest.approx(kruskal(*cells.values()).statistic, abs=1e-9)


@given(design=designs())
def test_factors_that_change_places_change_their_effects(design):
    values, first, second = design
    found, other = (
        scheirer_ray_hare(values, first, second),
        scheirer_ray_hare(values, second, first),
    )
    if found is None or other is None:
        assert found == other
        return
    assert found.first.value == pytest.approx(other.second.value, abs=1e-9)
    assert found.interaction.value == pytest.approx(other.interaction.value, abs=1e-9)


def test_in_an_unbalanced_design_a_main_effect_is_that_beside_the_other():
    # Ranks 1 to 5; with the second factor fitted, the first explains what anova of type II says.
    values, first, second = (1, 2, 3, 4, 5), (0, 0, 0, 1, 1), (0, 0, 1, 0, 1)
    found = scheirer_ray_hare(values, [bool(v) for v in first], [bool(v) for v in second])
    assert found is not None
    a, b = np.array(first, float), np.array(second, float)

    def left(*terms):
        design = np.column_stack([np.ones(5), *terms])
        return float(np.linalg.lstsq(design, np.arange(1.0, 6), rcond=None)[1][0])

    assert found.first.value == pytest.approx((left(b) - left(a, b)) / 2.5)
    assert found.second.value == pytest.approx((left(a) - left(a, b)) / 2.5)


def test_a_design_that_lacks_a_cell_has_no_test():
    assert scheirer_ray_hare([1, 2, 3], [False, False, True], [False, True, True]) is None
    assert scheirer_ray_hare([], [], []) is None


@pytest.mark.parametrize(
    ("table", "value"),
    [((19, 2, 3, 26), 28.57), ((22, 0, 1, 24), 39.40), ((10, 10, 10, 10), 0.0)],
)
def test_chi_square_is_pearson_s_with_yates_correction(table, value):
    assert yates_chi_square(table) == pytest.approx(value, abs=0.005)


@given(table=st.tuples(*[st.integers(0, 40)] * 4))
def test_chi_square_is_scipy_s_and_a_margin_of_nothing_has_none(table):
    square = np.reshape(table, (2, 2))
    found = yates_chi_square(table)
    if not square.sum(0).all() or not square.sum(1).all():
        assert found is None
        return
    theirs = chi2_contingency(square, correction=True)
    assert found == pytest.approx(theirs.statistic, abs=1e-9)
    assert chi_square_p(found) == pytest.approx(theirs.pvalue, abs=1e-12)


def test_a_binomial_test_is_exact_and_two_sided():
    # Both tails of 1 of 5: 2 x (1 + 5) / 32.
    assert binomial_p(1, 5) == pytest.approx(12 / 32)
    assert binomial_p(35, 50) == pytest.approx(0.0066004, abs=1e-7)
    assert all(binomial_p(k, 7) == pytest.approx(binomial_p(7 - k, 7)) for k in range(8))


def test_runs_of_equal_values_or_one_run_alone_are_not_compared():
    assert kruskal_wallis([[1, 1], [1, 1, 1]]) is None
    assert kruskal_wallis([[1, 2], []]) is None
    found = kruskal_wallis([[1, 2, 3], [4, 5, 6]])
    assert found is not None
    assert found.value == pytest.approx(27 / 7)


def test_a_corrected_p_value_is_no_more_than_one():
    assert bonferroni(0.01, 12) == pytest.approx(0.12)
    assert bonferroni(0.5, 12) == 1
