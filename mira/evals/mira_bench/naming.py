"""Names of runs that no two of them share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mira.evals.mira_bench.judging import JudgedRun, JudgedRuns
from mira.taxonomy.catalogue import taxonomy

Scope = tuple[str | None, str | None, str | None]
"""Protocol, modality and split; None for all, or where nobody knows."""


def keys_of(judged: JudgedRuns) -> list[str]:
    """A name for each run that no other has, with its protocol or a number if need be."""
    return names_of([(run.run.name, _scope(run)) for run in judged.runs])


def names_of(named: Sequence[tuple[str, Scope]]) -> list[str]:
    """A name for each that no other has.

    Where several share one, it is followed by what tells them apart, or by a number.
    """
    alike: dict[str, list[Scope]] = {}
    for name, scope in named:
        alike.setdefault(name, []).append(scope)
    long = [_long_name(name, scope, alike[name]) for name, scope in named]
    times = Counter(long)
    seen: Counter[str] = Counter()
    keys = []
    for name in long:
        seen[name] += 1
        keys.append(f"{name} ({seen[name]})" if times[name] > 1 else name)
    return keys


def _long_name(name: str, scope: Scope, alike: Sequence[Scope]) -> str:
    differs = [len(set(values)) > 1 for values in zip(*alike, strict=True)]
    protocol, modality, split = scope
    words = taxonomy().modality(modality).name if modality else None
    told = (protocol, words, split)
    return ", ".join(
        (name, *(one for one, shown in zip(told, differs, strict=True) if one and shown))
    )


def _scope(judged: JudgedRun) -> Scope:
    manifest = judged.run.manifest
    return judged.protocol, manifest.modality if manifest else None, judged.split
