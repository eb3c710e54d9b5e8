"""What MIRA-Bench printed in its first table, as lines that nothing is held against."""

from __future__ import annotations

from mira.evals.leaderboard.records import BoardEntry, BoardScore
from mira.evals.papers.mira_tables import SUBTASKS
from mira.evals.papers.tables import read_table

_REASON = "published (MIRA-Bench, table 1), not comparable: other data"
_AVERAGES = {
    "perception": "level:perception",
    "spatial": "level:spatial",
    "decision": "level:decision",
    "overall": "overall",
}


def published_entries() -> tuple[BoardEntry, ...]:
    """Rows of the table, the highest overall first; accuracies without intervals, as in print."""
    columns = {**{one: one for one in SUBTASKS}, **_AVERAGES}
    found = [
        BoardEntry(
            key=f"published {row['row']}",
            model=row["row"],
            kind="published",
            reasons=(_REASON,),
            scores=tuple(
                BoardScore(name=name, value=float(row[column]) / 100)
                for column, name in columns.items()
            ),
        )
        for row in read_table("mira_accuracy")
        if row["table"] == "1"
    ]
    return tuple(sorted(found, key=lambda one: -(one.scores[-1].value or 0)))
