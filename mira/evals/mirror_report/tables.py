"""Numbers of a report as tables for spreadsheets and for papers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mira.evals.mirror.measuring import SCORES, measure_episode
from mira.evals.mirror.records import GROUPS, MirrorScores, MirrorValue, PlayerScores
from mira.evals.mirror.runs import Player
from mira.evals.mirror.table import GROUP_TITLES
from mira.report.csv_tables import format_csv
from mira.report.latex import escape_latex

TABLE_NAMES = ("scores.csv", "stability.csv", "moves.csv", "episodes.csv", "scores.tex")
_VALUES = (*SCORES, "sir_of_episodes", "image_share")
_COUNTS = ("n", "n_aborted", "n_scenes", "n_steps", "n_unreadable", "n_refused")
_DIGITS = 6


def format_tables(scores: MirrorScores, players: Sequence[Player]) -> dict[str, bytes]:
    """All tables of a report by file name."""
    return {
        "scores.csv": format_csv(
            (
                *("player", "group", "level"),
                *(f"{name}{end}" for name in _VALUES for end in ("", "_low", "_high")),
                *_COUNTS,
            ),
            _score_lines(scores),
        ),
        "stability.csv": format_csv(
            ("player", "metric", "value", "low", "high", "n_scenes"),
            (
                (one.name, of.metric, *_figures(of.value), of.n_scenes)
                for one in scores.players
                for of in one.stability
            ),
        ),
        "moves.csv": format_csv(
            ("player", "towards", "moves"),
            ((one.name, *pair) for one in scores.players for pair in one.drives.items()),
        ),
        "episodes.csv": format_csv(
            (
                *("player", "episode_id", "scene", "setting", "level", "ended", "steps", "d0_m"),
                *(*SCORES, "unreadable", "refused"),
            ),
            _episode_lines(scores, players),
        ),
        "scores.tex": format_latex(scores).encode(),
    }


def format_latex(scores: MirrorScores) -> str:
    """The scores over levels as a LaTeX table in the form of Table II; it needs `booktabs`."""
    heads = " & ".join(f"\\multicolumn{{5}}{{c}}{{{GROUP_TITLES[group]}}}" for group in GROUPS)
    columns = " & ".join(metric.upper() for _ in GROUPS for metric in SCORES)
    lines = [
        "% Means over the levels played; numbers of episodes are in scores.csv",
        f"\\begin{{tabular}}{{l{'r' * len(SCORES) * len(GROUPS)}}}",
        "\\toprule",
        f" & {heads} \\\\",
        "\\cmidrule(lr){2-6} \\cmidrule(lr){7-11} \\cmidrule(lr){12-16}",
        f"Player & {columns} \\\\",
        "\\midrule",
        *(_tex_line(one) for one in scores.players),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _tex_line(one: PlayerScores) -> str:
    rows = [one.row(group) for group in GROUPS]
    values = [getattr(row, metric).value if row else None for row in rows for metric in SCORES]
    cells = ["--" if value is None else f"${value:.3f}$" for value in values]
    return f"{escape_latex(one.name)} & {' & '.join(cells)} \\\\"


def _score_lines(scores: MirrorScores) -> Iterator[tuple[Any, ...]]:
    for one in scores.players:
        for row in one.rows:
            yield (
                *(one.name, row.group, "all" if row.level is None else row.level),
                *(number for name in _VALUES for number in _figures(getattr(row, name))),
                *(getattr(row, name) for name in _COUNTS),
            )


def _episode_lines(scores: MirrorScores, players: Sequence[Player]) -> Iterator[tuple[Any, ...]]:
    for player in players:
        for one in player.episodes:
            episode, details = one.episode, one.details
            found = measure_episode(episode, one.steps, policy=scores.policy)
            numbers: tuple[Any, ...] = (None,) * (len(SCORES) + 2)
            if found is not None:
                scored = (_short(getattr(found, name)) for name in SCORES)
                numbers = (*scored, found.unreadable, found.refused)
            yield (
                *(player.name, episode.episode_id, one.scene_id, details.setting, details.level),
                *(episode.termination, len(one.steps), details.d0_m),
                *numbers,
            )


def _figures(value: MirrorValue) -> tuple[float | None, ...]:
    ends = (None, None) if value.interval is None else (value.interval.low, value.interval.high)
    return tuple(_short(number) for number in (value.value, *ends))


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
