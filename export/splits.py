"""Which scene goes to which split: decided once, and kept.

A scene is one reflective context; its pictures show the same things. So a scene is in one split
whole, and stays there when others come.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from export.requirements import require_split
from mira.errors import ExportError
from mira.schema.export import SceneSplits
from mira.store.workspace import Workspace

_COLUMNS = ("scene_id", "split")
_TOTAL = 1e-6
"""Shares of all splits make 1 within this."""


class Assigned(NamedTuple):
    """What an assignment changed.

    Attributes:
        splits: Every scene's split.
        new: Number of scenes that had none before.
        counts: Number of scenes by split.
    """

    splits: SceneSplits
    new: int
    counts: dict[str, int]


def split_scenes(
    workspace: Workspace,
    *,
    shares: Mapping[str, float] | None = None,
    listed: Mapping[str, str] | None = None,
    seed: int = 0,
    anew: bool = False,
) -> Assigned:
    """Give every scene of a workspace its split, under its lock; those that have one keep it.

    Args:
        workspace: Its scenes are split.
        shares: Share of the scenes of each split, by name; for scenes that no list names.
        listed: Split by scene.
        seed: Of which scenes go where.
        anew: Forget the splits that were given before.

    Raises:
        ExportError: A split cannot be used, shares do not make 1, a list names no scene of the
            workspace or gives another split than a scene is in, or a scene is left without.
    """
    shares, listed = dict(shares or {}), dict(listed or {})
    for name in (*shares, *listed.values()):
        require_split(name)
    whole = (
        all(0 <= one <= 1 for one in shares.values()) and abs(sum(shares.values()) - 1) <= _TOTAL
    )
    if shares and not whole:
        raise ExportError("shares", f"expected shares that make 1, found {shares}")
    with workspace.lock():
        scenes = [scene.scene_id for scene in workspace.scenes()]
        before = workspace.splits()
        known = {} if before is None or anew else dict(before.scenes)
        for scene_id, split in listed.items():
            _require_fits(scene_id, split, scenes, known)
        kept = known | listed
        left = [scene_id for scene_id in scenes if scene_id not in kept]
        if left and not shares:
            problem = f"{len(left)} scenes have no split, {left[0]!r} for one"
            raise ExportError(workspace.root, problem, "give shares too, or list them")
        splits = SceneSplits(
            scenes=dict(sorted((kept | by_share(left, shares, kept, seed)).items()))
        )
        workspace.put_splits(splits)
    counts = Counter(splits.scenes.values())
    new = len(splits.scenes.keys() - known.keys())
    return Assigned(splits, new, {name: counts[name] for name in splits.order()})


def by_share(
    scenes: Sequence[str], shares: Mapping[str, float], known: Mapping[str, str], seed: int
) -> dict[str, str]:
    """Splits of scenes, so that with those that have one, each split gets its share.

    Args:
        scenes: Scenes without a split.
        shares: Share of each split.
        known: Splits of other scenes.
        seed: Of which scenes go where.
    """
    total = len(scenes) + len(known)
    lacking = {name: share * total for name, share in shares.items()}
    for split in known.values():
        if split in lacking:
            lacking[split] -= 1
    found: dict[str, str] = {}
    for scene_id in sorted(scenes, key=lambda one: _rank(one, seed)):
        # The split that lacks most; of equals the first that was named.
        split = max(lacking, key=lacking.__getitem__)
        found[scene_id] = split
        lacking[split] -= 1
    return found


def read_split_list(path: Path) -> dict[str, str]:
    """Splits by scene from a CSV whose first line names the columns `scene_id` and `split`.

    Raises:
        ExportError: The file cannot be read, a column is missing, or a line is empty, names a scene
            again or no split.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ExportError(path, f"cannot be read: {error}") from None
    reader = csv.DictReader(text.splitlines())
    try:
        return dict(_listed(reader, path))
    except csv.Error as error:
        raise ExportError(f"{path}:{reader.line_num}", f"expected CSV: {error}") from None


def _listed(reader: csv.DictReader[str], path: Path) -> Iterator[tuple[str, str]]:
    if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
        raise ExportError(path, f"expected the columns {', '.join(_COLUMNS)}, misses {missing[0]}")
    found: set[str] = set()
    for row in reader:
        where = f"{path}:{reader.line_num}"
        scene_id, split = ((row[name] or "").strip() for name in _COLUMNS)
        if not scene_id or not split:
            raise ExportError(where, "expected a scene and its split, found one of them empty")
        if scene_id in found:
            raise ExportError(where, f"names scene {scene_id!r} again")
        found.add(scene_id)
        yield scene_id, split


def _require_fits(
    scene_id: str, split: str, scenes: Sequence[str], known: Mapping[str, str]
) -> None:
    if scene_id not in scenes:
        raise ExportError("splits", f"the workspace holds no scene {scene_id!r}")
    if known.get(scene_id, split) != split:
        problem = f"scene {scene_id!r} is in {known[scene_id]!r}, the list says {split!r}"
        raise ExportError("splits", problem, "a scene stays where it is, unless all are split anew")


def _rank(scene_id: str, seed: int) -> bytes:
    return blake2b(f"{seed}\x1f{scene_id}".encode(), digest_size=8).digest()
