"""Flags of `mira eval run` as what is asked of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mira.evals.inspect_runner.options import AskingOptions


def asking_options(
    *, protocols: str, modalities: str, reached: dict[str, Any], **others: Any
) -> AskingOptions:
    """What is asked of whom.

    Args:
        protocols: `all`, or ids with commas between them.
        modalities: The same.
        reached: Which model, and how.
        others: Fields of `AskingOptions` as they are.
    """
    from mira.evals.inspect_runner.options import AskingOptions
    from mira.taxonomy.catalogue import taxonomy

    known_protocols: list[str] = [one.id for one in taxonomy().protocols]
    chosen: Any = _chosen(protocols, known_protocols, "--protocol")
    shown: Any = _chosen(modalities, [one.id for one in taxonomy().modalities], "--modality")
    return AskingOptions(
        protocols=None if set(chosen) == set(known_protocols) else chosen,
        modalities=shown,
        **reached,
        **others,
    )


def _chosen(text: str, known: Sequence[str], flag: str) -> tuple[str, ...]:
    if text == "all":
        return tuple(known)
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"expected all, or some of {', '.join(known)}, found {name!r}", param_hint=flag
            )
    return names
