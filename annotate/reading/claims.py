"""What a file says of each reflection: the links its attributes, pairs and ids state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from annotate.findings import FindingLog, Refused
from annotate.reading.owners import Owner


class Claim(NamedTuple):
    """A link as the file states it."""

    target: int
    """Id that the reflection is said to be a reflection of."""
    where: str
    """Field that says so."""
    shared: bool = False
    """Whether nothing but a shared id says so."""


def stated_claims(
    owners: Mapping[int, Owner], log: FindingLog
) -> tuple[dict[int, Claim], frozenset[int]]:
    """The one claim of each reflection that has any.

    Args:
        owners: Surfaces and instances by id.
        log: Takes what contradicts itself.

    Returns:
        Claims by reflection, and the reflections whose sources contradict each other.
    """
    pairs = _pair_claims(owners, log)
    claims = {}
    torn = set()
    for owner in owners.values():
        if owner.role != "reflected":
            continue
        try:
            claim = _one_of([*_own_claims(owner), *pairs.get(owner.id, ()), *_shared(owner)])
        except Refused as refused:
            log.refuse(refused)
            torn.add(owner.id)
        else:
            if claim is not None:
                claims[owner.id] = claim
    return claims, frozenset(torn)


def common_answer(owner: Owner, key: str, log: FindingLog) -> Any:
    """What the parts of an owner answer to an attribute; None where unset or where they differ."""
    first: Any = None
    first_where = ""
    for shape in owner.shapes:
        answer = shape.answers.get(key)
        where = f"{shape.where}.attributes.{key}"
        if answer is None:
            continue
        if first is not None and answer != first:
            log.error("attribute-conflict", where, f"says {answer}, but {first_where} says {first}")
            return None
        first, first_where = answer, where
    return first


def _one_of(claims: Sequence[Claim]) -> Claim | None:
    if not claims:
        return None
    first = claims[0]
    for other in claims[1:]:
        if other.target != first.target:
            message = f"names {other.target}, but {first.where} names {first.target}"
            raise Refused("link-conflict", other.where, message)
    return first


def _own_claims(owner: Owner) -> list[Claim]:
    return [
        Claim(shape.answers["reflection_of"], f"{shape.where}.attributes.reflection_of")
        for shape in owner.shapes
        if "reflection_of" in shape.answers
    ]


def _shared(owner: Owner) -> list[Claim]:
    if owner.shares_id_of is None:
        return []
    return [Claim(owner.shares_id_of, f"{owner.shapes[0].where}.group_id", shared=True)]


def _pair_claims(owners: Mapping[int, Owner], log: FindingLog) -> dict[int, list[Claim]]:
    """Claims of `kie_linking`, which may stand on any shape, by reflection."""
    claims: dict[int, list[Claim]] = {}
    shared = {owner.shares_id_of for owner in owners.values()}
    stated = [
        (pair, f"{shape.where}.kie_linking[{place}]")
        for owner in owners.values()
        for shape in owner.shapes
        for place, pair in enumerate(shape.pairs)
    ]
    for pair, where in stated:
        if pair[0] == pair[1] and pair[0] in shared:
            continue
        try:
            reflected, real = _in_order(pair, owners, where, log)
        except Refused as refused:
            log.refuse(refused)
        else:
            claims.setdefault(reflected, []).append(Claim(real, where))
    return claims


def _in_order(
    pair: tuple[int, int], owners: Mapping[int, Owner], where: str, log: FindingLog
) -> tuple[int, int]:
    """A pair as reflection and real id; the other way round is read where it is clear."""
    first, second = (owners[number].role if number in owners else None for number in pair)
    if first == "reflected":
        return pair
    if first is None:
        raise Refused("link-dangling", where, f"expected the id of a reflection, found {pair[0]}")
    if first == "direct" and second == "reflected":
        log.warning("pair-reversed", where, f"expected reflection id first, found {list(pair)}")
        return pair[1], pair[0]
    raise Refused("link-role", where, f"expected reflection and real id, found {list(pair)}")
