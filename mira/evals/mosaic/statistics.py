"""The tests of the paper's appendix F.2, on numbers alone; None where one does not apply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, chi2, kruskal, rankdata

FloatArray = NDArray[np.float64]


class Statistic(NamedTuple):
    """A statistic with its p-value."""

    value: float
    """The statistic."""
    p: float
    """How probable one as extreme is if nothing is the matter."""


class FactorStatistics(NamedTuple):
    """A test of two factors and of their interaction."""

    first: Statistic
    """Main effect of the first factor."""
    second: Statistic
    """Main effect of the second."""
    interaction: Statistic
    """What both do together beyond that."""


def binomial_p(successes: int, trials: int) -> float:
    """The p-value of the exact two-sided binomial test against one half, of one trial or more."""
    return float(binomtest(successes, trials, 0.5).pvalue)


def yates_chi_square(table: tuple[int, int, int, int]) -> float | None:
    """Pearson's chi-square of a 2 x 2 table with Yates' correction; None where a margin is 0.

    Args:
        table: Both cells of the first row, then of the second.
    """
    a, b, c, d = table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if not margins:
        return None
    n = a + b + c + d
    return float(n * max(0.0, abs(a * d - b * c) - n / 2) ** 2 / margins)


def chi_square_p(value: float) -> float:
    """The p-value of a chi-square with one degree of freedom."""
    return float(chi2.sf(value, 1))


def scheirer_ray_hare(
    values: Sequence[float], first: Sequence[bool], second: Sequence[bool]
) -> FactorStatistics | None:
    """The Scheirer-Ray-Hare test of two factors with two levels each (Sokal and Rohlf 1995, 13.12).

    Analysis of variance on ranks; H is a sum of squares over the variance of all ranks, which
    among ties is the one that corrects for them. In an unbalanced design main effects are those
    beside the other factor (type II).

    Args:
        values: What was measured.
        first: Level of the first factor, of each value.
        second: Level of the second.

    Returns:
        None where a combination of levels has no value, or all values are the same.
    """
    one, two = np.asarray(first, bool), np.asarray(second, bool)
    combinations = {(bool(a), bool(b)) for a, b in zip(one, two, strict=True)}
    if len(combinations) < 4 or len(set(values)) < 2:
        return None
    ranks = rankdata(values)
    variance = float(np.var(ranks, ddof=1))

    def explained(*terms: FloatArray) -> float:
        design = np.column_stack([np.ones(len(ranks)), *terms])
        fitted = design @ np.linalg.lstsq(design, ranks, rcond=None)[0]
        return float(np.sum((fitted - ranks.mean()) ** 2))

    a, b = np.where(one, 1.0, -1.0), np.where(two, 1.0, -1.0)
    both = explained(a, b)
    parts = (both - explained(b), both - explained(a), explained(a, b, a * b) - both)
    found = (max(0.0, part) / variance for part in parts)
    return FactorStatistics(*(Statistic(h, chi_square_p(h)) for h in found))


def kruskal_wallis(groups: Sequence[Sequence[float]]) -> Statistic | None:
    """The Kruskal-Wallis test; None for fewer than two groups with values, or if all are equal."""
    told = [group for group in groups if len(group)]
    if len(told) < 2 or len({value for group in told for value in group}) < 2:
        return None
    found = kruskal(*told)
    return Statistic(float(found.statistic), float(found.pvalue))


def bonferroni(p: float, tests: int) -> float:
    """A p-value corrected for the number of tests that were run."""
    return min(1.0, p * tests)
