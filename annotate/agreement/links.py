"""Whether two annotators say the same of what reflections show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mira.store.drawn_shapes import DrawnLink


class Decision(NamedTuple):
    """What an annotator says of a reflection, with the other's ids."""

    counterpart: str
    """`in_frame`, `out_of_frame` or `ambiguous`."""
    shows: int | None
    """The instance that it shows; None where none is named, or the other has no such instance."""


class LinkChoice(NamedTuple):
    """What both say of one reflection."""

    first_id: int
    """The reflection in the one annotation."""
    second_id: int
    """The same in the other."""
    first: Decision
    """What the one says, in the other's ids."""
    second: Decision
    """What the other says."""

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.first == self.second


class LinkComparison(NamedTuple):
    """Links of one picture in both annotations."""

    choices: tuple[LinkChoice, ...]
    """Reflections that both drew and decided on."""
    n_first: int
    """Links to an instance in the one annotation."""
    n_second: int
    """Links to an instance in the other."""
    n_common: int
    """Links of both: reflection and what it shows are partners."""
    undecided: tuple[tuple[int, int], ...]
    """Reflections that both drew and one or both left open, by their ids."""


def compare_links(
    first: Sequence[DrawnLink], second: Sequence[DrawnLink], partners: Mapping[int, int]
) -> LinkComparison:
    """Compare links through the match of instances.

    Args:
        first: What the one annotator says.
        second: What the other says.
        partners: The other's id of the one's instances that have a partner.
    """
    theirs = {link.reflected_id: link for link in second}
    choices: list[LinkChoice] = []
    undecided: list[tuple[int, int]] = []
    for link in first:
        partner = partners.get(link.reflected_id)
        if partner is None or partner not in theirs:
            continue
        one, other = _decision(link, partners), _decision(theirs[partner], None)
        if one is None or other is None:
            undecided.append((link.reflected_id, partner))
        else:
            choices.append(LinkChoice(link.reflected_id, partner, one, other))
    linked = {
        (partners.get(link.reflected_id), partners.get(link.shows))
        for link in first
        if link.shows is not None
    }
    named = {(link.reflected_id, link.shows) for link in second if link.shows is not None}
    return LinkComparison(
        choices=tuple(choices),
        n_first=sum(link.shows is not None for link in first),
        n_second=len(named),
        n_common=len(linked & named),
        undecided=tuple(undecided),
    )


def _decision(link: DrawnLink, partners: Mapping[int, int] | None) -> Decision | None:
    """What a link says, ids translated where partners are given; None while nobody decided."""
    if link.counterpart is None:
        return None
    shown = link.shows
    if shown is not None and partners is not None:
        # A target that the other did not draw is no target of theirs; 0 is nobody's id.
        shown = partners.get(shown, 0)
    return Decision(link.counterpart, shown)
