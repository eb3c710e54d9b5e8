"""What the people at a desk have done, and how often they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import get_args

import numpy as np

from annotate.agreement.choices import kappa_of
from annotate.desk.database import Database
from annotate.desk.items import all_events
from annotate.desk.leases import WorkKind, lent
from mira.reviews import standing
from mira.schema.qa import QAItem, ReviewEvent
from mira.schema.record import Record
from mira.taxonomy.catalogue import taxonomy

# The newest answer of a person to a question counts; `null` is one that was taken back.
_PEOPLE = """
select p.name, p.role,
    (
        select count(*) from answers a
        where a.name = p.name and a.content <> 'null' and a.id = (
            select max(id) from answers b where b.item_id = a.item_id and b.name = a.name
        )
    ) as answers,
    (select count(distinct item_id) from replies b where b.name = p.name) as baseline
from people p where p.is_active order by p.name
"""
_VERDICTS = ("accepted", "rejected")


class Agreement(Record):
    """How often two reviewers of an item say the same."""

    pairs: int
    """Items that two reviewed."""
    same: int
    """Those of which both said the same verdict."""
    kappa: float | None
    """Kappa of the verdicts, see `agreement_of`; absent without pairs, or where chance alone would
    agree."""

    @property
    def percent(self) -> float | None:
        """Share that agrees, in percent; None without pairs."""
        return None if not self.pairs else 100 * self.same / self.pairs


class PersonFigures(Record):
    """What one person did."""

    name: str
    """Code name."""
    role: str
    """What they may do."""
    verdicts: int
    """Items of which they said something as a reviewer that counts."""
    rulings: int
    """Disputes that they settled."""
    answers: int
    """Questions that they answered."""
    baseline: int
    """Questions that they answered as a model would."""
    on_desk: int
    """What is lent to them."""
    agreement: Agreement
    """With other reviewers."""


class Figures(Record):
    """A dashboard."""

    items: int
    """Questions in all."""
    waiting: int
    """Those that wait for verdicts."""
    disputed: int
    """Those that wait for an adjudicator."""
    accepted: int
    """Settled ones that go out."""
    rejected: int
    """Settled ones that do not."""
    by_subtask: dict[str, Agreement]
    """Agreement by sub-task, of those that were reviewed."""
    people: tuple[PersonFigures, ...]
    """Everybody, by name."""


def agreement_of(pairs: Iterable[tuple[str, str]], *, is_ordered: bool = False) -> Agreement:
    """How often pairs of verdicts are the same.

    Args:
        pairs: Two verdicts on each item.
        is_ordered: The first is always of one person: kappa is Cohen's, of that person and all
            others. Else nobody is first, and it is Fleiss' of two verdicts an item.
    """
    counts = Counter(pairs)
    table = np.zeros((2, 2))
    for (one, other), count in counts.items():
        i, j = _VERDICTS.index(one), _VERDICTS.index(other)
        table[i, j] += count
        if not is_ordered:
            table[j, i] += count
    table /= 1 if is_ordered else 2
    total = counts.total()
    same = sum(count for (one, other), count in counts.items() if one == other)
    kappa = float(kappa_of(table)) if total else float("nan")
    return Agreement(pairs=total, same=same, kappa=None if np.isnan(kappa) else kappa)


def desk_figures(
    items: Iterable[QAItem],
    history: Mapping[str, Sequence[ReviewEvent]],
    people: Sequence[tuple[str, str, int, int, int]],
) -> Figures:
    """Count a desk.

    Args:
        items: Its questions, as made.
        history: What was said of each, in the order it was said.
        people: Name, role, answers, replies and leases of everybody.
    """
    states: Counter[str] = Counter()
    by_subtask: dict[str, list[tuple[str, str]]] = {one.id: [] for one in taxonomy().subtasks}
    by_person: dict[str, list[tuple[str, str]]] = {}
    verdicts: Counter[str] = Counter()
    rulings: Counter[str] = Counter()
    for item in items:
        found = standing(item, history.get(item.item_id, ()))
        states["items"] += 1
        states[found.decided.verdict if found.decided else found.state] += 1
        reviews = [event for event in found.verdicts if event.role == "reviewer"]
        verdicts.update(event.reviewer for event in reviews)
        rulings.update(event.reviewer for event in found.verdicts if event.role != "reviewer")
        for one, other in combinations(reviews, 2):
            pair = (one.verdict, other.verdict)
            by_subtask[taxonomy().template(item.template_id).subtask].append(pair)
            by_person.setdefault(one.reviewer, []).append(pair)
            by_person.setdefault(other.reviewer, []).append(pair[::-1])
    return Figures(
        items=states["items"],
        waiting=states["waiting"],
        disputed=states["disputed"],
        accepted=states["accepted"],
        rejected=states["rejected"],
        by_subtask={name: agreement_of(pairs) for name, pairs in by_subtask.items() if pairs},
        people=tuple(
            PersonFigures(
                name=name,
                role=role,
                verdicts=verdicts[name],
                rulings=rulings[name],
                answers=answers,
                baseline=baseline,
                on_desk=on_desk,
                agreement=agreement_of(by_person.get(name, ()), is_ordered=True),
            )
            for name, role, answers, baseline, on_desk in people
        ),
    )


def read_figures(database: Database, items: Iterable[QAItem], *, now: datetime) -> Figures:
    """Count what is in a database."""
    reading = database.connection()
    on_desk: Counter[str] = Counter()
    for kind in get_args(WorkKind):
        for names in lent(reading, kind, now=now).values():
            on_desk.update(names)
    rows = reading.execute(_PEOPLE).fetchall()
    people = [(*row, on_desk[row["name"]]) for row in rows]
    return desk_figures(items, all_events(reading), people)
