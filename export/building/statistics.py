"""Counts for the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mira.release.reader import Row
from mira.schema.annotation import ImageAnnotation
from mira.schema.capture import Scene, View

NOT_GIVEN = "not given"
"""Stands in counts for what a record does not say."""
Counts = dict[str, dict[str, int]]
"""Numbers by table and row."""


class Statistics:
    """Counts gathered while rows pass."""

    def __init__(self) -> None:
        self._tables: dict[str, Counter[str]] = {}

    def count(self, table: str, row: str | None, number: int = 1) -> None:
        """Add to a cell."""
        self._tables.setdefault(table, Counter())[row or NOT_GIVEN] += number

    def count_scene(self, scene: Scene) -> None:
        """Take in a scene."""
        for key in ("environment", "lighting", "place", "source", "licence", "consent"):
            self.count(f"scenes by {key}", getattr(scene, key))

    def count_picture(self, view: View, annotation: ImageAnnotation) -> None:
        """Take in a picture and what is drawn on it."""
        self.count("pictures by depth", view.depth_kind or "none")
        for surface in annotation.surfaces:
            self.count("surfaces by type", surface.surface_type)
        for instance in annotation.instances:
            self.count("instances by visibility", instance.visibility)
        for link in annotation.links:
            self.count("reflections by counterpart", link.counterpart)

    def count_questions(self, rows: Sequence[Row]) -> None:
        """Take in rows of `qa` about one item."""
        for row in rows[:1]:
            self.count("questions by sub-task", row["subtask"], len(rows))
            self.count("questions by template", row["template_id"], len(rows))
            self.count("questions by review state", row["review"], len(rows))
        for row in rows:
            self.count("questions by protocol", row["protocol"])

    def add(self, counts: Counts) -> None:
        """Take in what another process counted."""
        for table, rows in counts.items():
            for row, number in rows.items():
                self.count(table, row, number)

    def plain(self) -> Counts:
        """Tables with their rows sorted by name."""
        return {table: dict(sorted(rows.items())) for table, rows in sorted(self._tables.items())}


def licences_of(counts: Counts) -> list[str]:
    """All licences that pictures, episodes and questions are under, as far as they are known."""
    tables = (rows for table, rows in counts.items() if table.endswith(" by licence"))
    return sorted({name for rows in tables for name in rows if name != NOT_GIVEN})
