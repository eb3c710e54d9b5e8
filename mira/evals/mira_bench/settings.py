"""What differs between runs beside their model, so that a difference of scores may come of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mira.evals.mira_bench.judging import JudgedRun
from mira.render.style_settings import style_words
from mira.schema.evaluation import RunManifest
from mira.schema.record import Record

_UNKNOWN = "not told"
_ALL = "all"
DEFAULT_STYLE = "default"
"""Pictures in the style of `RenderStyle()`."""


class SettingDifference(Record):
    """A setting that differs between two runs, or that one of them does not tell."""

    setting: str
    """What it is, in words."""
    first: str
    """What the first run has."""
    second: str
    """What the second has."""


def differing_settings(
    first: JudgedRun, second: JudgedRun, *, release_digest: str
) -> tuple[SettingDifference, ...]:
    """Settings, the model apart, that are not known to be the same in both runs.

    Args:
        first: A run.
        second: Another one.
        release_digest: Logical digest of the release that both are scored on.
    """
    ones, twos = (settings_of(run, release_digest=release_digest) for run in (first, second))
    return tuple(
        SettingDifference(setting=name, first=ones[name], second=twos[name])
        for name in ones
        if ones[name] != twos[name]
    )


def untold_settings(*runs: JudgedRun) -> tuple[str, ...]:
    """Settings that none of some runs tells."""
    told = [settings_of(run, release_digest="") for run in runs]
    return tuple(name for name in told[0] if all(one[name] == _UNKNOWN for one in told))


def settings_of(judged: JudgedRun, *, release_digest: str) -> dict[str, str]:
    """All that decided a run beside its model, in words, by name.

    Args:
        judged: The run.
        release_digest: Logical digest of the release it is scored on, for a plain file.
    """
    return dict(_settings(judged, release_digest))


def _settings(judged: JudgedRun, release_digest: str) -> Iterator[tuple[str, str]]:
    manifest = judged.run.manifest
    yield "release", (manifest.dataset_digest if manifest else release_digest)[:12]
    yield "protocol", judged.protocol or _ALL
    yield "split", judged.split or _ALL
    yield "modality", _told(manifest, "modality")
    yield "style", _style(manifest)
    yield "prompt", _told(manifest, "prompt_version")
    yield "limit", _told(manifest, "limit", absent=_ALL)
    yield "code", _told(manifest, "code_version")
    decoding = manifest.decoding.model_dump() if manifest else {}
    yield "temperature", _shown(decoding.get("temperature")) if manifest else _UNKNOWN
    yield "longest reply", _shown(decoding.get("max_tokens")) if manifest else _UNKNOWN
    others = decoding.get("parameters") or {}
    told = ", ".join(f"{name} {_shown(others[name])}" for name in sorted(others)) or "none"
    yield "other settings", told if manifest else _UNKNOWN


def _style(manifest: RunManifest | None) -> str:
    """What differs from the default style."""
    if manifest is None:
        return _UNKNOWN
    return style_words(manifest.style) or DEFAULT_STYLE


def _told(manifest: RunManifest | None, field: str, *, absent: str = _UNKNOWN) -> str:
    if manifest is None:
        return _UNKNOWN
    value = getattr(manifest, field)
    return absent if value is None else _shown(value)


def _shown(value: Any) -> str:
    return "default" if value is None else str(value)
