"""Shapes gathered by id into surfaces and instances."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from annotate.findings import FindingLog
from annotate.policy import LinksMode
from annotate.reading.labels import Role
from annotate.reading.shapes import DrawnShape
from annotate.reading.values import MAX_ID
from mira.geometry.polygon import region_area
from mira.schema.annotation import Ring


class Owner(NamedTuple):
    """The shapes of one surface or instance."""

    id: int
    role: Role
    shapes: tuple[DrawnShape, ...]
    holes: tuple[DrawnShape, ...] = ()
    shares_id_of: int | None = None
    """The direct instance that it had the id of, where one id is the link."""

    @property
    def category(self) -> str | None:
        """Class name of the first part that has one."""
        return next((shape.category for shape in self.shapes if shape.category), None)

    @property
    def description(self) -> str | None:
        """Words of the first part that has any."""
        return next((shape.description for shape in self.shapes if shape.description), None)


def gather_owners(
    shapes: Sequence[DrawnShape], *, taken: Collection[int], links: LinksMode, log: FindingLog
) -> tuple[Owner, ...]:
    """Surfaces and instances, by id.

    Args:
        shapes: Good shapes of one file, `ignore` among them.
        taken: Ids that the file names anywhere; a shape without id gets another.
        links: Whether one id may be an object's and its reflection's.
        log: Takes ids that were given, and shapes that are left out for their id.
    """
    highest = max(taken, default=0)
    fresh = (n for n in count(highest + 1 if highest < MAX_ID // 2 else 1) if n not in taken)
    shapes = _without_duplicates(shapes, log)
    parts, holes = _by_id(shapes, fresh, log)
    owners = []
    for group_id, group in parts.items():
        cut = tuple(holes.pop(group_id, ()))
        owners += _owners_of_id(group_id, group, cut, fresh, links, log)
    for orphans in holes.values():
        for hole in orphans:
            message = f"found no shape of group_id {hole.group_id} that it is a hole of"
            log.error("hole-without-owner", f"{hole.where}.group_id", message)
    return tuple(sorted(owners, key=lambda owner: owner.id))


def _without_duplicates(shapes: Sequence[DrawnShape], log: FindingLog) -> list[DrawnShape]:
    """The shapes less those drawn twice under one id; other twins get a warning and stay."""
    first: dict[tuple[Role, str | None, tuple[Ring, ...]], DrawnShape] = {}
    kept = []
    for shape in shapes:
        twin = first.setdefault((shape.role, shape.category, shape.region.parts), shape)
        if twin is not shape:
            log.warning("shape-duplicate", shape.where, f"is drawn as {twin.where} already")
            if shape.group_id is not None and shape.group_id == twin.group_id:
                continue
        kept.append(shape)
    return kept


def _by_id(
    shapes: Iterable[DrawnShape], fresh: Iterator[int], log: FindingLog
) -> tuple[dict[int, list[DrawnShape]], dict[int, list[DrawnShape]]]:
    """Parts and holes by id; a part without one gets a fresh one."""
    parts: dict[int, list[DrawnShape]] = {}
    holes: dict[int, list[DrawnShape]] = {}
    for shape in shapes:
        where = f"{shape.where}.group_id"
        if shape.role == "ignore":
            continue
        if shape.role == "hole":
            if shape.group_id is None:
                message = "expected the id of what it is a hole of, found none"
                log.error("hole-without-owner", where, message)
            else:
                holes.setdefault(shape.group_id, []).append(shape)
            continue
        group_id = shape.group_id
        if group_id is None:
            group_id = next(fresh)
            log.info("group-id-assigned", where, f"expected an id, found none; {group_id} is given")
        parts.setdefault(group_id, []).append(shape)
    return parts, holes


def _owners_of_id(
    group_id: int,
    group: list[DrawnShape],
    holes: tuple[DrawnShape, ...],
    fresh: Iterator[int],
    links: LinksMode,
    log: FindingLog,
) -> list[Owner]:
    roles = {shape.role for shape in group}
    if roles == {"direct", "reflected"} and links == "shared-gid":
        return _owners_of_shared_id(group_id, group, holes, fresh, log)
    if len(roles) > 1:
        _refuse_id(group, "expected one kind of shape under an id", log)
        return []
    categories = sorted({shape.category for shape in group if shape.category})
    if len(categories) > 1:
        _refuse_id(group, f"expected one category under an id, found {', '.join(categories)}", log)
        return []
    return [Owner(group_id, group[0].role, tuple(group), holes)]


def _refuse_id(group: Sequence[DrawnShape], problem: str, log: FindingLog) -> None:
    places = ", ".join(f"{shape.where} ({shape.role})" for shape in group)
    message = f"{problem}; left out, as nobody can tell which is meant: {places}"
    log.error("id-duplicate", f"{group[-1].where}.group_id", message)


def _owners_of_shared_id(
    group_id: int,
    group: list[DrawnShape],
    holes: tuple[DrawnShape, ...],
    fresh: Iterator[int],
    log: FindingLog,
) -> list[Owner]:
    """An object and the reflections that carry its id; each surface shows one reflection."""
    direct = [shape for shape in group if shape.role == "direct"]
    reflections: dict[int | None, list[DrawnShape]] = {}
    for shape in group:
        if shape.role == "reflected":
            reflections.setdefault(shape.answers.get("in_mirror"), []).append(shape)
    owners = [Owner(group_id, "direct", tuple(direct))]
    for parts in reflections.values():
        number = next(fresh)
        message = f"a reflection of {group_id}, as it has its id; {number} is given"
        log.info("group-id-assigned", f"{parts[0].where}.group_id", message)
        owners.append(Owner(number, "reflected", tuple(parts), shares_id_of=group_id))
    return [_with_holes(owner, owners, holes) for owner in owners]


def _with_holes(owner: Owner, owners: Sequence[Owner], holes: tuple[DrawnShape, ...]) -> Owner:
    """An owner with those holes that lie more in it than in the others of its id."""
    own = [
        hole
        for hole in holes
        if owner.id == max(owners, key=lambda other: _overlap(other, hole)).id
    ]
    return owner._replace(holes=tuple(own))


def _overlap(owner: Owner, hole: DrawnShape) -> float:
    rings = [ring for shape in owner.shapes for ring in shape.region.parts]
    return float(region_area(rings).intersection(region_area(*hole.region)).area)
