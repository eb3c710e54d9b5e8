"""The page of a leaderboard: one file that needs nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mira.evals.leaderboard.records import BoardEntry, BoardPair, EntryKind, Leaderboard
from mira.evals.mira_bench.subtasks import (
    is_subtask,
    level_name,
    level_of,
    levels_in_order,
    name_of,
    subtasks_in_order,
)
from mira.evals.run_report.figures import track_of
from mira.report.page import render_page
from mira.store.atomic import write_file
from mira.taxonomy.catalogue import taxonomy

_TEMPLATE = Path(__file__).parent / "templates" / "leaderboard.html.j2"
_SHOWN = ("protocol", "modality", "style", "split", "limit", "prompt", "temperature")
_LONG = "longest reply"


def write_leaderboard(board: Leaderboard, out: Path) -> None:
    """Write the page, whole or not at all; equal content gives equal bytes.

    Raises:
        MiraError: The file cannot be written.
    """
    write_file(out, leaderboard_page(board).encode())


def leaderboard_page(board: Leaderboard) -> str:
    """The HTML of the page."""
    levels = _levels(board)
    return render_page(
        _TEMPLATE,
        board=board,
        levels=levels,
        settings=_settings(board.settings),
        ranked=[_line(one, board) for one in _of(board, "ranked")],
        beside=[_line(one, board) for kind in ("people", "reference") for one in _of(board, kind)],
        apart=[_line(one, board) for one in _of(board, "apart")],
        published=[_line(one, board) for one in _of(board, "published")],
        chance={one.name: one.value for one in board.chance},
        matrix=_matrix(board),
        best=_best(board),
    )


def _of(board: Leaderboard, kind: EntryKind | str) -> list[BoardEntry]:
    return [one for one in board.entries if one.kind == kind]


def _line(one: BoardEntry, board: Leaderboard) -> dict[str, Any]:
    overall = one.score("overall")
    chance = next((row.value for row in board.chance if row.name == "overall"), None)
    return {
        "entry": one,
        "scores": {row.name: row for row in one.scores},
        "overall": overall,
        "track": overall
        and track_of(
            overall.value,
            overall.interval,
            chance=chance if _is_of_board(one) else None,
            title=one.model,
        ),
    }


def _is_of_board(one: BoardEntry) -> bool:
    """Whether a line is about the questions of the board, so that its chance is the board's."""
    return one.kind != "published" and not any("other data" in why for why in one.reasons)


def _levels(board: Leaderboard) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Levels of the board's questions: name of the row, title, the same of their sub-tasks."""
    names = {row.name for row in board.chance}
    every = subtasks_in_order([one for one in names if is_subtask(one)])
    return [
        (
            f"level:{level}",
            level_name(level),
            [(one, name_of(one)) for one in every if level_of(one) == level],
        )
        for level in levels_in_order()
        if f"level:{level}" in names
    ]


def _settings(settings: dict[str, str]) -> list[tuple[str, str]]:
    """What all have in common, in words; what is as always is left out."""
    named: dict[str, dict[str, str]] = {
        "protocol": {one.id: one.name for one in taxonomy().protocols},
        "modality": {one.id: one.name for one in taxonomy().modalities},
    }
    told = [
        (name, named.get(name, {}).get(settings[name], settings[name]))
        for name in _SHOWN
        if name in settings
    ]
    return [*told, (_LONG, f"{settings[_LONG]} tokens")] if _LONG in settings else told


def _matrix(board: Leaderboard) -> list[tuple[str, list[tuple[BoardPair, float, bool] | None]]]:
    """How much more accurate the model of a row is than that of a column, and whether clearly."""
    keys = [one.key for one in _of(board, "ranked")]
    found = {(pair.first, pair.second): pair for pair in board.pairs}
    rows = []
    for one in keys:
        cells: list[tuple[BoardPair, float, bool] | None] = []
        for other in keys:
            pair = found.get((other, one)) or found.get((one, other))
            if pair is None:
                cells.append(None)
                continue
            sign = 1 if pair.second == one else -1
            clear = pair.p_holm < board.policy.alpha
            cells.append((pair, sign * pair.difference, clear))
        rows.append((one, cells))
    return rows


def _best(board: Leaderboard) -> list[str]:
    """Models that none is better than, as far as one can tell."""
    return [one.model for one in board.entries if one.rank == 1]
