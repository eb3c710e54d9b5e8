"""How far a desk is, told without reading any question."""

from __future__ import annotations

from typing import NamedTuple

from annotate.desk.database import Database
from annotate.desk.roles import Person

_PROGRESS = """
select count(*), coalesce(sum(state = 'settled'), 0), coalesce(sum(state = 'disputed'), 0),
    (select count(distinct item_id) from verdicts where reviewer = :name)
from items where is_current
"""


class Progress(NamedTuple):
    """How far a desk is.

    Attributes:
        items: Questions in all.
        settled: Those that wait for nobody.
        disputed: Those that wait for an adjudicator.
        mine: Those that the person has judged.
    """

    items: int
    settled: int
    disputed: int
    mine: int


def read_progress(database: Database, person: Person) -> Progress:
    """How far a desk is, and what a person has done there."""
    row = database.connection().execute(_PROGRESS, {"name": person.name}).fetchone()
    return Progress(*row)
