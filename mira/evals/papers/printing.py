"""Recomputed cells on the terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from mira.evals.papers.records import PaperCheck, PapersReport

_NAMES = {"mira": "MIRA-Bench", "mirrorbench": "MirrorBench", "mosaic": "MOSAIC"}
_RULES = {
    "average-by-questions": "W-Avg and Overall, sub-tasks weighed by questions",
    "chance": "a uniform guess",
    "share-of-whole-questions": "accuracy as a share of 175 questions",
    "average-of-metrics": "AVG, mean of the four metrics",
    "mean-over-levels": "mean of the four levels",
    "mean-over-models": "mean of the eighteen models",
    "overall-by-episodes": "Overall, 48 Human and 18 Robot episodes",
    "overall-by-steps": "Overall of SIR, 984 Human and 282 Robot steps",
    "constant-policy": "a policy that only moves up",
    "exact-binomial": "exact two-sided binomial test, 50 trials",
    "chi-square-of-whole-trials": "chi-square with Yates' correction, whole trials",
    "p-of-chi-square": "p of the printed chi-square, one degree of freedom",
}


class PapersView:
    """A report that `rich` prints: a line a rule, then each cell that does not reproduce."""

    def __init__(self, report: PapersReport) -> None:
        self.report = report

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        """See `rich`."""
        yield _summary(self.report)
        for title, verdict in (
            ("Do not reproduce", "differs"),
            ("Not decided by what is in print", "not_recomputable"),
        ):
            found = [one for one in self.report.checks if one.verdict == verdict]
            if found:
                yield Text(f"\n{title}", style="bold")
                yield _cells(found)
        yield _verdict(self.report)


def _summary(report: PapersReport) -> Table:
    groups: dict[tuple[str, str], list[PaperCheck]] = defaultdict(list)
    for one in report.checks:
        groups[one.paper, one.rule].append(one)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for header, justify in (("", "left"), ("recomputed", "left"), ("tables", "left")):
        table.add_column(header, justify=justify)  # type: ignore[arg-type]
    table.add_column("reproduce", justify="right", no_wrap=True)
    before = ""
    for (paper, rule), found in groups.items():
        if before and paper != before:
            table.add_section()
        decided = [one for one in found if one.verdict != "not_recomputable"]
        right = sum(one.verdict == "reproduces" for one in decided)
        style = "" if right == len(decided) else "yellow"
        name = "" if paper == before else _NAMES[paper]
        tables = ", ".join(dict.fromkeys(one.table for one in found))
        share = Text(f"{right} of {len(decided)}", style=style)
        table.add_row(name, _RULES[rule], tables, share)
        before = paper
    return table


def _cells(found: Sequence[PaperCheck]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("cell")
    table.add_column("published", justify="right", no_wrap=True)
    table.add_column("recomputed", justify="right", no_wrap=True)
    table.add_column("reason")
    for one in found:
        value = "" if one.recomputed is None else f"{one.recomputed:.4g}"
        cell = Text(f"{_NAMES[one.paper]} {one.table}: {one.cell}")
        if one.verdict == "differs" and not one.known:
            cell.append(" NEW", style="bold red")
        table.add_row(cell, one.published, value, one.reason or "")
    return table


def _verdict(report: PapersReport) -> Text:
    counts = (
        f"\n{report.reproduced:,} cells reproduce, {report.differing:,} do not, "
        f"{report.not_recomputable:,} are not decided."
    )
    if report.clean:
        return Text(f"{counts} All that differ are known to.", style="dim")
    text = Text(counts)
    text.append(" These are not those that are known to differ.", style="bold red")
    for name in report.not_differing:
        text.append(f"\nKnown to differ, and does not: {name}", style="red")
    return text
