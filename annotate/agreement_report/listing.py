"""Disputes as the page lists them: rows of a table, and decks of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.agreement.comparison import ShapePair
from annotate.agreement_report.cards import Card
from annotate.agreement_report.disputes import REASONS, Dispute
from annotate.agreement_report.rounds import ComparedRound
from annotate.agreement_report.words import REASON_WORDS, words_of

Anchors = Mapping[tuple[int, ShapePair], str]
"""Where on the page a dispute has its card, by the round's place."""


def anchors_of(cards: Sequence[Sequence[Card]]) -> Anchors:
    """An anchor for each card of each round."""
    return {
        (k, card.dispute.pair): f"card-{k + 1}-{number}"
        for k, drawn in enumerate(cards)
        for number, card in enumerate(drawn, start=1)
    }


def rows_of(
    rounds: Sequence[ComparedRound],
    disputes: Sequence[Sequence[Dispute]],
    anchors: Anchors,
) -> list[dict[str, Any]]:
    """Rows of the table: what matters most first, whatever the round."""
    found = [
        {
            "round": k,
            "title": compared.title,
            "people": (compared.annotator, compared.auditor),
            "pair": dispute.pair,
            "rank": dispute.rank,
            "reasons": dispute.reasons,
            "words": words_of(dispute, annotator=compared.annotator, auditor=compared.auditor),
            "anchor": anchors.get((k, dispute.pair)),
        }
        for k, (compared, mine) in enumerate(zip(rounds, disputes, strict=True))
        for dispute in mine
    ]
    return sorted(found, key=lambda row: row["rank"])


def count_reasons(disputes: Sequence[Sequence[Dispute]]) -> list[tuple[str, str, int]]:
    """Reasons that occur: code, words, and disputes that have it."""
    counts = [
        (reason, sum(reason in dispute.reasons for mine in disputes for dispute in mine))
        for reason in REASONS
    ]
    return [(reason, REASON_WORDS[reason], count) for reason, count in counts if count]


def decks_of(
    rounds: Sequence[ComparedRound],
    disputes: Sequence[Sequence[Dispute]],
    cards: Sequence[Sequence[Card]],
    anchors: Anchors,
) -> list[dict[str, Any]]:
    """Cards round by round, with what is not shown."""
    return [
        {
            "title": compared.title,
            "people": (compared.annotator, compared.auditor),
            "n_left_out": len(mine) - len(drawn),
            "cards": [
                {
                    "anchor": anchors[k, card.dispute.pair],
                    "card": card,
                    "pair": card.dispute.pair,
                    "words": words_of(
                        card.dispute, annotator=compared.annotator, auditor=compared.auditor
                    ),
                }
                for card in drawn
            ],
        }
        for k, (compared, mine, drawn) in enumerate(zip(rounds, disputes, cards, strict=True))
    ]
