"""Many rooms at once: in several processes, resumed where a run was cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mira.errors import SimulationError
from mira.processes.pool import results_of
from mira.sim.rooms.output.contact_sheet import SHEET_NAME, write_contact_sheet
from mira.sim.rooms.output.session_writer import is_written, open_rooms, scene_name, write_room
from mira.sim.rooms.policy import RoomPolicy
from mira.sim.rooms.tracing.rays import embree_version
from mira.store.session import Session

Progress = Callable[[int, int], None]


class MadeRooms(NamedTuple):
    """What a run left in its folder.

    Attributes:
        scenes: Ids of all scenes that were asked for, in order.
        kept: How many of them were there already.
        contact_sheet: The preview picture.
    """

    scenes: tuple[str, ...]
    kept: int
    contact_sheet: Path


def make_rooms(
    out_dir: Path,
    *,
    count: int,
    seed: int,
    policy: RoomPolicy | None = None,
    workers: int = 1,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MadeRooms:
    """Scenes number 0 to `count` - 1 of a seed as a capture session with annotation and truth.

    Equal seeds, policies and renderer versions give equal bytes under `scenes` and `truth`; scene
    k does not depend on how many are made or by how many workers.

    Args:
        out_dir: Folder of the session; one that was begun with the same seed and policy goes on.
        count: Number of scenes, at least 1.
        seed: Seed of the series, at least 0.
        policy: All settings; the defaults when missing.
        workers: Processes that make scenes, at least 1.
        overwrite: Whether scenes that are there already are made anew.
        progress: Called with the number of finished scenes and `count` after each.

    Raises:
        SimulationError: A number is out of range, or a scene could not be laid out.
        SessionError: The folder holds something else.
        MissingExtraError: Embree is not installed.
    """
    for name, value, least in (("count", count, 1), ("workers", workers, 1), ("seed", seed, 0)):
        if value < least:
            raise SimulationError(name, f"expected at least {least}, found {value}")
    embree_version()
    chosen = policy or RoomPolicy()
    session = open_rooms(out_dir, seed=seed, policy=chosen)
    wanted = [
        index
        for index in range(count)
        if overwrite or not is_written(session, seed=seed, index=index, policy=chosen)
    ]
    kept = count - len(wanted)
    for done, _ in enumerate(_made(session, wanted, seed, chosen, min(workers, len(wanted))), 1):
        if progress is not None:
            progress(kept + done, count)
    scenes = tuple(scene_name(seed, index) for index in range(count))
    sheet = session.root / SHEET_NAME
    if wanted or not sheet.is_file():
        write_contact_sheet(session, scenes)
    return MadeRooms(scenes, kept, sheet)


def _made(
    session: Session, indices: list[int], seed: int, policy: RoomPolicy, workers: int
) -> Iterator[str]:
    """Scenes as they get done."""
    if workers > 1:
        write = partial(_write_in, session.root, seed=seed, policy=policy)
    else:
        write = partial(_write, session, seed=seed, policy=policy)
    return results_of(write, indices, workers=workers)


def _write_in(root: Path, index: int, *, seed: int, policy: RoomPolicy) -> str:
    return _write(Session.open(root, durable=False), index, seed=seed, policy=policy)


def _write(session: Session, index: int, *, seed: int, policy: RoomPolicy) -> str:
    return write_room(session, seed=seed, index=index, policy=policy)
