"""Names of runs that no two of them share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mira.evals.mira_bench.judging import JudgedRun, JudgedRuns
from mira.taxonomy.catalogue import taxonomy


def keys_of(judged: JudgedRuns) -> list[str]:
    """A name for each run that no other has, with its protocol or a number if need be."""
    names = [run.run.name for run in judged.runs]
    alike = {
        name: [run for run in judged.runs if run.run.name == name]
        for name, count in Counter(names).items()
        if count > 1
    }
    names = [
        _long_name(run, alike[name]) if name in alike else name
        for run, name in zip(judged.runs, names, strict=True)
    ]
    times = Counter(names)
    seen: Counter[str] = Counter()
    keys = []
    for name in names:
        seen[name] += 1
        keys.append(f"{name} ({seen[name]})" if times[name] > 1 else name)
    return keys


def _long_name(judged: JudgedRun, alike: Sequence[JudgedRun]) -> str:
    """The name of a run with what it does not share with others of that name."""
    columns = zip(*map(_scope, alike), strict=True)
    differs = [len(set(values)) > 1 for values in columns]
    told = [part for part, shown in zip(_scope(judged), differs, strict=True) if part and shown]
    return ", ".join((judged.run.name, *told))


def _scope(judged: JudgedRun) -> tuple[str | None, str | None, str | None]:
    manifest = judged.run.manifest
    modality = manifest.modality if manifest else None
    name = taxonomy().modality(modality).name if modality else None
    return judged.protocol, name, judged.split
