"""Which instances of a picture show one object, read from its links alone.

Written apart from the rules that make questions, so that a fault in those does not pass here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from mira.schema.annotation import Counterpart, Visibility

HowSeen = Literal["both", "direct_only", "reflected_only"]


class Link(BaseModel):
    """One row of `links`."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reflected_id: int
    real_id: int | None
    reflection_of_id: int | None
    counterpart: Counterpart | None


class Seen(NamedTuple):
    """What an instance says of itself."""

    visibility: Visibility
    category: str | None


@dataclass(frozen=True, slots=True)
class Sightings:
    """The objects of one picture.

    Attributes:
        object_of: For each instance, an instance that stands for its object: the directly seen
            one, or the reflection at the end of what is known.
        reflected: Instances that are reflections.
        undecided: Reflections of which nobody has said what they show.
        how_seen: For each instance that stands for an object, how that is seen; absent where the
            links leave it open.
    """

    object_of: dict[int, int]
    reflected: frozenset[int]
    undecided: frozenset[int]
    how_seen: dict[int, HowSeen]


def find_sightings(instances: Mapping[int, Seen], links: Mapping[int, Link]) -> Sightings:
    """The objects of a picture.

    Args:
        instances: What each instance says of itself, by id.
        links: Links by the reflection that they are of.
    """
    object_of = {
        instance_id: _object_of(instance_id, instances, links) for instance_id in instances
    }
    reflected = frozenset(k for k, seen in instances.items() if seen.visibility == "reflected")
    undecided = frozenset(k for k in reflected if _is_undecided(object_of[k], instances, links))
    how_seen: dict[int, HowSeen] = {}
    for stands_for in set(object_of.values()):
        members = {k for k, found in object_of.items() if found == stands_for}
        direct, reflections = members - reflected, members & reflected
        if direct and reflections:
            how_seen[stands_for] = "both"
        elif reflections and not reflections & undecided:
            how_seen[stands_for] = "reflected_only"
        elif direct and not any(_may_show(instances, k, stands_for) for k in undecided):
            how_seen[stands_for] = "direct_only"
    return Sightings(object_of, reflected, undecided, how_seen)


def _object_of(instance_id: int, instances: Mapping[int, Seen], links: Mapping[int, Link]) -> int:
    passed = {instance_id}
    while instances[instance_id].visibility == "reflected" and instance_id in links:
        link = links[instance_id]
        following = link.reflection_of_id if link.real_id is None else link.real_id
        if following is None or following in passed or following not in instances:
            break
        passed.add(following)
        instance_id = following
    return instance_id


def _is_undecided(
    stands_for: int, instances: Mapping[int, Seen], links: Mapping[int, Link]
) -> bool:
    if instances[stands_for].visibility == "direct":
        return False
    link = links.get(stands_for)
    return link is None or link.counterpart != "out_of_frame"


def _may_show(instances: Mapping[int, Seen], reflection: int, direct: int) -> bool:
    """Whether categories leave it open that an undecided reflection shows a direct instance."""
    first, second = instances[reflection].category, instances[direct].category
    return first is None or second is None or first.casefold() == second.casefold()
