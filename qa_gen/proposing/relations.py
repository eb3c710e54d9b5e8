"""Proposals on where things stand to each other, and how many there are in a direction."""

from __future__ import annotations

from typing import NamedTuple, get_args

from mira.geometry.mirror_verdict import Refusal
from mira.geometry.relations import RelationDirection, SpatialRelation
from mira.schema.proposal import ProposalFlag
from mira.schema.qa import CountAnswer
from qa_gen.asking import Ask
from qa_gen.proposing.measured import MeasuredPicture, key_of
from qa_gen.proposing.placing import Placed
from qa_gen.proposing.relating import relate
from qa_gen.proposing.writing import Outcome

_WORDS = {
    "left": "left of",
    "right": "right of",
    "front": "in front of",
    "behind": "behind",
    "above": "above",
    "below": "below",
}
_DIRECTIONS: tuple[RelationDirection, ...] = get_args(RelationDirection)


def propose_relation(ask: Ask, picture: MeasuredPicture) -> Outcome | Refusal:
    """How the object of the first slot really stands to that of the second."""
    names = [f"the object of {number}" for _, number in ask.slots]
    placed = []
    for name, place in zip(names, picture.subject_places(ask), strict=True):
        if isinstance(place, Refusal):
            return place._replace(reason=f"{name}: {place.reason}")
        placed.append(place)
    relation = relate(placed[0], placed[1], picture.policy)
    x, y, z = (axis.offset_m for axis in relation)
    return Outcome(
        answer=relation.labels,
        reason=f"from {names[1]} to {names[0]}: {_way(x, y, z)}",
        close_call=relation.close_call,
        margin=relation.margin_m,
        unit="m",
        flags=_behind(*placed),
        rests_on=tuple(placed),
    )


def _way(x_m: float, y_m: float, z_m: float) -> str:
    """A way in the camera frame, in words."""
    across, up = "right" if x_m >= 0 else "left", "down" if y_m > 0 else "up"
    away = "farther from" if z_m >= 0 else "nearer to"
    return (
        f"{abs(x_m):.2f} m to the {across}, {abs(y_m):.2f} m {up}, "
        f"{abs(z_m):.2f} m {away} the camera"
    )


def propose_count(ask: Ask, picture: MeasuredPicture) -> Outcome | Refusal:
    """Objects, and reflective surfaces, in a direction from an object, where they really are."""
    (obj,), direction = ask.subject, _direction(ask)
    reference = picture.place_of(obj)
    if isinstance(reference, Refusal):
        return reference
    around = _around(picture, key_of(obj), reference)
    if isinstance(around, Refusal):
        return around
    towards = [(one, *one.relation.towards(direction)) for one in around]
    there = [one for one, _, lies in towards if lies]
    margins = [abs(axis.clearance_m) for _, axis, _ in towards]
    return Outcome(
        answer=CountAnswer(value=len(there)),
        reason=f"{_WORDS[direction]} it: {', '.join(one.name for one in there) or 'nothing'}",
        close_call=any(axis.close_call for _, axis, _ in towards)
        or any(not picture.denied.isdisjoint(one.placed.rests_on) for one in around),
        margin=min(margins, default=None),
        unit="m" if margins else None,
        flags=_behind(reference, *(one.placed for one in there)),
        rests_on=(reference, *(one.placed for one in around)),
    )


def _around(picture: MeasuredPicture, key: int, reference: Placed) -> list[_Neighbour] | Refusal:
    """Everything that counts with how it stands to an object; asked once for each direction."""
    known = picture.notes.get(("around", key))
    if isinstance(known, list | Refusal):
        return known
    found = _measured_around(picture, key, reference)
    picture.notes["around", key] = found
    return found


def _measured_around(
    picture: MeasuredPicture, key: int, reference: Placed
) -> list[_Neighbour] | Refusal:
    found = []
    for name, place in _others(picture, key):
        if isinstance(place, Refusal):
            reason = f"{name} may count, and has no place: {place.reason}"
            return Refusal("no_plane", reason)
        found.append(_Neighbour(name, place, relate(place, reference, picture.policy)))
    return found


class _Neighbour(NamedTuple):
    """Another object."""

    name: str
    placed: Placed
    relation: SpatialRelation


def _direction(ask: Ask) -> RelationDirection:
    return next(direction for direction in _DIRECTIONS if direction == ask.direction)


def _others(picture: MeasuredPicture, key: int) -> list[tuple[str, Placed | Refusal]]:
    """All that counts but the object of a key: objects, then surfaces."""
    objects = [(f"object {k}", place) for k, place in picture.places.items() if k != key]
    surfaces = [(f"surface {k}", place) for k, place in picture.surfaces.items()]
    return objects + surfaces


def _behind(*places: Placed) -> tuple[ProposalFlag, ...]:
    behind = any(place.extents_m.centre_m[2] < 0 for place in places)
    return ("behind_camera",) if behind else ()
