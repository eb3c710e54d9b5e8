"""The page on which one sees who recognises itself in the mirror, and how others fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mira.evals.beliefs.records import BeliefScores
from mira.evals.beliefs.section import beliefs_section
from mira.evals.mirror.measuring import SCORES
from mira.evals.mirror.records import GROUPS, MirrorRow, MirrorScores, MirrorValue, PlayerScores
from mira.evals.mirror.stability import LEVELS
from mira.evals.mirror.table import GROUP_TITLES
from mira.evals.mirror_report.charts import colour_of, level_chart, stability_chart
from mira.evals.mirror_report.published import SHOWN, published_rows
from mira.evals.mirror_report.radars import radar_of
from mira.evals.mirror_report.ways import Way
from mira.report.page import render_page

_TEMPLATE = Path(__file__).parent / "templates" / "mirror_report.html.j2"
LEVEL_WORDS = (
    "the mirror is told of, with a way to reason",
    "the mirror is told of",
    "the mirror is not told of",
    "neither the mirror, nor that the mark is on one's own body",
)
DRIVE_WORDS = {
    "mark": "to the mark alone",
    "both": "to the mark and its image",
    "neither": "to neither",
    "image": "to the image alone",
}


def mirror_report_page(
    scores: MirrorScores,
    *,
    ways: Mapping[str, Sequence[Way]],
    beliefs: BeliefScores | None = None,
    tool_version: str,
) -> str:
    """The HTML of the page; equal content gives equal bytes.

    Args:
        scores: The numbers, the best player first.
        ways: Episodes that are drawn, by the name of the player.
        beliefs: What players said that they believe; None where nobody was asked.
        tool_version: What made it.
    """
    players = scores.players
    levels = sorted({row.level for one in players for row in one.rows if row.level is not None})
    return render_page(
        _TEMPLATE,
        scores=scores,
        players=[_player(one, place) for place, one in enumerate(players)],
        published=published_rows(),
        shown=SHOWN,
        levels=[
            (level, LEVEL_WORDS[level], [_player(p, k, level) for k, p in enumerate(players)])
            for level in levels
        ],
        level_tables={level: published_rows(level) for level in levels},
        charts=[level_chart(players, group, GROUP_TITLES[group]) for group in GROUPS],
        stability=stability_chart(players),
        radars=[radar_of(one, place) for place, one in enumerate(players)],
        drives=[_drives(one, place) for place, one in enumerate(players)],
        drive_words=DRIVE_WORDS,
        decks=[
            (one.name, colour_of(place), ways.get(one.name, ()))
            for place, one in enumerate(players)
        ],
        beliefs=beliefs_section(beliefs),
        groups=[(group, GROUP_TITLES[group]) for group in GROUPS],
        metrics=SCORES,
        unlike=list(_unlike(players)),
        lacking=[one for one in players if _lacks(one)],
        tool_version=tool_version,
    )


def _player(one: PlayerScores, place: int, level: int | None = None) -> dict[str, Any]:
    rows = {group: one.row(group, level) for group in GROUPS}
    return {
        "scores": one,
        "colour": colour_of(place),
        "cells": [
            None if row is None else (getattr(row, metric), metric)
            for row in rows.values()
            for metric in SCORES
        ],
        "overall": rows["overall"],
    }


def _drives(one: PlayerScores, place: int) -> dict[str, Any]:
    total = sum(one.drives.values())
    return {
        "name": one.name,
        "colour": colour_of(place),
        "parts": [
            (name, one.drives[name], 100 * one.drives[name] / total)
            for name in DRIVE_WORDS
            if one.drives.get(name)
        ],
        "shares": [_share(one.row("overall", level)) for level in (*LEVELS, None)],
        "tracks": _track(one.row("overall")),
    }


def _share(row: MirrorRow | None) -> MirrorValue | None:
    return None if row is None else row.image_share


def _track(row: MirrorRow | None) -> tuple[float, float, float] | None:
    """The share of moves to the image with its interval, in per cent."""
    if row is None or row.image_share.value is None:
        return None
    value, interval = row.image_share.value, row.image_share.interval
    low, high = (interval.low, interval.high) if interval else (value, value)
    return 100 * value, 100 * low, 100 * high


def _unlike(players: Sequence[PlayerScores]) -> Iterator[tuple[str, list[str]]]:
    """Settings that were not the same for all whose run tells them, with who had what."""
    for name in sorted({name for one in players for name in one.settings}):
        who: dict[str, list[str]] = {}
        for one in players:
            if name in one.settings:
                who.setdefault(one.settings[name], []).append(one.name)
        if len(who) > 1:
            yield name, [f"{value}: {', '.join(names)}" for value, names in who.items()]


def _lacks(one: PlayerScores) -> bool:
    """Whether a player was not scored on all scenes at all levels that it played."""
    return bool(one.scenes_lacking or one.rows[-1].n_aborted)
