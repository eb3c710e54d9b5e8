"""Disputes as pictures: what the one drew, what the other did, and both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from annotate.agreement_report.cutouts import cut_around, cut_uri
from annotate.agreement_report.disputes import Dispute, choose_cards
from annotate.agreement_report.overlays import Overlay, draw_dispute, overlay_dispute
from annotate.agreement_report.pictures import Pictures
from annotate.agreement_report.policy import ReportPolicy
from annotate.agreement_report.rounds import ComparedRound, Progress
from mira.errors import MiraError


class Card(NamedTuple):
    """A dispute as the page shows it."""

    dispute: Dispute
    """What it is about."""
    uri: str | None
    """The cut-out, JPEG as a data URI; None where there is no picture."""
    missing: str | None
    """Why there is none; None where there is one."""
    width_px: int
    """Nominal width of the cut-out."""
    height_px: int
    """Nominal height."""
    overlay: Overlay
    """What both drew, in its nominal pixels."""


def draw_cards(
    rounds: Sequence[ComparedRound],
    disputes: Sequence[Sequence[Dispute]],
    *,
    policy: ReportPolicy,
    pictures: Pictures,
    progress: Progress | None = None,
) -> tuple[tuple[Card, ...], ...]:
    """Cards of each round, what matters most first.

    Args:
        rounds: The rounds.
        disputes: Those of each, as `disputes_of` orders them.
        policy: How many cards, how many bytes of pictures, and how large they are.
        pictures: Gives the pictures; a card whose picture cannot be had says so.
        progress: Called with cards done and cards in all.
    """
    chosen = choose_cards(disputes, policy=policy)
    drawer = _Drawer(policy, pictures)
    done, total = 0, sum(map(len, chosen))
    cards: list[list[Card]] = [[] for _ in rounds]
    # Turn by turn, so that where the bytes run out no round is left without a picture.
    for turn in range(max(map(len, chosen), default=0)):
        for compared, mine, drawn in zip(rounds, chosen, cards, strict=True):
            if turn < len(mine) and not drawer.is_full:
                drawn.append(drawer.draw(compared, mine[turn]))
                done += 1
                if progress is not None:
                    progress(done, total)
    return tuple(
        tuple(sorted(drawn, key=lambda card: (card.dispute.rank, card.dispute.pair.image_id)))
        for drawn in cards
    )


class _Drawer:
    """Draws cards until a page is full."""

    def __init__(self, policy: ReportPolicy, pictures: Pictures) -> None:
        self._policy = policy
        self._pictures = pictures
        self._bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether pictures have taken all bytes that they may."""
        return self._bytes > self._policy.picture_bytes

    def draw(self, compared: ComparedRound, dispute: Dispute) -> Card:
        image_id = dispute.pair.image_id
        drawn = draw_dispute(dispute, compared.drawings_of(image_id))
        cutout = cut_around(drawn.bounds, size_px=drawn.size_px, policy=self._policy)
        uri = missing = None
        try:
            picture = self._pictures(image_id)
        except MiraError:
            missing = "The picture is gone, or is no longer the one that was drawn on."
        else:
            if picture.shape[1::-1] == drawn.size_px:
                uri = cut_uri(picture, cutout, quality=self._policy.jpeg_quality)
                self._bytes += len(uri)
            else:
                missing = "The picture has another size than the one that was drawn on."
        return Card(dispute, uri, missing, *cutout.shown_px, overlay_dispute(drawn, cutout))
