"""How often two annotators chose the same, beyond chance and how surely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.comparison import ImageComparison
from annotate.agreement.policy import AgreementPolicy
from annotate.agreement.shapes import UNSET, Role
from mira.schema.audit import Agreement
from mira.schema.evaluation import Interval

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
    return tuple(_agreement(choices, policy) for choices in choices_of(images))


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


def _agreement(choices: Choices, policy: AgreementPolicy) -> Agreement:
    made = [labels for image in choices.by_image for labels in image]
    n_agreed = sum(one == other for one, other in made)
    names = sorted({label for labels in made for label in labels})
    place = {name: k for k, name in enumerate(names)}
    tables = np.zeros((len(choices.by_image), len(names), len(names)))
    for image, found in enumerate(choices.by_image):
        for one, other in found:
            tables[image, place[one], place[other]] += 1
    drawn = _resampled(tables, policy)
    kappa = float(kappa_of(tables.sum(axis=0))) if choices.has_kappa and made else None
    if kappa is not None and np.isnan(kappa):
        kappa = None
    with np.errstate(invalid="ignore"):
        shares = np.trace(drawn, axis1=1, axis2=2) / drawn.sum(axis=(1, 2))
    return Agreement(
        name=choices.name,
        n=len(made),
        n_agreed=n_agreed,
        interval=interval_of(shares, policy),
        kappa=kappa,
        kappa_interval=None if kappa is None else interval_of(kappa_of(drawn), policy),
    )


def _resampled(tables: NDArray[np.float64], policy: AgreementPolicy) -> NDArray[np.float64]:
    """Sums of tables over pictures drawn with replacement, shape (resamples, k, k)."""
    weights = resample_weights(len(tables), policy)
    return np.tensordot(weights, tables, axes=1)


def resample_weights(n_images: int, policy: AgreementPolicy) -> NDArray[np.float64]:
    """How often each picture is drawn, shape (resamples, pictures); the same for all measures."""
    if n_images == 0:
        return np.zeros((policy.resamples, 0))
    rng = np.random.default_rng(policy.seed)
    even = np.full(n_images, 1 / n_images)
    return rng.multinomial(n_images, even, size=policy.resamples).astype(float)


def interval_of(values: NDArray[np.float64], policy: AgreementPolicy) -> Interval | None:
    """Percentile interval of a measure over resamples; None where fewer than two told anything."""
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return None
    tail = (1 - policy.level) / 2
    low, high = np.quantile(known, (tail, 1 - tail)).tolist()
    method = f"percentile bootstrap over images, {policy.resamples} resamples"
    return Interval(method=method, level=policy.level, low=low, high=high)
