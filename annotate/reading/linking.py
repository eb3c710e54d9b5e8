"""Which real object each reflection shows, and through which surfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from annotate.findings import FindingLog
from annotate.reading.claims import Claim, common_answer, stated_claims
from annotate.reading.owners import Owner
from mira.schema.annotation import Correspondence, Counterpart


class Links(NamedTuple):
    """What is known of the reflections of one picture."""

    correspondences: tuple[Correspondence, ...]
    """One for each reflection, by id."""
    seen_in: Mapping[int, tuple[int, ...]]
    """For each reflection, the surfaces on the light's way from the camera on."""


def resolve_links(owners: Sequence[Owner], *, left_out: frozenset[int], log: FindingLog) -> Links:
    """Correspondences and light paths of all reflections.

    Args:
        owners: All surfaces and instances.
        left_out: Ids of shapes that were refused, which a message then says.
        log: Takes every link that is left out; its reflection stays, undecided.
    """
    return _Resolver(owners, left_out, log).resolve()


class _Resolver:
    def __init__(self, owners: Sequence[Owner], left_out: frozenset[int], log: FindingLog) -> None:
        self._owners = {owner.id: owner for owner in owners}
        self._left_out = left_out
        self._log = log
        self._reflections = [owner for owner in owners if owner.role == "reflected"]
        self._claims, torn = stated_claims(self._owners, log)
        self._undecided = set(torn)
        """Reflections whose link was refused."""
        self._counterparts: dict[int, Counterpart | None] = {
            owner.id: common_answer(owner, "counterpart", log) for owner in self._reflections
        }
        self._mirrors: dict[int, int] = {}

    def resolve(self) -> Links:
        for number, claim in list(self._claims.items()):
            self._check_target(number, claim)
        self._refuse_cycles()
        self._refuse_contradictions()
        for owner in self._reflections:
            self._find_mirror(owner)
        return Links(
            correspondences=tuple(self._correspondence(owner) for owner in self._reflections),
            seen_in={owner.id: self._light_path(owner.id) for owner in self._reflections},
        )

    def _refuse(self, number: int, code: str, where: str, message: str) -> None:
        self._log.error(code, where, message)
        self._claims.pop(number, None)
        self._undecided.add(number)

    def _missing(self, number: int) -> str:
        if number in self._left_out:
            return f"the shape with group_id {number} was left out"
        return f"no shape has group_id {number}"

    def _check_target(self, number: int, claim: Claim) -> None:
        target = self._owners.get(claim.target)
        if claim.target == number:
            self._refuse(number, "link-self", claim.where, f"{number} names itself")
        elif target is None:
            message = f"expected an instance, found that {self._missing(claim.target)}"
            self._refuse(number, "link-dangling", claim.where, message)
        elif target.role == "surface":
            message = f"expected an instance, found the surface {claim.target}"
            self._refuse(number, "link-role", claim.where, message)

    def _refuse_cycles(self) -> None:
        safe: set[int] = set()
        for start in list(self._claims):
            path: list[int] = []
            number = start
            while number in self._claims and number not in safe and number not in path:
                path.append(number)
                number = self._claims[number].target
            if number in path:
                self._refuse_cycle(path[path.index(number) :])
            safe.update(path)

    def _refuse_cycle(self, cycle: list[int]) -> None:
        way = " -> ".join(map(str, [*cycle, cycle[0]]))
        for member in cycle:
            where = self._claims[member].where
            self._refuse(member, "link-cycle", where, f"expected a real end, found {way}")

    def _end_of_chain(self, number: int) -> int:
        """The last instance that claims lead to: a direct one, or a reflection without a claim."""
        while number in self._claims:
            number = self._claims[number].target
        return number

    def _refuse_contradictions(self) -> None:
        """Refuse links that the answer to `counterpart` contradicts."""
        found = []
        for number in self._claims:
            said = self._counterparts[number]
            implied = self._implied_counterpart(number)
            if said is not None and implied is not None and said != implied:
                found.append((number, said, implied))
        for number, said, implied in found:
            where = self._field(number, "counterpart")
            link = self._claims[number]
            message = f"says {said}, but {link.where} names {link.target}: {implied}"
            self._refuse(number, "counterpart-conflict", where, message)

    def _implied_counterpart(self, number: int) -> Counterpart | None:
        end = self._end_of_chain(number)
        return "in_frame" if self._owners[end].role == "direct" else self._counterparts[end]

    def _field(self, number: int, key: str) -> str:
        shapes = self._owners[number].shapes
        shape = next((shape for shape in shapes if key in shape.answers), shapes[0])
        return f"{shape.where}.attributes.{key}"

    def _correspondence(self, owner: Owner) -> Correspondence:
        if owner.id in self._undecided:
            return Correspondence(reflected_id=owner.id)
        claim = self._claims.get(owner.id)
        said = self._counterparts[owner.id]
        if claim is None:
            if said == "in_frame":
                where = self._field(owner.id, "counterpart")
                message = "says in_frame; expected a link to the real object, found none"
                self._log.warning("counterpart-without-link", where, message)
            return Correspondence(reflected_id=owner.id, counterpart=said)
        end = self._end_of_chain(owner.id)
        return Correspondence(
            reflected_id=owner.id,
            real_id=end if self._owners[end].role == "direct" else None,
            reflection_of_id=claim.target,
            counterpart=said or self._implied_counterpart(owner.id),
            decided_by="shared_gid" if claim.shared else "annotator",
        )

    def _find_mirror(self, owner: Owner) -> None:
        number = common_answer(owner, "in_mirror", self._log)
        if number is None:
            return
        surface = self._owners.get(number)
        where = self._field(owner.id, "in_mirror")
        if surface is None:
            message = f"expected a surface, found that {self._missing(number)}"
            self._log.error("link-dangling", where, message)
        elif surface.role != "surface":
            message = f"expected a surface, found the instance {number}"
            self._log.error("link-role", where, message)
        else:
            self._mirrors[owner.id] = number

    def _light_path(self, number: int) -> tuple[int, ...]:
        path = []
        while number in self._mirrors:
            path.append(self._mirrors[number])
            if number not in self._claims:
                break
            number = self._claims[number].target
        return tuple(path)
