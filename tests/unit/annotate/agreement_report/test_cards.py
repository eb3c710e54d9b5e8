"""Cards show the picture, or say why there is none; a page stays light."""

from __future__ import annotations

import numpy as np

from annotate.agreement_report.cards import draw_cards
from annotate.agreement_report.disputes import disputes_of
from annotate.agreement_report.policy import ReportPolicy

POLICY = ReportPolicy()


def cards_of(rounds, pictures, policy=POLICY, **more):
    disputes = [disputes_of(compared, policy=policy) for compared in rounds]
    return draw_cards(rounds, disputes, policy=policy, pictures=pictures, **more)


def test_each_dispute_is_a_card_in_the_order_of_what_matters(disputed, pictures) -> None:
    told: list[tuple[int, int]] = []
    (cards,) = cards_of([disputed], pictures, progress=lambda *counts: told.append(counts))
    assert [card.dispute for card in cards] == list(disputes_of(disputed, policy=POLICY))
    assert all(card.uri and card.missing is None for card in cards)
    assert told == [(k, 6) for k in range(1, 7)]


def test_a_picture_that_is_gone_or_another_leaves_the_outlines_and_is_said(
    draw, compare, box, pictures
) -> None:
    gone = compare([(draw({1: box(5, 5)}, image_id="gone"), draw(image_id="gone"))])
    ((card,),) = cards_of([gone], pictures)
    assert card.uri is None
    assert card.missing
    assert card.overlay.first.outline
    here = compare([(draw({1: box(5, 5)}), draw())])
    ((card,),) = cards_of([here], lambda _: np.zeros((60, 80, 3), np.uint8))
    assert card.uri is None
    assert "size" in str(card.missing)


def test_pictures_end_when_their_bytes_do_and_every_round_has_some(disputed, pictures) -> None:
    (cards,) = cards_of([disputed], pictures)
    sizes = [len(str(card.uri)) for card in cards]
    allowed = sum(sizes) // 2
    few = cards_of([disputed, disputed], pictures, ReportPolicy(picture_bytes=allowed))
    used = sum(len(str(card.uri)) for mine in few for card in mine)
    assert allowed < used <= allowed + max(sizes)
    assert 0 <= len(few[0]) - len(few[1]) <= 1
    assert 0 < len(few[1]) < len(cards)
