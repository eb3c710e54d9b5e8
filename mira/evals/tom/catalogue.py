"""The published sets that can be read: what they are called, and under which licence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal

from mira.errors import TomSetError
from mira.evals.tom.drafts import Draft
from mira.evals.tom.sets import (
    bigtom,
    fantom,
    hitom,
    mmtom,
    mumatom,
    simpletom,
    tombench,
    tomi,
)
from mira.evals.tom.sets.choices import ImportChoices
from mira.evals.tom.source_files import SourceFile

SetName = Literal["tomi", "hitom", "fantom", "tombench", "simpletom", "bigtom", "mmtom", "mumatom"]


@dataclass(frozen=True)
class PublishedSet:
    """A published set.

    Attributes:
        name: As the command line has it.
        title: As tables call it; `source` of its items.
        licence: SPDX id of the licence of its repository.
        recognises: Whether a file holds questions of it.
        read: Its questions.
        note: What an import of it leaves aside; empty for nothing.
        beside: Names of files that are read with those that hold questions.
    """

    name: SetName
    title: str
    licence: str
    recognises: Callable[[SourceFile], bool]
    read: Callable[[Sequence[SourceFile], ImportChoices], Iterator[Draft]]
    note: str = ""
    beside: tuple[str, ...] = ()


def _of(
    name: SetName,
    title: str,
    licence: str,
    module: ModuleType,
    note: str = "",
    beside: tuple[str, ...] = (),
) -> PublishedSet:
    return PublishedSet(name, title, licence, module.recognises, module.read, note, beside)


SETS: Mapping[SetName, PublishedSet] = {
    one.name: one
    for one in (
        _of("tomi", "ToMi", "CC-BY-NC-4.0", tomi),
        _of("hitom", "Hi-ToM", "Apache-2.0", hitom),
        _of(
            "fantom",
            "FANToM",
            "MIT",
            fantom,
            "beliefs are asked as choices; the same in one's own words are not taken",
        ),
        _of("tombench", "ToMBench", "MIT", tombench),
        _of("simpletom", "SimpleToM", "Apache-2.0", simpletom),
        _of("bigtom", "BigToM", "MIT", bigtom),
        _of("mmtom", "MMToM-QA", "MIT", mmtom, "the text alone, no video"),
        _of(
            "mumatom",
            "MuMA-ToM",
            "Apache-2.0",
            mumatom,
            "the text alone, no video",
            beside=("texts.json",),
        ),
    )
}


def set_of(files: Sequence[SourceFile], *, where: str) -> PublishedSet:
    """The one set that files are of.

    Args:
        files: What was named.
        where: Named in the error.

    Raises:
        TomSetError: They are of none, or of several.
    """
    found = [one for one in SETS.values() if any(one.recognises(file) for file in files)]
    if len(found) == 1:
        return found[0]
    told = "none that is known" if not found else " and ".join(one.title for one in found)
    raise TomSetError(
        where, f"expected files of one set, found {told}", f"use --from {{{','.join(SETS)}}}"
    )
