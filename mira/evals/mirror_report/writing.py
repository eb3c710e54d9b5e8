"""The report as a folder: a page, the same in numbers, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mira.evals.beliefs.policy import BeliefPolicy
from mira.evals.beliefs.runs import beliefs_of
from mira.evals.beliefs.section import NUMBERS_NAME as BELIEFS_NAME
from mira.evals.mirror.records import MirrorScores, PlayerScores
from mira.evals.mirror.runs import Progress, read_players, score_players
from mira.evals.mirror_report.page import mirror_report_page
from mira.evals.mirror_report.policy import MirrorReportPolicy
from mira.evals.mirror_report.tables import TABLE_NAMES, format_tables
from mira.evals.mirror_report.ways import ways_of
from mira.store.atomic import os_faults, replace_folder, write_new
from mira.store.replacing import require_replaceable
from mira.store.version import tool_version

PAGE_NAME, NUMBERS_NAME = "report.html", "scores.json"
_KNOWN = frozenset({PAGE_NAME, NUMBERS_NAME, BELIEFS_NAME, *TABLE_NAMES})


def write_mirror_report(
    runs: Sequence[Path],
    out: Path,
    *,
    policy: MirrorReportPolicy | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Write a report on runs in place of an earlier one, in one step; equal input, equal bytes.

    Args:
        runs: Folders of episodes.
        out: The folder: new, empty, or an earlier report with nothing else in it.
        policy: How it is computed and how much it shows.
        seed: Seed of the intervals.
        progress: Told how many episodes are read.

    Returns:
        The page, the numbers, the tables, and beliefs where players were asked for them.

    Raises:
        MiraError: A run cannot be read, or the folder holds something else.
    """
    require_replaceable(out, mark=PAGE_NAME, own=_KNOWN)
    policy = policy or MirrorReportPolicy()
    players = read_players(runs, progress=progress)
    scored = score_players(players, policy=policy.scoring, seed=seed)
    ranked = tuple(sorted(scored.players, key=_rank))
    scores: MirrorScores = scored.model_copy(update={"players": ranked})
    ways = {one.name: ways_of(one, count=policy.paths, policy=policy.scoring) for one in players}
    believed = BeliefPolicy(mirror=policy.scoring, bootstrap=policy.scoring.bootstrap)
    beliefs = beliefs_of(runs, policy=believed, seed=seed)
    page = mirror_report_page(scores, ways=ways, beliefs=beliefs, tool_version=tool_version())
    files = {
        PAGE_NAME: page.encode(),
        NUMBERS_NAME: scores.to_json(),
        **format_tables(scores, players),
        **({} if beliefs is None else {BELIEFS_NAME: beliefs.to_json()}),
    }
    with replace_folder(out) as partial, os_faults(out):
        for name, data in files.items():
            write_new(partial / name, data, durable=False)
    return tuple(out / name for name in files)


def _rank(one: PlayerScores) -> tuple[float, str]:
    """The best first; those that were not scored last."""
    row = one.row("overall")
    value = row.avg.value if row else None
    return (1e9 if value is None else -value), one.name
