"""A comparison in numbers: means by role, label, size and picture, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from annotate.agreement.choices import choices_of, interval_of, resampled
from annotate.agreement.comparison import Comparison, ImageComparison, ShapePair
from annotate.agreement.policy import AgreementPolicy
from mira.schema.audit import Agreement
from mira.schema.evaluation import Interval
from mira.schema.record import Record

SIZE_BANDS = (("small", 0.0), ("medium", 32.0**2), ("large", 96.0**2))
"""Bands of area by their least number of square pixels, as COCO has them."""


class MeanIou(Record):
    """How well some shapes agree."""

    group: str
    """What they have in common: `all`, `role`, `label`, `size` or `image`."""
    name: str
    """Which of the group."""
    n_shapes: int = Field(ge=1)
    """Partners and shapes without one."""
    n_matched: int = Field(ge=0)
    """Partners."""
    mean_iou: float
    """Over all, those without a partner as 0."""
    interval: Interval | None
    """Its interval over pictures; absent where fewer than two have such shapes."""
    matched_iou: float | None
    """Over partners alone; absent without any."""
    matched_interval: Interval | None
    """Its interval."""
    boundary_iou: float | None
    """Mean IoU of rims over all; absent where it was not computed."""


class LinkScore(Record):
    """How well links from reflections agree, the one annotation held against the other."""

    n_first: int
    """Links to an instance in the one."""
    n_second: int
    """Links to an instance in the other."""
    n_common: int
    """Links of both."""
    precision: float | None
    """Share of the one's that the other has; absent without any."""
    recall: float | None
    """Share of the other's that the one has; absent without any."""
    f1: float | None
    """Their harmonic mean; absent where neither has links."""
    n_undecided: int
    """Reflections of both that one or both left open."""


class AgreementSummary(Record):
    """All that a comparison says in numbers."""

    n_images: int
    """Pictures compared."""
    means: tuple[MeanIou, ...]
    """Means; first that of all shapes."""
    links: LinkScore
    """Links."""
    agreements: tuple[Agreement, ...]
    """Choices beside shapes."""
    confusions: dict[str, dict[str, dict[str, int]]]
    """By kind of choice, what the one chose by what the other did."""
    near_misses: int
    """Partners that share little, and shapes without any."""


def summarise(comparison: Comparison, *, policy: AgreementPolicy) -> AgreementSummary:
    """Means, links and choices of a comparison."""
    images = comparison.images
    return AgreementSummary(
        n_images=len(images),
        means=_means(images, policy),
        links=_links(images),
        agreements=comparison.agreements,
        confusions={
            choices.name: _nested(choices.confusion)
            for choices in choices_of(images)
            if choices.has_kappa
        },
        near_misses=len(near_misses(comparison, policy=policy)),
    )


def near_misses(comparison: Comparison, *, policy: AgreementPolicy) -> tuple[ShapePair, ...]:
    """Partners that share little and shapes without one, the largest first."""
    found = [pair for pair in comparison.pairs if pair.iou < policy.near_miss_iou]
    return tuple(sorted(found, key=lambda pair: (-pair.area_px, pair.image_id)))


def size_band(area_px: float) -> str:
    """The band of an area in square pixels."""
    return next(name for name, least in reversed(SIZE_BANDS) if area_px >= least)


def _means(images: Sequence[ImageComparison], policy: AgreementPolicy) -> tuple[MeanIou, ...]:
    groups: tuple[tuple[str, Callable[[ShapePair], str]], ...] = (
        ("all", lambda _: "all"),
        ("role", lambda pair: pair.role),
        ("label", lambda pair: f"{pair.role} {pair.label}"),
        ("size", lambda pair: size_band(pair.area_px)),
    )
    chosen: list[_Chosen] = []
    for group, name_of in groups:
        by_name: dict[str, dict[int, list[ShapePair]]] = {}
        for place, image in enumerate(images):
            for pair in image.pairs:
                by_name.setdefault(name_of(pair), {}).setdefault(place, []).append(pair)
        chosen += [_Chosen(group, name, pairs) for name, pairs in sorted(by_name.items())]
    sums = [some.sums(len(images)) for some in chosen]
    drawn = np.split(resampled(np.hstack(sums), policy), len(sums), axis=1) if sums else []
    found = [some.mean(sums, policy) for some, sums in zip(chosen, drawn, strict=True)]
    for place, image in enumerate(images):
        if image.pairs:
            found.append(_Chosen("image", image.image_id, {place: image.pairs}).mean(None, policy))
    return tuple(found)


class _Chosen(NamedTuple):
    """Shapes that have something in common, by the place of their picture."""

    group: str
    name: str
    by_place: Mapping[int, Sequence[ShapePair]]

    def sums(self, n_images: int) -> NDArray[np.float64]:
        """Of each picture the number of shapes, of partners, and the sum of IoUs."""
        sums = np.zeros((n_images, 3))
        for place, pairs in self.by_place.items():
            matched = sum(pair.is_matched for pair in pairs)
            sums[place] = len(pairs), matched, sum(pair.iou for pair in pairs)
        return sums

    def mean(self, drawn: NDArray[np.float64] | None, policy: AgreementPolicy) -> MeanIou:
        """Their mean; with sums over resamples also its interval, if they are of two pictures."""
        pairs = [pair for found in self.by_place.values() for pair in found]
        n_matched = sum(pair.is_matched for pair in pairs)
        total = sum(pair.iou for pair in pairs)
        rims = [pair.boundary_iou for pair in pairs if pair.boundary_iou is not None]
        interval = matched_interval = None
        if drawn is not None and len(self.by_place) >= 2:
            shapes, matched, ious = drawn.T
            with np.errstate(invalid="ignore", divide="ignore"):
                interval = interval_of(ious / shapes, policy)
                matched_interval = interval_of(ious / matched, policy) if n_matched else None
        return MeanIou(
            group=self.group,
            name=self.name,
            n_shapes=len(pairs),
            n_matched=n_matched,
            mean_iou=total / len(pairs),
            interval=interval,
            matched_iou=total / n_matched if n_matched else None,
            matched_interval=matched_interval,
            boundary_iou=sum(rims) / len(rims) if rims else None,
        )


def _links(images: Sequence[ImageComparison]) -> LinkScore:
    n_first, n_second, n_common = (
        sum(getattr(image.links, name) for image in images)
        for name in ("n_first", "n_second", "n_common")
    )
    total = n_first + n_second
    return LinkScore(
        n_first=n_first,
        n_second=n_second,
        n_common=n_common,
        precision=n_common / n_first if n_first else None,
        recall=n_common / n_second if n_second else None,
        f1=2 * n_common / total if total else None,
        n_undecided=sum(len(image.links.undecided) for image in images),
    )


def _nested(confusion: dict[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (one, other), count in confusion.items():
        nested.setdefault(one, {})[other] = count
    return nested
