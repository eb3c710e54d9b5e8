"""MirrorBench, tables II to VII: averages of metrics, levels, models and groups of bodies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from mira.evals.papers.records import PaperCheck
from mira.evals.papers.tables import Row, check_cell, read_table

METRICS = ("tsr", "sir", "fcr", "pcr")
_OF_EPISODES = ("tsr", "fcr", "pcr")
"""Metrics whose Overall is a mean over episodes; that of `sir` is over steps."""
_CELL = 0.0005
"""Cells are printed with three decimals."""
_POLICY_CELL = 0.00005
EPISODES = {"human": 48, "robot": 18}
"""Of a level: 4 bodies by 3 hands by 4 marks, and 3 by 3 by 2."""
STEPS = {"human": 984, "robot": 282}
"""Most steps of a level, which a policy that never arrives takes."""
_MOVES_UP = (("IV", "Qwen2.5-VL-7B"), ("V", "LLaVA-1.5-7B"), ("VII", "LLaVA-1.5-7B"))
"""Rows of models that do nothing but move up."""


def check_mirrorbench_tables() -> Iterator[PaperCheck]:
    """Cells of tables II to VII that follow from others, and those of constant policies."""
    levels, means = read_table("reach_levels"), read_table("reach_means")
    for row in (*levels, *means):
        yield _average_of_metrics(row)
    yield from _means_over_levels(levels, means)
    yield from _means_over_models(levels)
    yield from _overall_of_groups(levels)
    yield from _constant_policies(levels)


def _average_of_metrics(row: Row) -> PaperCheck:
    return check_cell(
        "mirrorbench",
        row.get("table", "II"),
        f"{row['row']} / {row['group']} / avg",
        rule="average-of-metrics",
        published=row["avg"],
        recomputed=fmean(float(row[metric]) for metric in METRICS),
        tolerance=2 * _CELL,
        reason="is no mean of the four metrics",
    )


def _means_over_levels(levels: Sequence[Row], means: Sequence[Row]) -> Iterator[PaperCheck]:
    by_row: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in levels:
        by_row[row["row"], row["group"]].append(row)
    for row in means:
        of_levels = by_row.get((row["row"], row["group"]), [])
        if not of_levels:
            continue
        for metric in (*METRICS, "avg"):
            yield check_cell(
                "mirrorbench",
                "II",
                f"{row['row']} / {row['group']} / {metric}",
                rule="mean-over-levels",
                published=row[metric],
                recomputed=fmean(float(one[metric]) for one in of_levels),
                tolerance=2 * _CELL,
                reason="is no mean of the four levels",
            )


def _means_over_models(levels: Sequence[Row]) -> Iterator[PaperCheck]:
    for row in read_table("reach_over_models"):
        for group in ("human", "robot", "overall"):
            of_models = [
                float(one["avg"])
                for one in levels
                if one["group"] == group and row["level"] in (one["level"], "all")
            ]
            yield check_cell(
                "mirrorbench",
                "III",
                f"level {row['level']} / {group}",
                rule="mean-over-models",
                published=row[group],
                recomputed=fmean(of_models),
                tolerance=2 * _CELL,
                reason="is no mean of the models",
            )


def _overall_of_groups(levels: Sequence[Row]) -> Iterator[PaperCheck]:
    for human, robot, overall in zip(levels[::3], levels[1::3], levels[2::3], strict=True):
        reason = _missing_episodes(human, robot, overall)
        for metric in _OF_EPISODES:
            yield check_cell(
                "mirrorbench",
                overall["table"],
                f"{overall['row']} / overall / {metric}",
                rule="overall-by-episodes",
                published=overall[metric],
                recomputed=_pooled(human, robot, metric, EPISODES),
                tolerance=2 * _CELL,
                reason=reason,
            )


def _pooled(human: Row, robot: Row, metric: str, weights: dict[str, int]) -> float:
    parts = weights["human"] * float(human[metric]) + weights["robot"] * float(robot[metric])
    return parts / sum(weights.values())


def _missing_episodes(human: Row, robot: Row, overall: Row) -> str:
    """Numbers of episodes that explain all metrics of a row, the fewest missing first."""
    numbers = [(h, r) for h in range(EPISODES["human"] + 1) for r in range(EPISODES["robot"] + 1)]
    for h, r in sorted(numbers[1:], key=lambda two: (-sum(two), -two[0])):
        weights = {"human": h, "robot": r}
        gaps = [
            abs(_pooled(human, robot, metric, weights) - float(overall[metric]))
            for metric in _OF_EPISODES
        ]
        if max(gaps) <= 2 * _CELL + 1e-9:
            return (
                "Human and Robot do not weigh 48 to 18, as if episodes were missing; "
                f"{h} Human and {r} Robot would fit"
            )
    return "Human and Robot do not weigh 48 to 18, and no numbers of episodes explain the row"


def _constant_policies(levels: Sequence[Row]) -> Iterator[PaperCheck]:
    by_policy: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in read_table("reach_constant_policies"):
        by_policy[row["policy"]][row["group"]] = row
    for policy, of in by_policy.items():
        for metric in ("tsr", "fcr", "pcr", "sir_of_episodes", "sir"):
            yield check_cell(
                "mirrorbench",
                "constant policies",
                f"move {policy} / overall / {metric}",
                rule="overall-by-steps" if metric == "sir" else "overall-by-episodes",
                published=of["overall"][metric],
                recomputed=_pooled(
                    of["human"], of["robot"], metric, STEPS if metric == "sir" else EPISODES
                ),
                tolerance=2 * _POLICY_CELL,
                reason="is no mean over all episodes, or steps",
            )
    for row in levels:
        if (row["table"], row["row"]) in _MOVES_UP:
            for metric in METRICS:
                yield check_cell(
                    "mirrorbench",
                    row["table"],
                    f"{row['row']} / {row['group']} / {metric}",
                    rule="constant-policy",
                    published=row[metric],
                    recomputed=float(by_policy["up"][row["group"]][metric]),
                    tolerance=_CELL + _POLICY_CELL,
                    reason="differs from a policy that only moves up",
                )
