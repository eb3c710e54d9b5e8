"""Shapes and choices on which two annotators disagree: what they have to talk about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from annotate.agreement.comparison import ImageComparison, ShapePair
from annotate.agreement.overlaps import Drawings
from annotate.agreement.summary import near_misses
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.rounds import ComparedRound
from mira.store.drawn_shapes import DrawnShapes

Reason = Literal["alone", "near-miss", "label", "link", "open", "loose"]
"""`alone`: only one drew it; `near-miss`: both did, and share little; `label`: types of a surface
or visibilities of an instance differ; `link`: what a reflection shows differs; `open`: one or both
left open what it shows; `loose`: both drew it, and share less than the bound."""
REASONS: tuple[Reason, ...] = ("alone", "near-miss", "label", "link", "open", "loose")
_CHOICES = {"label", "link", "open"}
_SHAPES_A_CHOICE = 2
"""Cards of shapes for each card of a choice, while there are both."""


class LinkWords(NamedTuple):
    """What two people say that one reflection shows, in words, each with their own ids."""

    first: str
    """The one's."""
    second: str
    """The other's."""


class Dispute(NamedTuple):
    """A shape, or two that are partners, to talk about."""

    pair: ShapePair
    """The shape or shapes."""
    reasons: tuple[Reason, ...]
    """Why, in the order of `REASONS`; at least one."""
    links: LinkWords | None
    """What both say it shows; None where that is not among the reasons."""

    @property
    def is_near_miss(self) -> bool:
        """Whether one drew it alone or both share little."""
        return self.reasons[0] in ("alone", "near-miss")

    @property
    def rank(self) -> tuple[float, ...]:
        """Least for what matters most: near misses by area, choices by area, then loose ones."""
        if self.is_near_miss:
            return (0, -self.pair.area_px)
        if _CHOICES.intersection(self.reasons):
            return (1, -self.pair.area_px)
        return (2, self.pair.iou)


def disputes_of(compared: ComparedRound, *, policy: ReportPolicy) -> tuple[Dispute, ...]:
    """All disputes of a round, what matters most first.

    Drawings are read of images alone on which links are in dispute.
    """
    little = set(near_misses(compared.comparison, policy=policy.agreement))
    bound = policy.loose_iou if compared.bound is None else compared.bound
    found: list[Dispute] = []
    for image in compared.comparison.images:
        links = _link_reasons(image)
        drawings = compared.drawings_of(image.image_id) if links else None
        for pair in image.pairs:
            link = links.get((pair.first_id, pair.second_id)) if pair.role == "instance" else None
            reasons = _reasons(pair, link, is_near=pair in little, bound=bound)
            if reasons:
                words = _link_words(drawings, pair) if link and drawings else None
                found.append(Dispute(pair, reasons, words))
    return tuple(sorted(found, key=lambda dispute: (dispute.rank, dispute.pair.image_id)))


def choose_cards(
    by_round: Sequence[Sequence[Dispute]], *, policy: ReportPolicy
) -> tuple[tuple[Dispute, ...], ...]:
    """Disputes to show as pictures, round by round; rounds take turns until a page is full.

    Args:
        by_round: The disputes of each round, as `disputes_of` orders them.
        policy: How many.
    """
    queues = [_mixed(disputes)[: policy.cards_per_round] for disputes in by_round]
    turns = [
        (k, dispute)
        for turn in zip_longest(*queues)
        for k, dispute in enumerate(turn)
        if dispute is not None
    ]
    chosen: list[list[Dispute]] = [[] for _ in by_round]
    for k, dispute in turns[: policy.cards_per_page]:
        chosen[k].append(dispute)
    return tuple(map(tuple, chosen))


def words_of_link(drawn: DrawnShapes, reflected_id: int) -> str:
    """What an annotator says that a reflection shows, in words for people."""
    link = next((link for link in drawn.links if link.reflected_id == reflected_id), None)
    if link is None or link.counterpart is None:
        return "left open"
    if link.shows is not None:
        return f"shows {link.shows}"
    return {
        "in_frame": "in frame, not named",
        "out_of_frame": "out of frame",
        "ambiguous": "ambiguous",
    }[link.counterpart]


def _mixed(disputes: Iterable[Dispute]) -> list[Dispute]:
    """Shapes with choices among them, so that neither takes all places."""
    shapes: list[Dispute] = []
    choices: list[Dispute] = []
    for dispute in disputes:
        (choices if dispute.rank[0] == 1 else shapes).append(dispute)
    mixed: list[Dispute] = []
    for k, choice in enumerate(choices):
        mixed += [*shapes[_SHAPES_A_CHOICE * k : _SHAPES_A_CHOICE * (k + 1)], choice]
    return mixed + shapes[_SHAPES_A_CHOICE * len(choices) :]


def _link_reasons(image: ImageComparison) -> dict[tuple[int | None, int | None], Reason]:
    """Reflections whose links are in dispute, by both ids."""
    found: dict[tuple[int | None, int | None], Reason] = {
        (choice.first_id, choice.second_id): "link"
        for choice in image.links.choices
        if not choice.agrees
    }
    found.update(dict.fromkeys(image.links.undecided, "open"))
    return found


def _reasons(
    pair: ShapePair, link: Reason | None, *, is_near: bool, bound: float
) -> tuple[Reason, ...]:
    found: set[Reason | None] = {link}
    if not pair.is_matched:
        found.add("alone")
    elif is_near:
        found.add("near-miss")
    elif pair.iou < bound:
        found.add("loose")
    if pair.is_matched and pair.first_label != pair.second_label:
        found.add("label")
    return tuple(reason for reason in REASONS if reason in found)


def _link_words(drawings: Drawings, pair: ShapePair) -> LinkWords:
    assert pair.first_id is not None
    assert pair.second_id is not None
    return LinkWords(
        words_of_link(drawings[0], pair.first_id),
        words_of_link(drawings[1], pair.second_id),
    )
