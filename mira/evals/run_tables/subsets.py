"""Questions that have something in common which decides who can be asked them."""

from __future__ import annotations

from collections.abc import Iterable

from mira.release.reader import Row

QUESTION_COLUMNS = ("question_id", "image_id", "marks")
"""Columns of `qa` that subsets and links are made of, beside those of scores."""
SCENE_COLUMNS = ("image_id", "surfaces", "links")
"""Columns of `scenes`."""
SINGLE_REGION, SINGLE_SURFACE = "single-region", "single-surface"


def subsets_of(rows: Iterable[Row], scenes: Iterable[Row]) -> dict[str, frozenset[str]]:
    """Ids of questions by subset.

    `single-region`: the question points at exactly one instance, options counted (MIRA-Bench,
    table 9: questions for models that take one region). `single-surface`: its picture has exactly
    one reflective surface.

    Args:
        rows: The `qa` table, the `QUESTION_COLUMNS`.
        scenes: The `scenes` table, the `SCENE_COLUMNS`.
    """
    surfaces = {scene["image_id"]: len(scene["surfaces"] or ()) for scene in scenes}
    found: dict[str, set[str]] = {SINGLE_REGION: set(), SINGLE_SURFACE: set()}
    for row in rows:
        if len(row["marks"] or ()) == 1:
            found[SINGLE_REGION].add(row["question_id"])
        if surfaces.get(row["image_id"]) == 1:
            found[SINGLE_SURFACE].add(row["question_id"])
    return {name: frozenset(ids) for name, ids in found.items()}
