"""Pictures with the depth maps and masks that go with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from capture.importers.source_scene import ImportFault

Key = TypeVar("Key", bound=Hashable)


class Pair(NamedTuple, Generic[Key]):
    """A picture with its depth and its mask, where there are any."""

    key: Key
    color: str
    depth: str | None
    mask: str | None


class Pairing(NamedTuple, Generic[Key]):
    """What belongs together, what could not be told, and what is left over."""

    pairs: tuple[Pair[Key], ...]
    faults: tuple[ImportFault, ...]
    unpaired: tuple[str, ...]
    """Depth maps and masks without a picture."""


def pair_files(
    colors: Iterable[tuple[Key, str]],
    depths: Iterable[tuple[Key, str]],
    masks: Iterable[tuple[Key, str]],
) -> Pairing[Key]:
    """Files of equal keys, in the order of the pictures.

    Where a key has two pictures, two depth maps or two masks, its pictures are faults: nobody can
    tell which are meant.

    Args:
        colors: Key and path of each picture.
        depths: Of each depth map.
        masks: Of each mask.
    """
    by_role = [_by_key(entries) for entries in (colors, depths, masks)]
    pairs: list[Pair[Key]] = []
    faults: list[ImportFault] = []
    for key, paths in by_role[0].items():
        others = [role.get(key, ()) for role in by_role[1:]]
        twice = next((found for found in (paths, *others) if len(found) > 1), None)
        if twice is None:
            depth, mask = (found[0] if found else None for found in others)
            pairs.append(Pair(key, paths[0], depth, mask))
        else:
            problem = f"expected one file of that name, found {', '.join(twice[:4])}"
            faults += (ImportFault(path, problem) for path in paths)
    unpaired = [
        path for role in by_role[1:] for key, paths in role.items() if key not in by_role[0]
        for path in paths
    ]  # fmt: skip
    return Pairing(tuple(pairs), tuple(faults), tuple(unpaired))


def _by_key(entries: Iterable[tuple[Key, str]]) -> Mapping[Key, Sequence[str]]:
    found: defaultdict[Key, list[str]] = defaultdict(list)
    for key, path in entries:
        found[key].append(path)
    return found
