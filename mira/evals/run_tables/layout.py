"""Numbers of runs laid out as tables, in the order in which MIRA-Bench prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mira.evals.mira_bench.subtasks import (
    is_control,
    level_of,
    levels_in_order,
    name_of,
    subtasks_in_order,
)
from mira.evals.mira_bench.titles import title_of_row
from mira.evals.run_tables.layout_propagation import propagation_sheets
from mira.evals.run_tables.records import (
    RunTables,
    Spread,
    Sweep,
    SweepCell,
)
from mira.evals.run_tables.sheets import NOTHING, Cell, Line, Sheet, cell_of
from mira.evals.run_tables.words import AXIS_WORDS, SUBSET_WORDS, variant_words
from mira.schema.evaluation import ScoreTable
from mira.taxonomy.catalogue import taxonomy

_EACH = "questions"
_TESTS = (
    "Differences are over the same scenes; p by exchange of answers scene by scene, corrected for "
    "the number of differences in the column (Holm)."
)
_SPREAD = (
    " The spread is the highest less the lowest, its p that of so large a one by chance; the "
    "interval is that of these two."
)


def sheets_of(tables: RunTables) -> tuple[Sheet, ...]:
    """All tables, each with a name that no other has."""
    every = [
        *(_sweep_sheet(one) for one in tables.sweeps),
        *_modality_sheets("subset", tables.subsets),
        *_modality_sheets("control", tables.control),
        *propagation_sheets(tables.propagation),
    ]
    return tuple(_numbered(every))


def score_sheet(scores: Iterable[tuple[str, ScoreTable]]) -> Sheet:
    """The main table: each run by sub-task, level and overall, and what guessing gives.

    Args:
        scores: Runs by name.
    """
    told = list(scores)
    rows = {row.name: row.group for _, table in told for row in table.rows}
    names = _in_order(rows)
    lines = []
    for key, table in told:
        by_name = {row.name: row for row in table.rows}
        mark = "" if table.complete else " †"
        cells = [
            cell_of(by_name[one].value, by_name[one].interval) if one in by_name else NOTHING
            for one in names
        ]
        lines.append(Line(f"{key}{mark}", tuple(cells)))
    if told:
        chances = {row.name: row.chance for row in told[0][1].rows}
        guess = tuple(Cell(chances.get(one)) for one in names)
        lines.append(Line("a uniform guess", guess, apart=True))
    return Sheet(
        "main",
        "Accuracy",
        "Exact accuracy in per cent, with intervals over scenes. Averages weigh sub-tasks by their "
        "questions. † questions without a reply are left out.",
        tuple(_column(one, rows[one]) for one in names),
        tuple(lines),
        frozenset(place for place, one in enumerate(names) if rows[one] != "subtask"),
    )


def _sweep_sheet(sweep: Sweep) -> Sheet:
    """Accuracies of each way of asking, what each differs from the first by, and the spread."""
    rows = {row.name: row for row in sweep.rows}
    names = _in_order({name: row.group for name, row in rows.items()})
    chosen = [rows[name] for name in names]
    lines = [
        Line(variant_words(sweep.axis, variant), tuple(_accuracy(row.cells[k]) for row in chosen))
        for k, variant in enumerate(sweep.variants)
    ]
    first = variant_words(sweep.axis, sweep.variants[0])
    for k, variant in enumerate(sweep.variants[1:], start=1):
        title = f"{variant_words(sweep.axis, variant)} − {first}"
        gains = tuple(_difference(row.cells[k]) for row in chosen)
        lines.append(Line(title, gains, apart=k == 1))
    if len(sweep.variants) > 2:
        lines.append(Line("spread", tuple(_spread(row.spread) for row in chosen), apart=True))
    return Sheet(
        sweep.axis,
        f"{AXIS_WORDS[sweep.axis]}: {sweep.model}",
        f"{_shared(sweep)} {_TESTS}{_SPREAD if len(sweep.variants) > 2 else ''}",
        tuple(_column(name, rows[name].group) for name in names),
        tuple(lines),
        frozenset(k for k, row in enumerate(chosen) if row.group != "subtask"),
    )


def _modality_sheets(name: str, sweeps: Sequence[Sweep]) -> Iterator[Sheet]:
    """A line a model and set of questions: accuracy by modality, and differences from the first."""
    if not sweeps:
        return
    present = {variant for sweep in sweeps for variant in sweep.variants}
    known = [one.id for one in taxonomy().modalities if one.id in present]
    variants = [*known, *sorted(present - set(known))]
    others = variants[1:]
    words = [variant_words("modality", one) for one in variants]
    lines = []
    before = None
    for sweep in sweeps:
        row = next(row for row in sweep.rows if row.name == _EACH)
        cells = {one.variant: one for one in row.cells}
        gained = sweep.variants[0] == variants[0]
        lines.append(
            Line(
                _line_title(sweep, sweeps),
                (
                    *(_accuracy(cells[one]) if one in cells else NOTHING for one in variants),
                    *(
                        _difference(cells[one]) if one in cells and gained else NOTHING
                        for one in others
                    ),
                    Cell(None, n=sweep.n_questions),
                ),
                apart=before not in (None, sweep.subset),
            )
        )
        before = sweep.subset
    title = "Questions of one kind" if name == "subset" else "Control without mirrors"
    yield Sheet(
        name,
        title,
        "Accuracy with each question for itself, those on visibility too; of what was heard on in "
        "all modalities of a model. Differences are over the same scenes."
        + (
            " Single region: questions that point at exactly one instance. Single surface: "
            "pictures with exactly one reflective surface."
            if name == "subset"
            else ""
        ),
        (
            *words,
            *(f"{variant_words('modality', one)} − {words[0]}" for one in others),
            "questions",
        ),
        tuple(lines),
    )


def _line_title(sweep: Sweep, sweeps: Sequence[Sweep]) -> str:
    """The model, what tells it from its like, and the questions."""
    alike = [one for one in sweeps if (one.model, one.subset) == (sweep.model, sweep.subset)]
    told = [
        value
        for name, value in sweep.settings.items()
        if len({one.settings[name] for one in alike}) > 1
    ]
    return ", ".join((sweep.model, *told, SUBSET_WORDS.get(sweep.subset, sweep.subset)))


def _shared(sweep: Sweep) -> str:
    held = ("protocol", "modality", "style", "split")
    told = ", ".join(
        f"{name} {variant_words(name, sweep.settings[name])}"
        for name in held
        if name in sweep.settings
    )
    what = "items" if sweep.axis == "protocol" else "questions"
    left = f"; {sweep.n_left_out:,} others left out" if sweep.n_left_out else ""
    return (
        f"{sweep.n_questions:,} {what} in {sweep.n_scenes:,} scenes that were heard on in every "
        f"way{left}. Held: {told}."
    )


def _accuracy(cell: SweepCell) -> Cell:
    return cell_of(cell.value, cell.interval)


def _difference(cell: SweepCell) -> Cell:
    found = cell_of(cell.difference, cell.difference_interval, signed=True)
    return found._replace(p=cell.p_holm)


def _spread(spread: Spread | None) -> Cell:
    if spread is None:
        return NOTHING
    return cell_of(spread.value, spread.interval)._replace(p=spread.p_scenes)


def _in_order(groups: Mapping[str, str]) -> list[str]:
    """Sub-tasks of a level and its average, level by level, then all, as the paper prints them."""
    order: list[str] = []
    subtasks = subtasks_in_order([name for name, group in groups.items() if group == "subtask"])
    for level in levels_in_order():
        order += [one for one in subtasks if level_of(one) == level]
        order.append(f"level:{level}")
    order += ["overall", _EACH]
    return [name for name in dict.fromkeys(order) if name in groups]


def _column(name: str, group: str) -> str:
    if group == "questions":
        return "Each question"
    if group == "subtask":
        return name_of(name) if is_control(name) else name.upper()
    if group == "level":
        return f"W-Avg {name.removeprefix('level:')}"
    return title_of_row(name, group)


def _numbered(sheets: Iterable[Sheet]) -> Iterator[Sheet]:
    """Sheets whose name came before get a number."""
    times: dict[str, int] = {}
    for sheet in sheets:
        times[sheet.name] = times.get(sheet.name, 0) + 1
        number = times[sheet.name]
        yield sheet if number == 1 else sheet._replace(name=f"{sheet.name}-{number}")
