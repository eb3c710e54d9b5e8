"""Runs of one model that differ in one setting alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from mira.evals.mira_bench.judging import JudgedRun
from mira.evals.mira_bench.settings import DEFAULT_STYLE, settings_of
from mira.evals.run_tables.records import Axis
from mira.taxonomy.catalogue import taxonomy

_NOT_TOLD_APART = {"code"}
"""Settings that may differ between the runs of a sweep."""


class Family(NamedTuple):
    """Runs that differ in one setting alone.

    Attributes:
        model: Their name.
        settings: What they share, in words.
        runs: By the value of the setting that differs, in the order of the taxonomy.
    """

    model: str
    settings: dict[str, str]
    runs: dict[str, JudgedRun]


def families_of(
    runs: Iterable[JudgedRun], axis: Axis, *, release_digest: str, least: int = 2
) -> tuple[Family, ...]:
    """Runs by model and by all settings but one; of two that are alike the first one.

    A run that was asked in all protocols is one run in each of them. Plain files belong to
    none, for nobody knows how they were asked.

    Args:
        runs: Judged runs.
        axis: The setting that may differ.
        release_digest: Logical digest of the release they are scored on.
        least: Families of fewer runs are left out.
    """
    found: dict[tuple[object, ...], Family] = {}
    for run in runs:
        for one in _one_protocol_each(run) if axis == "protocol" else (run,):
            if one.run.manifest is None:
                continue
            settings = settings_of(one, release_digest=release_digest)
            value = settings.pop(axis)
            shared = {k: told for k, told in settings.items() if k not in _NOT_TOLD_APART}
            key = (one.run.name, one.run.manifest.model, *shared.items())
            family = found.setdefault(key, Family(one.run.name, shared, {}))
            family.runs.setdefault(value, one)
    return tuple(
        family._replace(runs=_ordered(family.runs, axis))
        for family in found.values()
        if len(family.runs) >= least
    )


def restricted(run: JudgedRun, question_ids: Collection[str]) -> JudgedRun:
    """A run as if it had been asked some of its questions only."""
    asked = tuple(one for one in run.asked if one.question_id in question_ids)
    return replace(run, asked=asked)


def _one_protocol_each(run: JudgedRun) -> Iterator[JudgedRun]:
    if run.protocol is not None:
        yield run
        return
    for protocol in sorted({one.protocol for one in run.asked if one.protocol is not None}):
        asked = tuple(one for one in run.asked if one.protocol in (protocol, None))
        yield replace(run, protocol=protocol, asked=asked)


def _ordered(runs: dict[str, JudgedRun], axis: Axis) -> dict[str, JudgedRun]:
    known: dict[str, list[str]] = {
        "modality": [one.id for one in taxonomy().modalities],
        "protocol": [one.id for one in taxonomy().protocols],
        "style": [DEFAULT_STYLE],
    }
    places = {value: place for place, value in enumerate(known[axis])}
    return dict(sorted(runs.items(), key=lambda pair: places.get(pair[0], len(places))))
