"""Trajectories of other simulators from CSV and JSON to a run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from mira.errors import EpisodeError, RecordError
from mira.evals.mirror.published_logs import SceneStart, read_published_logs
from mira.evals.mirror.trajectories import Trajectory
from mira.schema.episode import EpisodeRun
from mira.schema.record import Provenance, describe_fault
from mira.store.atomic import file_ref
from mira.store.episodes import EpisodeStore
from mira.store.names import require_name
from mira.store.version import tool_version

_HAND, _MARK = (tuple(f"{what}_{axis}_m" for axis in "xyz") for what in ("hand", "mark"))
_KEYS = ("player", "body", "hand", "mark", "setting", "level")
_OF_EPISODE = (
    *("episode_id", "is_model", "task", "prompt", "seed", "step_m", "threshold_m", "max_steps"),
    "ended",
)
_OF_STEP = ("legal", "raw_reply")
_NEEDED = (*_KEYS, "step", "action", *_HAND, *_MARK)
COLUMNS = (*_NEEDED, *_OF_EPISODE, *_OF_STEP)
"""Columns of a CSV file: those that it needs, then those that it may have."""


def import_trajectories(
    source: Path, out: Path, *, starts: Mapping[str, SceneStart] = {}
) -> EpisodeStore:
    """Write the episodes of a file as a run; nothing is written where one has a fault.

    Args:
        source: CSV with a row for the start and for each step, JSON with a list of `Trajectory`,
            or a folder of logs of MirrorBench's own program.
        out: A new folder, or that of the same import.
        starts: Where things are at the start, which logs do not tell, by body in small letters.

    Raises:
        RecordError: The file cannot be read, or a trajectory is none.
        EpisodeError: The folder holds something else.
    """
    found: dict[str, Trajectory] = {}
    for where, content in _read(source, starts):
        try:
            trajectory = Trajectory.model_validate(content)
        except ValidationError as error:
            raise RecordError(where, describe_fault(error)) from None
        try:
            require_name(trajectory.name, error=EpisodeError)
        except EpisodeError as error:
            raise RecordError(where, f"episode_id: {error}") from None
        if trajectory.name in found:
            raise RecordError(
                where, f"episode_id: expected each episode once, found {trajectory.name} twice"
            )
        found[trajectory.name] = trajectory
    if not found:
        raise RecordError(source, "expected trajectories, found none")
    players = dict.fromkeys(trajectory.player for trajectory in found.values())
    run = EpisodeRun(
        name=next(iter(players)) if len(players) == 1 else source.stem,
        provenance=Provenance(
            tool="mira eval mirror import",
            tool_version=tool_version(),
            inputs=() if source.is_dir() else (file_ref(source, relative_to=source.parent),),
        ),
    )
    store = EpisodeStore.create(out, run)
    for trajectory in found.values():
        store.put(trajectory.episode(), tuple(trajectory.mirror_steps()), durable=False)
    return store


def _read(source: Path, starts: Mapping[str, SceneStart]) -> Iterator[tuple[str, Any]]:
    """What may be trajectories, each with where it is from."""
    if source.is_dir():
        return read_published_logs(source, starts)
    return _read_json(source) if source.suffix.lower() == ".json" else _read_csv(source)


def _read_bytes(source: Path) -> bytes:
    try:
        return source.read_bytes()
    except OSError as error:
        raise RecordError(source, f"cannot be read: {error.strerror}") from None


def _read_json(source: Path) -> Iterator[tuple[str, Any]]:
    try:
        content = orjson.loads(_read_bytes(source))
    except orjson.JSONDecodeError as error:
        raise RecordError(source, f"expected JSON: {error}") from None
    if not isinstance(content, list):
        raise RecordError(source, f"expected a list, found {type(content).__name__}")
    for place, one in enumerate(content):
        yield f"{source}: [{place}]", one


def _read_csv(source: Path) -> Iterator[tuple[str, Any]]:
    try:
        text = _read_bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(source, f"expected UTF-8: {error.reason}") from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        rows = list(_rows(source, reader))
    except csv.Error as error:
        raise RecordError(f"{source}:{reader.line_num}", f"expected CSV: {error}") from None
    for _, lines in groupby(rows, key=lambda line: _key(line[1])):
        yield _trajectory(source, list(lines))


def _rows(source: Path, reader: csv.DictReader[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with the numbers of their lines."""
    names = list(reader.fieldnames or ())
    if missing := [name for name in _NEEDED if name not in names]:
        raise RecordError(source, f"expected columns {', '.join(missing)}, found none of them")
    if odd := [name for name in names if name not in COLUMNS]:
        raise RecordError(source, f"expected columns of {', '.join(COLUMNS)}, found {odd[0]!r}")
    for row in reader:
        if None in row or None in row.values():
            raise RecordError(
                f"{source}:{reader.line_num}", f"expected {len(names)} cells, found others"
            )
        yield reader.line_num, row


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    """What tells an episode from the next."""
    return (*(row[name] for name in _KEYS), row.get("episode_id", ""))


def _trajectory(source: Path, lines: list[tuple[int, dict[str, str]]]) -> tuple[str, Any]:
    """The rows of an episode as one object; the first has step 0 and is the start."""
    number, start = lines[0]
    for expected, (line, row) in enumerate(lines):
        if row["step"].strip() != str(expected):
            raise RecordError(
                f"{source}:{line}",
                f"step: expected {expected}, found {row['step']!r}",
                "give episodes an episode_id where the same was played twice"
                if row["step"].strip() == "0"
                else None,
            )
    given = {name: start[name] for name in (*_KEYS, *_OF_EPISODE) if start.get(name)}
    steps = [
        {
            "action": row["action"] or None,
            "hand_world_m": _place(source, line, row, _HAND),
            "mark_world_m": _place(source, line, row, _MARK),
            **{name: row[name] for name in _OF_STEP if row.get(name)},
        }
        for line, row in lines[1:]
    ]
    hand, mark = (_place(source, number, start, names) for names in (_HAND, _MARK))
    content = {**given, "hand_start_m": hand, "mark_world_m": mark, "steps": steps}
    return f"{source}:{number}", content


def _place(
    source: Path, line: int, row: Mapping[str, str], names: tuple[str, ...]
) -> tuple[float, ...]:
    try:
        return tuple(float(row[name]) for name in names)
    except ValueError:
        raise RecordError(
            f"{source}:{line}", f"{names[0]} to {names[2]}: expected numbers"
        ) from None
