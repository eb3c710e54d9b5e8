"""A folder of stills: made one by one, kept where whole, gone on with after a kill.

world.json          what all pictures have in common; another world needs a folder of its own
pictures/*.png      the pictures
frames.jsonl        a line a picture, with what is true of it, in the order of the files
contact_sheet.png   many of them at a glance, written last
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from mira.errors import RecordError, SimulationError
from mira.schema.record import RootRecord
from mira.sim.stills.records import Still
from mira.sim.stills.sheet import SHEET_NAME, SheetLayout, write_sheet
from mira.store.atomic import exclusive, os_faults, write_file

WORLD_NAME = "world.json"
FRAMES_NAME = "frames.jsonl"
_LOCK_NAME = ".lock"
_OWN = frozenset((WORLD_NAME, FRAMES_NAME, SHEET_NAME, "pictures", _LOCK_NAME))
_PARTIAL = re.compile(r"\..+\.partial-[0-9a-f]{8}")

S = TypeVar("S", bound=Still)
T = TypeVar("T")
Progress = Callable[[int, int], None]


class Drawn(NamedTuple, Generic[S]):
    """A picture that has just been drawn.

    Attributes:
        png: Its file.
        still: What is true of it.
    """

    png: bytes
    still: S


class MadeStills(NamedTuple):
    """What a run left in its folder.

    Attributes:
        files: Paths in the folder of all pictures that were asked for, in order.
        kept: How many of them were there already.
        frames: The file of truth, which has all pictures of the folder.
        contact_sheet: The preview picture.
    """

    files: tuple[str, ...]
    kept: int
    frames: Path
    contact_sheet: Path


def make_stills(
    out: Path,
    wanted: Mapping[str, T],
    draw: Callable[[str, T], Drawn[S]],
    *,
    kind: type[S],
    world: RootRecord,
    layout: SheetLayout,
    overwrite: bool,
    progress: Progress | None,
) -> MadeStills:
    """Draw what is wanted and not there yet; what else the folder holds of its world stays.

    Args:
        out: The folder, new or begun with the same world.
        wanted: What to draw, by its path in the folder.
        draw: Draws one of them.
        kind: Record of its lines.
        world: What all its pictures have in common.
        layout: How the contact sheet is laid out.
        overwrite: Whether pictures that are there already are made anew.
        progress: Called with how many are there and how many are wanted.

    Raises:
        SimulationError: The folder holds another world, or something else.
        MiraError: It cannot be written, or another process is writing it.
    """
    files = tuple(wanted)
    with _opened(out, world):
        there = read_stills(out, kind)
        if overwrite:
            there = {file: still for file, still in there.items() if file not in wanted}
        missing = [file for file in files if file not in there]
        kept = len(files) - len(missing)
        if missing:
            (out / SHEET_NAME).unlink(missing_ok=True)
        # A line that is not there any more, or was cut off, leaves before others are added.
        _write_frames(out, there.values())
        for done, file in enumerate(missing, start=kept + 1):
            drawn = draw(file, wanted[file])
            write_file(out / file, drawn.png, durable=False)
            there[file] = drawn.still
            with (out / FRAMES_NAME).open("ab") as lines:
                lines.write(_line(drawn.still))
            if progress is not None:
                progress(done, len(files))
        _write_frames(out, there.values())
        if not (out / SHEET_NAME).is_file():
            write_sheet(out, _in_order(there.values()), layout)
    return MadeStills(files, kept, out / FRAMES_NAME, out / SHEET_NAME)


def read_stills(folder: Path, kind: type[S]) -> dict[str, S]:
    """What is true of the pictures of a folder that are whole, by their path in it.

    A line that cannot be read, or whose picture is gone or another, is no picture.
    """
    path = folder / FRAMES_NAME
    with os_faults(path):
        lines = path.read_bytes().splitlines() if path.exists() else []
        found = (_read_line(line, kind) for line in lines)
        return {still.file: still for still in found if still and _is_whole(folder, still)}


@contextmanager
def _opened(out: Path, world: RootRecord) -> Iterator[None]:
    """A folder of this world that nobody else writes."""
    with os_faults(out):
        if out.exists() and not out.is_dir():
            raise SimulationError(out, "expected a folder, found a file")
        _require_own(out, world)
        out.mkdir(parents=True, exist_ok=True)
        with exclusive(out / _LOCK_NAME, out):
            _require_own(out, world)
            for path in (*out.glob(".*"), *(out / "pictures").glob(".*")):
                if _PARTIAL.fullmatch(path.name):
                    path.unlink(missing_ok=True)
            write_file(out / WORLD_NAME, world.to_json(), durable=False)
            yield


def _require_own(out: Path, world: RootRecord) -> None:
    """Raise where a folder holds anything but stills of a world."""
    found = {path.name for path in out.iterdir()} if out.is_dir() else set()
    found = {name for name in found if not _PARTIAL.fullmatch(name)}
    foreign = sorted(found - _OWN) or ([] if WORLD_NAME in found else sorted(found - {_LOCK_NAME}))
    if foreign:
        problem = f"expected a new folder or one of stills, found {foreign[0]!r} in it"
        raise SimulationError(out, problem, "write to another folder")
    if WORLD_NAME in found:
        _require_world(out / WORLD_NAME, world)


def _require_world(path: Path, world: RootRecord) -> None:
    """Raise where a file holds another world, and name the first value that differs."""
    fix = "write to another folder"
    try:
        other = type(world).from_json(path.read_bytes(), where=path)
    except RecordError:
        problem = "expected the world of such pictures, found something else"
        raise SimulationError(path, problem, fix) from None
    there = dict(_values(other.model_dump(mode="json")))
    for name, value in _values(world.model_dump(mode="json")):
        if there.get(name) != value:
            problem = f"expected {name} {value}, found {there.get(name)}"
            raise SimulationError(path, problem, fix)


def _values(content: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """Values at any depth, with their names from the top."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _values(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _is_whole(folder: Path, still: Still) -> bool:
    path = folder / still.file
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == still.sha256


def _read_line(line: bytes, kind: type[S]) -> S | None:
    try:
        return kind.model_validate_json(line)
    except ValidationError:
        return None


def _line(still: Still) -> bytes:
    return still.model_dump_json().encode() + b"\n"


def _in_order(stills: Iterable[S]) -> list[S]:
    return sorted(stills, key=lambda still: still.file)


def _write_frames(out: Path, stills: Iterable[Still]) -> None:
    lines = b"".join(_line(still) for still in _in_order(stills))
    write_file(out / FRAMES_NAME, lines, durable=False)
