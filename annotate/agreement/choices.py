"""How often two annotators chose the same, beyond chance and how surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.comparison import ImageComparison, Role
from annotate.agreement.policy import AgreementPolicy
from mira.schema.audit import Agreement
from mira.schema.evaluation import Interval
from mira.store.drawn_shapes import UNSET

_WEIGHTS_AT_ONCE = 1_000_000

Labels = tuple[str, str]
"""What the one chose, and the other."""


class Choices(NamedTuple):
    """Choices of one kind, picture by picture."""

    name: Literal["correspondence", "visibility", "surface_type"]
    """Their kind."""
    by_image: tuple[tuple[Labels, ...], ...]
    """Choices that both made, for each picture."""
    has_kappa: bool
    """Whether the labels are the same few for all, so that chance can be told."""

    @property
    def confusion(self) -> dict[Labels, int]:
        """How often each two labels met."""
        return dict(sorted(Counter(labels for image in self.by_image for labels in image).items()))


def choices_of(images: Sequence[ImageComparison]) -> tuple[Choices, ...]:
    """All choices of annotators that can be compared; those that one left open are left out."""
    links = tuple(
        tuple(("same", "same" if choice.agrees else "other") for choice in image.links.choices)
        for image in images
    )
    return (
        Choices("correspondence", links, has_kappa=False),
        Choices("visibility", _labels(images, "instance"), has_kappa=True),
        Choices("surface_type", _labels(images, "surface"), has_kappa=True),
    )


def agreements_of(
    images: Sequence[ImageComparison], *, policy: AgreementPolicy
) -> tuple[Agreement, ...]:
    """Shares that agree and Cohen's kappa, with intervals over pictures."""
    found = choices_of(images)
    tables = [_tables(choices) for choices in found]
    flat = np.hstack([table.reshape(len(images), table.shape[1] ** 2) for table in tables])
    ends = np.cumsum([table.shape[1] ** 2 for table in tables])[:-1]
    drawn = np.split(resampled(flat, policy), ends, axis=1)
    return tuple(
        _agreement(choices, table, some.reshape(len(some), *table.shape[1:]), policy)
        for choices, table, some in zip(found, tables, drawn, strict=True)
    )


def kappa_of(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cohen's kappa of square tables of counts; NaN where chance alone would agree on all.

    Cohen, A Coefficient of Agreement for Nominal Scales, 1960: (p_o - p_e) / (1 - p_e).

    Args:
        table: Counts of the one's label by the other's, shape (..., k, k).
    """
    total = table.sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(table, axis1=-2, axis2=-1) / total
        chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / total**2
        return np.asarray(np.where(chance < 1, (observed - chance) / (1 - chance), np.nan))


def _labels(images: Iterable[ImageComparison], role: Role) -> tuple[tuple[Labels, ...], ...]:
    return tuple(
        tuple(
            (pair.first_label, pair.second_label)
            for pair in image.pairs
            if pair.role == role
            and pair.first_label not in (None, UNSET)
            and pair.second_label not in (None, UNSET)
        )
        for image in images
    )


def _tables(choices: Choices) -> NDArray[np.float64]:
    """Counts of the one's label by the other's for each picture, shape (pictures, k, k)."""
    names = sorted({label for image in choices.by_image for labels in image for label in labels})
    place = {name: k for k, name in enumerate(names)}
    tables = np.zeros((len(choices.by_image), len(names), len(names)))
    for image, found in enumerate(choices.by_image):
        for one, other in found:
            tables[image, place[one], place[other]] += 1
    return tables


def _agreement(
    choices: Choices,
    tables: NDArray[np.float64],
    drawn: NDArray[np.float64],
    policy: AgreementPolicy,
) -> Agreement:
    """What choices of one kind come to; `drawn` are sums of their tables over resamples."""
    made = [labels for image in choices.by_image for labels in image]
    n_agreed = sum(one == other for one, other in made)
    # Pictures without a choice add nothing to be unsure of.
    is_unsure = sum(bool(image) for image in choices.by_image) >= 2
    kappa = float(kappa_of(tables.sum(axis=0))) if choices.has_kappa and made else None
    if kappa is not None and np.isnan(kappa):
        kappa = None
    with np.errstate(invalid="ignore"):
        shares = np.trace(drawn, axis1=1, axis2=2) / drawn.sum(axis=(1, 2))
    return Agreement(
        name=choices.name,
        n=len(made),
        n_agreed=n_agreed,
        interval=interval_of(shares, policy) if is_unsure else None,
        kappa=kappa,
        kappa_interval=(
            interval_of(kappa_of(drawn), policy) if is_unsure and kappa is not None else None
        ),
    )


def resampled(values: NDArray[np.float64], policy: AgreementPolicy) -> NDArray[np.float64]:
    """Sums of values over pictures that are drawn with replacement; the same for all measures.

    Args:
        values: A row, or a table, for each picture, shape (pictures, ...).
        policy: How often, and the seed.

    Returns:
        Shape (resamples, ...).
    """
    n_images = len(values)
    if n_images == 0:
        return np.zeros((policy.resamples, *values.shape[1:]))
    rng = np.random.default_rng(policy.seed)
    even = np.full(n_images, 1 / n_images)
    # A few draws at a time: all of them for many pictures take hundreds of megabytes.
    at_once = max(1, _WEIGHTS_AT_ONCE // n_images)
    sums = []
    for begun in range(0, policy.resamples, at_once):
        draws = min(at_once, policy.resamples - begun)
        weights = rng.multinomial(n_images, even, size=draws).astype(float)
        sums.append(np.tensordot(weights, values, axes=1))
    return np.concatenate(sums)


def interval_of(values: NDArray[np.float64], policy: AgreementPolicy) -> Interval | None:
    """Percentile interval of a measure over resamples; None where fewer than two told anything."""
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return None
    tail = (1 - policy.level) / 2
    low, high = np.quantile(known, (tail, 1 - tail)).tolist()
    method = f"percentile bootstrap over images, {policy.resamples} resamples"
    return Interval(method=method, level=policy.level, low=low, high=high)
