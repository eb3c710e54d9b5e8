"""Whether right answers, and their places among the options, are spread evenly."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from string import ascii_uppercase

from scipy.stats import chi2

from mira.schema.qa import QAItem
from qa_gen.quality.reading import is_lettered, right_option
from qa_gen.quality.records import Positions

_DIGITS = 6


class PlaceCounts:
    """Counts where right options stand, for each number of options by itself."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, defaultdict[int, Counter[int]]] = defaultdict(
            lambda: defaultdict(Counter)
        )

    def add(self, item: QAItem) -> None:
        """Take in an item; one whose options have no order of their own is left out."""
        right = right_option(item)
        if right is not None and is_lettered(item):
            place = item.options.index(right)
            self._counts[item.template_id][len(item.options)][place] += 1

    def positions(self, template_id: str) -> Positions | None:
        """Places of a template's right options; None without any."""
        return positions_of(self._counts[template_id]) if template_id in self._counts else None


def positions_of(counts: Mapping[int, Mapping[int, int]]) -> Positions:
    """How even places are.

    Pearson's chi-square of each number of options against equal frequencies; statistics of
    independent samples, and their degrees of freedom, add up.

    Args:
        counts: For each number of options, how often each place, from 0, is right.
    """
    seen: Counter[int] = Counter()
    expected: defaultdict[int, float] = defaultdict(float)
    statistic, freedom = 0.0, 0
    for options, places in counts.items():
        even = sum(places.values()) / options
        freedom += options - 1
        for place in range(options):
            seen[place] += places.get(place, 0)
            expected[place] += even
            statistic += (places.get(place, 0) - even) ** 2 / even
    total = sum(seen.values())
    return Positions(
        counts={_letter(place): seen[place] for place in sorted(seen)},
        expected={_letter(place): round(expected[place], 3) for place in sorted(expected)},
        chi_square=round(statistic, _DIGITS),
        p=float(chi2.sf(statistic, freedom)) if freedom else None,
        excess=round(max((seen[k] - expected[k]) / total for k in seen), _DIGITS),
    )


def commonest_share(counts: Mapping[str, int]) -> float:
    """Share of the commonest."""
    return max(counts.values()) / sum(counts.values())


def evenness(counts: Mapping[str, int]) -> float | None:
    """Entropy of counts over the greatest that so many words can have, 0 to 1; None for one word.

    Shannon's H over ln S, with S the number of words that occur (Pielou 1966).
    """
    total = sum(counts.values())
    shares = [count / total for count in counts.values() if count]
    if len(shares) < 2:
        return None
    return round(-sum(p * math.log(p) for p in shares) / math.log(len(shares)), _DIGITS)


def _letter(place: int) -> str:
    return ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)
